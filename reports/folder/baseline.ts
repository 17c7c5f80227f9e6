/** Stores the baseline and the upgrade of a run in its output folder, next to the certificate. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpacked } from "../../helpers/behaviour/packed.ts";
import type { Upgrade } from "../../helpers/contract/documents/upgrade.ts";
import { readJson } from "../../helpers/run/files.ts";
import { ConfigurationError, readGiven } from "../../helpers/target/load-target.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { parsedCertificate } from "./certificate-file.ts";

const baselinePath = (out: string): string => join(out, "baseline.json");

/**
 * Reads a baseline and checks that a run can be compared with it.
 * @param forDrift whether its behaviour must be known
 * @returns the text of the certificate, for `keepBaseline`
 * @throws ConfigurationError when `path` holds no certificate, or one that cannot be compared
 */
export const readBaseline = (path: string, forDrift = false): string => {
  const text = readGiven("The baseline", path);
  const name = `The baseline ${path}`;
  const { findings } = parsedCertificate(text, name, ({ shard, behaviour }) => {
    if (shard) return "belongs to one shard: merge the shards, and give the merged certificate";
    return forDrift && unpacked(behaviour) === undefined
      ? "has no behaviour to compare with: run again to renew it"
      : undefined;
  });
  if (findings.every(({ fingerprint }) => fingerprint !== undefined)) return text;
  throw new ConfigurationError(
    `${name} has findings without fingerprints, from an older version: run again to renew it.`,
  );
};

/** @throws ConfigurationError when the baseline judges another half of the integration */
export const keepBaseline = (out: string, text: string, half: Certificate["half"] = "service"): void => {
  const { half: given = "service" } = JSON.parse(text) as Partial<Certificate>;
  if (given !== half) {
    throw new ConfigurationError(
      `The baseline judges the ${given}, and this run the ${half}: give one of the same half.`,
    );
  }
  writeFileSync(baselinePath(out), text);
};

/** Returns the stored baseline; `undefined` when there is none. */
export const keptBaseline = (out: string): Certificate | undefined => readJson(baselinePath(out));

const upgradePath = (out: string): string => join(out, "upgrade.json");

export const keepUpgrade = (out: string, upgrade: Upgrade): void =>
  writeFileSync(upgradePath(out), JSON.stringify(upgrade));

/** Returns the stored upgrade; `undefined` when the run has none. */
export const keptUpgrade = (out: string): Upgrade | undefined => readJson(upgradePath(out));
