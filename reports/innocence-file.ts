/** Stores the results of innocence runs, and the scores that certificates include. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandWith } from "../helpers/contract/code.ts";
import type { Service } from "../helpers/contract/contract.ts";
import { readJson } from "../helpers/run/files.ts";
import { type InnocenceMatrix, type InnocenceScore, type InnocenceTotal, innocenceOf } from "./innocence.ts";
import { byText } from "./order.ts";

export const innocencePath = (out: string): string => join(out, "innocence.json");

export const writeInnocence = (out: string, matrix: InnocenceMatrix): void =>
  writeFileSync(innocencePath(out), `${JSON.stringify(matrix, null, 2)}\n`);

/** The committed scores of the last complete innocence run of each service. */
const SCORES = fileURLToPath(new URL("./innocence-scores.json", import.meta.url));

const readScores = (): InnocenceScore[] => {
  try {
    return readJson(SCORES) ?? [];
  } catch {
    throw new Error(`${SCORES} can't be read: write it again with ${commandWith("mutation")} --innocent.`);
  }
};

/** Stores scores. The scores of other services do not change. */
export const keepInnocence = (scores: readonly InnocenceScore[]): void => {
  const others = readScores().filter(({ service }) => scores.every((score) => score.service !== service));
  const all = [...others, ...scores].sort((a, b) => byText(a.service, b.service));
  writeFileSync(SCORES, `${JSON.stringify(all, null, 2)}\n`);
};

/** Returns the total innocence score of these services; `null` when one of them has none. */
export const innocenceScoreOf = (services: readonly Service[]): InnocenceTotal | null => {
  const scores = readScores().filter(({ service }) => services.includes(service));
  return scores.length < services.length || scores.length === 0 ? null : innocenceOf(scores);
};
