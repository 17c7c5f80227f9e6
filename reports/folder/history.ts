/** Keeps what the charts of a certificate show about earlier runs: one small file for each run, in a folder of the user. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { arePacked } from "../../helpers/behaviour/packed.ts";
import { fileProblem } from "../../helpers/contract/file-problem.ts";
import { readJson, replaceFile } from "../../helpers/run/files.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import type { Certificate, HistoryPoint } from "../certificate/certificate.ts";
import { driftBetween } from "../certificate/drift.ts";
import { byText } from "../order.ts";
import { ofTarget, triedIn } from "../render/coverage.ts";

const FORMAT = "history/1";

type HistoryFile = Pick<
  Certificate,
  "half" | "startedAt" | "outcome" | "seed" | "summary" | "register" | "behaviour" | "partial"
> & {
  readonly format: typeof FORMAT;
  readonly target: string;
  readonly services: readonly string[];
};

/** A chart with more runs could not be read. */
const MOST = 60;

/** Creates the folder. @throws ConfigurationError when it can't hold the history */
export const openHistory = (folder: string): string => {
  try {
    mkdirSync(folder, { recursive: true });
    filesIn(folder);
    return folder;
  } catch (error) {
    throw new ConfigurationError(
      `The folder of the history can't be used: ${folder}: ${fileProblem(error)}.`,
    );
  }
};

/**
 * Adds the certificate to the history.
 * @returns the certificate with the history of whole runs of the same services on the same target
 * @throws ConfigurationError when a file of the history can't be read
 */
export const withHistory = (folder: string, certificate: Certificate): Certificate => {
  const own = keptOf(certificate);
  const earlier = filesIn(folder).map((name) => readKept(join(folder, name)));
  if (!own.partial) replaceFile(join(folder, nameOf(own)), `${JSON.stringify(own)}\n`);
  const alike = earlier.filter((one) => isAlike(one, own) && one.startedAt < own.startedAt);
  const all = [...alike.sort((a, b) => byText(a.startedAt, b.startedAt)), own];
  const points = all.map((one, index) => pointOf(one, all[index - 1]));
  return { ...certificate, history: points.slice(-MOST) };
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /^run-.*\.json$/.test(name));

const nameOf = ({ startedAt, target, half, services }: HistoryFile): string =>
  `run-${[startedAt, target, half, ...services].join("-").replaceAll(/[^\w-]+/g, "")}.json`;

const readKept = (path: string): HistoryFile => {
  let kept: Partial<HistoryFile> | undefined;
  try {
    kept = readJson(path);
  } catch (error) {
    throw new ConfigurationError(`${path} can't be read: ${fileProblem(error)}. Remove it from the history.`);
  }
  if (kept?.format === FORMAT && kept.summary !== undefined && kept.startedAt !== undefined)
    return kept as HistoryFile;
  throw new ConfigurationError(`${path} is not a run of the history. Remove it from the folder.`);
};

const keptOf = (certificate: Certificate): HistoryFile => {
  const { half, startedAt, outcome, seed, register, behaviour, partial = false } = certificate;
  const { summary } = ofTarget(certificate);
  return {
    format: FORMAT,
    target: certificate.target.name,
    services: certificate.contracts.map(({ service }) => service),
    ...{ half, startedAt, outcome, seed, summary, partial },
    ...(register && { register }),
    ...(behaviour && { behaviour }),
  };
};

const isAlike = (one: HistoryFile, other: HistoryFile): boolean =>
  one.target === other.target && one.half === other.half && `${one.services}` === `${other.services}`;

const pointOf = (kept: HistoryFile, before: HistoryFile | undefined): HistoryPoint => ({
  startedAt: kept.startedAt,
  outcome: kept.outcome,
  requirements: kept.summary.requirements,
  tried: triedIn(kept.summary),
  failed: kept.summary.failed,
  drift: before === undefined ? null : driftOf(before, kept),
});

/** Returns the number of changes of behaviour; `null` if one of the runs has no behaviour to compare. */
const driftOf = (before: HistoryFile, now: HistoryFile): number | null => {
  if (!arePacked(Object.values(now.behaviour ?? {}))) return null;
  return driftBetween(before, now)?.length ?? null;
};
