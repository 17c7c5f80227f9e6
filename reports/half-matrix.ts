/** The results of runs with right and wrong callers or listeners, and their scores, which certificates include. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Service } from "../helpers/contract/contract.ts";
import { readJson } from "../helpers/run/files.ts";
import type { InnocenceTotal } from "./innocence.ts";
import type { Total } from "./mutation.ts";
import { byText } from "./order.ts";
import { counted, inBlocks, painter, type TerminalOptions } from "./text.ts";

export type Half = "caller" | "listener";

export interface HalfRun {
  readonly service: Service;
  readonly name: string;
  /** The requirement that a wrong subject violates; `null` for a right subject. */
  readonly requirement: string | null;
  readonly status: "found" | "found-by-another" | "missed" | "acquitted" | "convicted";
  readonly violated: readonly string[];
  /** Requirements with a verdict. */
  readonly shown: readonly string[];
}

export interface HalfScore {
  readonly half: Half;
  readonly service: Service;
  readonly wrong: number;
  readonly found: number;
  readonly right: number;
  readonly acquitted: number;
  /** Digest of the status of each subject. */
  readonly matrix: string;
}

export const halfScoreOf = (half: Half, service: Service, runs: readonly HalfRun[]): HalfScore => {
  const own = runs.filter((run) => run.service === service);
  const count = (...all: readonly HalfRun["status"][]) =>
    own.filter(({ status }) => all.includes(status)).length;
  const lines = own.map(({ name, requirement, status }) => `${name}\n${requirement}\n${status}`).sort();
  return {
    half,
    service,
    wrong: count("found", "found-by-another", "missed"),
    found: count("found"),
    right: count("acquitted", "convicted"),
    acquitted: count("acquitted"),
    matrix: `sha256-${createHash("sha256").update(lines.join("\0")).digest("hex")}`,
  };
};

export const isHalfProof = (scores: readonly HalfScore[]): boolean =>
  scores.every(({ wrong, found, right, acquitted }) => wrong === found && right === acquitted);

export const halfMatrixPath = (out: string, half: Half): string => join(out, `mutation-${half}.json`);

export const writeHalfMatrix = (out: string, half: Half, runs: readonly HalfRun[]): void =>
  writeFileSync(
    halfMatrixPath(out, half),
    `${JSON.stringify({ format: "mutation-half/1", half, runs }, null, 2)}\n`,
  );

const SCORES = fileURLToPath(new URL("./half-scores.json", import.meta.url));

const readScores = (): HalfScore[] => readJson(SCORES) ?? [];

/** Stores scores. The scores of other services and of the other half do not change. */
export const keepHalfScores = (scores: readonly HalfScore[]): void => {
  const isNew = ({ half, service }: HalfScore) =>
    scores.some((score) => score.half === half && score.service === service);
  const all = [...readScores().filter((score) => !isNew(score)), ...scores];
  all.sort((a, b) => byText(`${a.half} ${a.service}`, `${b.half} ${b.service}`));
  writeFileSync(SCORES, `${JSON.stringify(all, null, 2)}\n`);
};

/** Returns the proof of the checks of a half, in the form of the proof of the checks of services. */
export const halfProofOf = (
  half: Half,
  services: readonly Service[],
): { readonly mutation: Total | null; readonly innocence: InnocenceTotal | null } => {
  const scores = readScores().filter((score) => score.half === half && services.includes(score.service));
  if (scores.length === 0) return { mutation: null, innocence: null };
  const sum = (key: "wrong" | "found" | "right" | "acquitted") =>
    scores.reduce((total, score) => total + score[key], 0);
  const [wrong, found] = [sum("wrong"), sum("found")];
  const score = wrong === 0 ? 0 : Math.floor((found / wrong) * 10_000) / 100;
  const digest = `sha256-${createHash("sha256")
    .update(scores.map(({ matrix }) => matrix).join("\0"))
    .digest("hex")}`;
  return {
    mutation: { faults: wrong, killed: found, byName: found, score, scoreByName: score, digest },
    innocence: {
      differences: sum("right"),
      acquitted: sum("acquitted"),
      combinations: 0,
      combinationsAcquitted: 0,
      digest,
    },
  };
};

/** Returns text that ends with a line feed. */
export const renderHalves = (
  scores: readonly HalfScore[],
  runs: readonly HalfRun[],
  { color, path }: TerminalOptions,
): string => {
  const paint = painter(color);
  const bad = runs.filter(({ status }) => status !== "found" && status !== "acquitted");
  return `\n${inBlocks([
    ...scores.map(({ half, service, wrong, found, right, acquitted }) => [
      `${paint("bold", service)}  ${found} of ${counted(wrong, `wrong ${half}`)} found by name, ` +
        `${acquitted} of ${counted(right, `right ${half}`)} acquitted`,
    ]),
    bad.map(({ status, service, name, requirement, violated }) =>
      [`${status} ${service}: ${name}`, requirement ?? "", violated.join(", ")]
        .filter((text) => text !== "")
        .join("; "),
    ),
    [paint("dim", path)],
  ])}`;
};
