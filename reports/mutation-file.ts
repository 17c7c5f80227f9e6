/** Stores the results of mutation runs, and the scores that certificates include. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandName } from "../helpers/contract/code.ts";
import type { Service } from "../helpers/contract/contract.ts";
import { readJson } from "../helpers/run/files.ts";
import { orderPath } from "../helpers/run/trial-order.ts";
import {
  type CleanRun,
  type FaultRuns,
  type MutationMatrix,
  type MutationScore,
  type Total,
  totalOf,
} from "./mutation.ts";
import { byText } from "./order.ts";

export const matrixPath = (out: string): string => join(out, "mutation.json");

export const writeMatrix = (out: string, matrix: MutationMatrix): void => {
  writeFileSync(matrixPath(out), `${JSON.stringify(matrix, null, 2)}\n`);
};

export const cleanPath = (out: string): string => join(out, "mutation-clean.json");

export const writeCleanRuns = (out: string, runs: readonly CleanRun[]): void => {
  const counted = runs.map(({ passed, requests: _, isThrifty: __, ...run }) => ({
    ...run,
    passed: passed.length,
  }));
  writeFileSync(
    cleanPath(out),
    `${JSON.stringify({ format: "mutation-clean/1", runs: counted }, null, 2)}\n`,
  );
};

/** The committed scores: for each service, the scores of the last complete mutation run. */
const SCORES = fileURLToPath(new URL("./mutation-scores.json", import.meta.url));

export const readScores = (): MutationScore[] => {
  try {
    return readJson(SCORES) ?? [];
  } catch {
    throw new Error(`${SCORES} can't be read: write it again with ${commandName("mutation")}.`);
  }
};

/** Stores scores. Scores of other services do not change. */
export const keepScores = (scores: readonly MutationScore[]): void => {
  const others = readScores().filter(({ service }) => scores.every((score) => score.service !== service));
  const all = [...others, ...scores].sort((a, b) => byText(a.service, b.service));
  writeFileSync(SCORES, `${JSON.stringify(all, null, 2)}\n`);
};

/**
 * Stores the order of the trials for runs with a budget: the requests of each trial, and the number of faults that it finds
 * with them. The order of other services does not change.
 */
export const keepOrder = (services: readonly FaultRuns[], clean: readonly CleanRun[]): void => {
  for (const { service, requests, isThrifty } of clean) {
    if (!isThrifty) continue;
    const faults = services.find((runs) => runs.service === service)?.faults ?? [];
    const found = new Map<string, number>();
    for (const { killedBy, isThrifty: counts } of faults)
      if (killedBy !== null && counts) found.set(killedBy.trial, (found.get(killedBy.trial) ?? 0) + 1);
    const rows = Object.entries(requests)
      .sort(([a], [b]) => byText(a, b))
      .map(([trial, sent]) => `  ${JSON.stringify(trial)}: [${sent}, ${found.get(trial) ?? 0}]`);
    writeFileSync(orderPath(service), `{\n${rows.join(",\n")}\n}\n`);
  }
};

/** Returns the total mutation score of these services; `null` when one of them has none. */
export const proofOf = (services: readonly Service[]): Total | null => {
  const scores = readScores().filter(({ service }) => services.includes(service));
  return scores.length < services.length || scores.length === 0 ? null : totalOf(scores);
};
