/** Stores the results of matrix runs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../../helpers/contract/contract.ts";
import { orderPath } from "../../helpers/run/trial-order.ts";
import type { Matrix, MatrixRow } from "../certificate/matrix.ts";
import { byText } from "../order.ts";

export const matrixPath = (out: string): string => join(out, "mutation.json");

export const writeMatrix = (out: string, matrix: Matrix): void =>
  writeFileSync(matrixPath(out), `${JSON.stringify(matrix, null, 2)}\n`);

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
