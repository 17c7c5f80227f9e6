/** The witnesses of a diff in a run: each breaking change convicts the new version, or the run says why it cannot. */
import { fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { compile } from "../support/compile.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";
import type { ToldPair } from "./prove-witnesses.ts";

const PROCESS = 'import "./tests/self/diff/prove-witnesses.ts";';

const told = async (pairs: readonly number[]): Promise<ToldPair[]> => {
  const script = test.info().outputPath("prove.mjs");
  await compile(PROCESS, script);
  const folder = test.info().outputPath("documents");
  mkdirSync(folder, { recursive: true });
  return new Promise((resolve, reject) => {
    const all: ToldPair[] = [];
    const child = fork(script, [folder, pairs.join(",")], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    let complaint = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    child.on("message", (one: ToldPair) => void all.push(one));
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve(all) : reject(new Error(`The process ended with ${code}. ${complaint}`)),
    );
  });
};

test("each breaking change of many documents convicts, or says why no message shows it", PROOF, async () => {
  const pairs = sizeInLane({ sample: [0], full: Array.from({ length: 10 }, (_, index) => index) });
  const all = await told(pairs);
  const changes = all.flatMap((one) => one.changes);
  // A passed change is one whose answers are still the ones of the old document.
  const isTold = ({ verdict, reason, about }: (typeof changes)[number]): boolean =>
    verdict === "advisory" || (verdict === "passed" && about.includes(" response ")) || reason !== "";
  expect(changes.filter((one) => !isTold(one))).toEqual([]);
  expect(changes.filter(({ verdict }) => verdict === "blocked" || verdict === "failed")).toEqual([]);
  const ofAnswers = changes.filter(({ about }) => about.includes(" response "));
  const unshown = changes.filter(({ verdict }) => verdict !== "advisory");
  // A request shows its change, unless another alternative allows it. The sandbox chooses its answers.
  const unsent = unshown.filter((one) => !ofAnswers.includes(one));
  expect(unsent.filter(({ reason }) => !reason.includes("another alternative allows it"))).toEqual([]);
  const most = sizeInLane({ sample: ofAnswers.length / 2, full: changes.length / 10 });
  expect(unshown.length - unsent.length).toBeLessThanOrEqual(most);
  for (const { requests } of all) expect(requests[0]).toBeLessThanOrEqual(1.1 * requests[1]);
});
