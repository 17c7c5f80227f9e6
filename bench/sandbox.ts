/**
 * Compares the sandbox with a route that only gives the recorded answers, over the requests of a whole run and for each
 * operation, and measures its start, its memory and its lookups. Each line has its goal.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { compactDecrypt } from "jose";
import type { Contract } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { services } from "../helpers/contract/services.ts";
import { keysIn } from "../mocks/card-enrollment/keys.ts";
import { benchFiles } from "./files.ts";
import { DECRYPTS, excluded, type OperationTime, operationTimes, requestTimes } from "./operations.ts";
import { LAUNCHER, lanesOf, on, recordRun, replayed, standBare, standUp } from "./recording.ts";
import type { Seen } from "./replay.ts";
import { benchScale } from "./scale.ts";
import { ANY_PORT, type Goal, goalLine, median, timed } from "./tools.ts";

/** The first round compiles; the operations are measured in the others. */
const ROUNDS = 4;

const MIX: Goal = { most: 2.5, unit: "×" };
const MEDIAN: Goal = { most: 2, unit: "×" };
const EACH: Goal = { most: 4, unit: "×" };
const START: Goal = { most: 0.5, unit: "s" };

export const benchSandbox = async (): Promise<void> => {
  const contracts = await Promise.all(services().map((service) => loadContract(service)));
  process.stdout.write(
    `\nThe sandbox\n\n${goalLine("ready after the start, best of 5", await start(), START)}\n`,
  );
  await benchMix(contracts);
  await benchScale();
};

/** Returns the seconds from the command to its first line. */
const start = async (): Promise<number> => {
  const seconds: number[] = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    const child = spawn(process.execPath, [LAUNCHER, "mock", "--port", String(ANY_PORT)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    seconds.push((performance.now() - started) / 1000);
    child.kill();
    await once(child, "close");
  }
  return Math.min(...seconds);
};

const benchMix = async (contracts: readonly Contract[]): Promise<void> => {
  await using files = await benchFiles();
  const all = contracts.map(({ service }) => service);
  const fresh = () => standUp(all, files.key);
  const { requests, answers } = await on(await fresh(), (sandbox) => recordRun(sandbox, all));
  const stages = inOneLane(lanesOf(requests));
  const bareFile = await files.write("answers.json", answers);
  const run = (origin: string) => replayed(files, origin, stages, ROUNDS);
  const own = await on(await fresh(), ({ origin }) => run(origin));
  const bare = await on(await standBare(bareFile), ({ origin }) => run(origin));
  const times = requestTimes(contracts, stages.at(-1)?.[0] ?? [], own.least[0] ?? [], bare.least[0] ?? []);
  const rows = operationTimes(times);
  const judged = rows.filter(({ operation }) => excluded(operation) === undefined);
  const ratios = judged.map(({ own: one, bare: other }) => one / other);
  const mix = times.filter(({ operation }) => excluded(operation) === undefined);
  const decryption = await decryptionTime(files.key, requests);
  const cards = times.filter(({ seen, operation }) => excluded(operation) === DECRYPTS && isEncrypted(seen));
  const [card, bareCard] = [median(cards.map((one) => one.own)), median(cards.map((one) => one.bare))];
  process.stdout.write(
    [
      "",
      `  ${rows.length} operations in the ${requests.length.toLocaleString("en-US")} requests of a run; milliseconds of one request`,
      "",
      `  ${"operation".padEnd(52)}${"requests".padStart(8)}${"sandbox".padStart(8)}${"bare".padStart(8)}`,
      ...rows.map(rowOf),
      "",
      goalLine("median of the operations", median(ratios), MEDIAN),
      goalLine("slowest operation", Math.max(...ratios), EACH),
      goalLine("the mix", sumOf(mix.map((one) => one.own)) / sumOf(mix.map((one) => one.bare)), MIX),
      goalLine("the whole first round, with its compilation", own.seconds / bare.seconds, { unit: "×" }),
      goalLine(
        `an encrypted card, without its decryption of ${decryption.toFixed(2)} ms`,
        (card - decryption) / bareCard,
        EACH,
      ),
      "",
    ].join("\n"),
  );
};

/** One request at a time, so that none waits for another. */
const inOneLane = (stages: Seen[][][]): Seen[][][] => stages.map((lanes) => [lanes.flat()]);

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const rowOf = ({ operation, requests, own, bare }: OperationTime): string => {
  const name = operation.padEnd(52);
  const words = `${name}${String(requests).padStart(8)}${own.toFixed(2).padStart(8)}${bare.toFixed(2).padStart(8)}`;
  const reason = excluded(operation);
  return reason === undefined
    ? goalLine(words, own / bare, EACH)
    : `${goalLine(words, own / bare, { unit: "×" })}  no goal: ${reason}`;
};

const isEncrypted = ({ body, status }: Seen): boolean =>
  status === 200 && typeof (JSON.parse(body) as { encryptedCard?: unknown }).encryptedCard === "string";

/** Returns the milliseconds of one decryption alone. @param key a PEM file */
const decryptionTime = async (key: string, requests: readonly Seen[]): Promise<number> => {
  const { privateKey } = keysIn(await readFile(key, "utf8"));
  const seen = requests.find((one) => one.body.includes('"encryptedCard"') && isEncrypted(one));
  if (seen === undefined) return 0;
  const { encryptedCard } = JSON.parse(seen.body) as { encryptedCard: string };
  const milliseconds = async (): Promise<number> =>
    (await timed(() => compactDecrypt(encryptedCard, privateKey))) * 1000;
  const times: number[] = [];
  // The least of several, as with the requests.
  for (let round = 0; round < DECRYPTIONS; round++)
    times.push(Math.min(await milliseconds(), await milliseconds(), await milliseconds()));
  return median(times);
};

const DECRYPTIONS = 100;
