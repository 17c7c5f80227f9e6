/** Recordings in front of a server of the test. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { LogLine } from "../../../helpers/traffic/log.ts";
import { temporary } from "../../../tests/self/support/command.ts";
import { closeAll } from "../../../tests/self/support/loopback.ts";
import { exercisesNamed } from "../proxy/exercises.ts";
import { openRecording, type Recording } from "../proxy/recording.ts";

const open: Recording[] = [];

/** Returns the recording, which `endRecordings` ends. */
export const endedLater = (recording: Recording): Recording => {
  open.push(recording);
  return recording;
};

/** Ends the recordings of a test and the servers behind them. */
export const endRecordings = async (): Promise<void> => {
  for (const recording of open.splice(0)) await recording.end({});
  await closeAll();
};

/** Starts a recording in front of a server, and returns the base URL for clients. */
export const before = async (
  origin: string,
  exercises: readonly string[] = [],
): Promise<{ readonly base: string; readonly recording: Recording; readonly out: string }> => {
  const out = await temporary();
  const contracts = [await loadContract("financial-data")];
  const target = targetOf("test", { FINANCIAL_DATA_BASE_URL: origin }, false);
  const named = await exercisesNamed(contracts, exercises);
  const recording = endedLater(await openRecording({ target, contracts, port: 0, out, exercises: named }));
  return { base: recording.proxy.baseUrls["financial-data"] ?? "", recording, out };
};

export const linesIn = async (out: string): Promise<LogLine[]> => {
  const [name = ""] = (await readdir(out)).filter((file) => file.endsWith(".ndjson"));
  const lines = (await readFile(join(out, name), "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.request !== undefined);
};
