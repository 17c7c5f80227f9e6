/** Keeps beside the certificate that a run writes what it is told with: an earlier one, and the upgrade it is about. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Upgrade } from "../helpers/diff/upgrade.ts";
import { readJson } from "../helpers/run/files.ts";
import { ConfigurationError, readGiven } from "../helpers/target/load-target.ts";
import type { Certificate } from "./certificate.ts";

const baselinePath = (out: string): string => join(out, "baseline.json");

/**
 * @returns the text of a certificate, to be kept with `keepBaseline`
 * @throws ConfigurationError when there is none at `path`, or none to compare with
 */
export const readBaseline = (path: string): string => {
  const text = readGiven("The baseline", path);
  const complaint = complaintAbout(text);
  if (complaint === undefined) return text;
  throw new ConfigurationError(`The baseline ${path} ${complaint}`);
};

const complaintAbout = (text: string): string | undefined => {
  let given: Partial<Certificate> | null;
  try {
    given = JSON.parse(text) as Partial<Certificate> | null;
  } catch (error) {
    return `is no JSON: ${(error as Error).message}`;
  }
  if (given?.format !== "certificate/1" || !Array.isArray(given.requirements)) {
    return "is no certificate: give the certificate.json of an earlier run.";
  }
  if (given.shard) return "is of one shard: merge the shards, and give the certificate of them all.";
  return given.findings?.some(({ fingerprint }) => fingerprint === undefined)
    ? "has findings without fingerprints, from before there were any: renew it with a run."
    : undefined;
};

export const keepBaseline = (out: string, text: string): void => writeFileSync(baselinePath(out), text);

/** What `keepBaseline` kept; `undefined` when there is none. */
export const keptBaseline = (out: string): Certificate | undefined => readJson(baselinePath(out));

const upgradePath = (out: string): string => join(out, "upgrade.json");

export const keepUpgrade = (out: string, upgrade: Upgrade): void =>
  writeFileSync(upgradePath(out), JSON.stringify(upgrade));

/** What `keepUpgrade` kept; `undefined` when the run is about none. */
export const keptUpgrade = (out: string): Upgrade | undefined => readJson(upgradePath(out));
