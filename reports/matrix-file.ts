/** Stores the results of matrix runs, and the scores that certificates include. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandName } from "../helpers/contract/code.ts";
import type { Service } from "../helpers/contract/contract.ts";
import { readJson } from "../helpers/run/files.ts";
import { orderPath } from "../helpers/run/trial-order.ts";
import type { Certificate } from "./certificate.ts";
import { innocenceTotalOf, type Matrix, type MatrixRow, mutationTotalOf, type Score } from "./matrix.ts";
import { byText } from "./order.ts";

export const matrixPath = (out: string): string => join(out, "mutation.json");

export const writeMatrix = (out: string, matrix: Matrix): void =>
  writeFileSync(matrixPath(out), `${JSON.stringify(matrix, null, 2)}\n`);

/** The committed scores of each service: the last complete run of each kind of subject. */
const SCORES = fileURLToPath(new URL("./matrix-scores.json", import.meta.url));

export const readScores = (): Score[] => {
  try {
    return readJson(SCORES) ?? [];
  } catch {
    throw new Error(`${SCORES} can't be read: write it again with ${commandName("mutation")}.`);
  }
};

const nameOf = ({ kind, service }: Score): string => `${kind} ${service}`;

/** Stores scores. Scores of other kinds and services do not change. */
export const keepScores = (scores: readonly Score[]): void => {
  const names = new Set(scores.map(nameOf));
  const others = readScores().filter((score) => !names.has(nameOf(score)));
  const all = [...others, ...scores].sort((a, b) => byText(nameOf(a), nameOf(b)));
  writeFileSync(SCORES, `${JSON.stringify(all, null, 2)}\n`);
};

/**
 * Stores the order of the trials for runs with a budget: the requests of each trial, and the number of faults that it
 * finds with them. The order of other services does not change.
 * @param requests the requests of each trial of a service in a run with a budget
 */
export const keepOrder = (
  service: Service,
  rows: readonly MatrixRow[],
  requests: Readonly<Record<string, number>>,
): void => {
  const found = new Map<string, number>();
  for (const { isThrifty, evidence } of rows.filter((row) => row.service === service)) {
    const trial = evidence[0]?.trial;
    if (isThrifty && trial !== undefined) found.set(trial, (found.get(trial) ?? 0) + 1);
  }
  const lines = Object.entries(requests)
    .sort(([a], [b]) => byText(a, b))
    .map(([trial, sent]) => `  ${JSON.stringify(trial)}: [${sent}, ${found.get(trial) ?? 0}]`);
  writeFileSync(orderPath(service), `{\n${lines.join(",\n")}\n}\n`);
};

/** Returns the proof of the checks of a half; `null` if one of the services has none. */
export const proofOf = (
  half: NonNullable<Certificate["half"]>,
  services: readonly Service[],
): Required<Pick<Certificate, "mutation" | "innocence">> => {
  const scores = readScores().filter(({ service }) => services.includes(service));
  if (half !== "service") {
    const own = scores.filter(({ kind }) => kind === half);
    return own.length === 0
      ? { mutation: null, innocence: null }
      : { mutation: mutationTotalOf(own), innocence: innocenceTotalOf(own) };
  }
  const [faults, differences] = [["fault"], ["difference", "combination"]].map((kinds) =>
    scores.filter(({ kind }) => kinds.includes(kind)),
  ) as [Score[], Score[]];
  const isWhole = (own: readonly Score[]) =>
    own.length > 0 && services.every((name) => own.some(({ service }) => service === name));
  return {
    mutation: isWhole(faults) ? mutationTotalOf(faults) : null,
    innocence: isWhole(differences) ? innocenceTotalOf(differences) : null,
  };
};
