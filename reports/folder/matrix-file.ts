/** Stores the results of matrix runs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../../helpers/contract/contract.ts";
import { proofOf } from "../../helpers/trials/trial-order.ts";
import type { Matrix, MatrixRow } from "../certificate/matrix.ts";
import { orderPath } from "../certificate/trial-order.ts";
import { byText } from "../order.ts";

export const matrixPath = (out: string): string => join(out, "mutation.json");

export const writeMatrix = (out: string, matrix: Matrix): void =>
  writeFileSync(matrixPath(out), `${JSON.stringify(matrix, null, 2)}\n`);

/**
 * Stores the order of the trials by what they prove: the requests of each trial at quick depth, the number of faults that it finds
 * with them, and the number of classes of faults of which no trial before it finds one. The order of other services does
 * not change.
 * @param requests the requests of each trial of a service at quick depth
 * @param classes the class of each fault, by its id
 */
export const keepOrder = (
  service: Service,
  rows: readonly MatrixRow[],
  requests: Readonly<Record<string, number>>,
  classes: ReadonlyMap<string, string>,
): void => {
  const found = new Map<string, string[]>();
  for (const { depth, evidence, subject } of rows.filter((row) => row.service === service)) {
    const trial = evidence[0]?.trial;
    if (depth === "quick" && trial !== undefined) found.set(trial, [...(found.get(trial) ?? []), subject]);
  }
  const trials = Object.entries(requests).map(([trial, sent]) => {
    const own = found.get(trial) ?? [];
    return { trial, requests: sent, faults: own.length, classes: own.map((id) => classes.get(id) ?? id) };
  });
  const lines = inOrder(trials)
    .sort((a, b) => byText(a.trial, b.trial))
    .map((one) => `  ${JSON.stringify(one.trial)}: [${one.requests}, ${one.faults}, ${one.classes}]`);
  writeFileSync(orderPath(service), `{\n${lines.join(",\n")}\n}\n`);
};

/** Chooses again and again the trial that proves most for its requests beside the chosen ones. */
const inOrder = (
  trials: readonly { trial: string; requests: number; faults: number; classes: readonly string[] }[],
): { trial: string; requests: number; faults: number; classes: number }[] => {
  const seen = new Set<string>();
  const left = new Set(trials);
  const newIn = (names: readonly string[]): number => new Set(names.filter((one) => !seen.has(one))).size;
  return trials.map(() => {
    const ranked = [...left].map((one) => ({ one, news: newIn(one.classes) }));
    const best = ranked.reduce((a, b) =>
      proofOf({ ...b.one, classes: b.news }) > proofOf({ ...a.one, classes: a.news }) ? b : a,
    );
    left.delete(best.one);
    for (const name of best.one.classes) seen.add(name);
    return { ...best.one, classes: best.news };
  });
};
