/** Merges the shards of a run into one certificate, which is the same as for an unsharded run. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { loadedCode } from "../../helpers/contract/code.ts";
import { ENDING_SIGNALS, temporaryFolder } from "../../helpers/contract/process-end.ts";
import { childEnvironment, endOf } from "../../helpers/run/child.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { keepBaseline, keepUpgrade } from "./baseline.ts";
import { runInBlob } from "./blob.ts";
import { readCertificate } from "./certificate-file.ts";
import { claimFolder } from "./out-folder.ts";
import { allureResultsDir, blobDir } from "./reporters.ts";

export const MERGE_OUT_VARIABLE = "ASSAY_MERGE_OUT";

/** An error for shards that cannot be merged; the message says what to do. */
export class MergeError extends Error {}

interface Shard {
  readonly dir: string;
  readonly blob: string;
  readonly certificate: Certificate;
}

/**
 * @param dirs the `--out` directory of each shard
 * @param baseline text of the certificate to compare with
 * @throws MergeError when a shard is missing, is given twice, is damaged, or belongs to another run
 * @throws ConfigurationError when `out` cannot be written to
 */
export const mergeShards = async (dirs: readonly string[], out: string, baseline?: string): Promise<void> => {
  const shards = await Promise.all(dirs.map(readShard));
  refuseDifferentRuns(shards);
  refuseIncompleteSet(shards);
  for (const shard of shards) refuseOtherBlob(shard);
  if (shards.some(({ dir }) => dir === out)) {
    throw new MergeError(`${out} holds a shard: choose another --out directory for the merged run.`);
  }
  claimFolder(out, "run");
  if (baseline !== undefined) keepBaseline(out, baseline);
  const since = shards[0]?.certificate.since;
  if (since !== undefined) keepUpgrade(out, since);
  await takeAllureResults(shards, out);
  const blobs = temporaryFolder("merge");
  try {
    for (const { blob, certificate } of shards) {
      await cp(blob, join(blobs, `shard-${certificate.shard?.index}.zip`));
    }
    const complaints = await runMerge(blobs, out);
    if (!readCertificate(out))
      throw new MergeError(
        `The shards could not be merged. ${complaints.replaceAll(/^\s+at .*$/gm, "").trim()}`,
      );
  } finally {
    await rm(blobs, { recursive: true, force: true });
  }
};

const readShard = async (dir: string): Promise<Shard> => {
  const certificate = readCertificate(dir);
  if (!certificate) {
    throw new MergeError(`There is no certificate.json in ${dir}: give the --out directory of each shard.`);
  }
  if (!certificate.shard) {
    throw new MergeError(`${dir} holds a run without --shard: it is complete and needs no merge.`);
  }
  const names = await readdir(blobDir(dir)).catch(() => []);
  const [blob, ...others] = names.filter((name) => name.endsWith(".zip"));
  if (blob === undefined) {
    const { index, total } = certificate.shard;
    throw new MergeError(`There is no blob in ${dir}: shard ${index}/${total} did not finish. Run it again.`);
  }
  if (others.length > 0) {
    throw new MergeError(`${blobDir(dir)} holds several blobs: give each shard its own --out directory.`);
  }
  return { dir, blob: join(blobDir(dir), blob), certificate };
};

const refuseOtherBlob = ({ blob, certificate: { startedAt, shard } }: Shard): void => {
  const run = runInBlob(blob);
  if (run === undefined)
    throw new MergeError(`${blob} was cut off or changed: run shard ${shard?.index}/${shard?.total} again.`);
  if (run.startedAt !== startedAt || run.shard?.index !== shard?.index)
    throw new MergeError(
      `${blob} is of another run than the certificate beside it. Give each shard as it was written.`,
    );
};

/** Copies the Allure results of all shards into one folder. Each result is a separate file. */
const takeAllureResults = async (shards: readonly Shard[], out: string): Promise<void> => {
  for (const { dir } of shards) {
    const results = allureResultsDir(dir);
    if (existsSync(results)) await cp(results, allureResultsDir(out), { recursive: true });
  }
};

/** The properties that the shards of one run share. Embedded sandboxes differ in their ports. */
const TRAITS: Readonly<Record<string, (certificate: Certificate) => unknown>> = {
  seed: ({ seed }) => seed,
  depth: ({ depth }) => depth,
  target: ({ target }) => (target.embedded ? target.name : [target.name, target.baseUrls]),
  contracts: ({ contracts }) =>
    contracts.map(({ service, digest, provider }) => [service, digest, provider?.digest]),
  selection: ({ selection }) => selection,
  "accepted findings": ({ accepted }) => accepted?.entries.map(({ state: _state, ...entry }) => entry),
  upgrade: ({ since }) => since && [since.old.digest, since.new.digest],
  "number of shards": ({ shard }) => shard?.total,
};

const refuseDifferentRuns = (shards: readonly Shard[]): void => {
  const [first, ...others] = shards;
  if (!first) throw new MergeError("Nothing to merge: give the --out directory of each shard.");
  for (const other of others) {
    for (const [name, of] of Object.entries(TRAITS)) {
      const [one, two] = [of(first.certificate), of(other.certificate)].map((value) => JSON.stringify(value));
      if (one === two) continue;
      throw new MergeError(
        `${first.dir} and ${other.dir} belong to different runs: their ${name} differ (${one}, ${two}). ` +
          "Run every shard with the same arguments, configuration and --seed.",
      );
    }
  }
};

const refuseIncompleteSet = (shards: readonly Shard[]): void => {
  const total = shards[0]?.certificate.shard?.total ?? 0;
  const indexes = Array.from({ length: total }, (_, at) => at + 1);
  const dirsOf = (index: number): string[] =>
    shards.filter(({ certificate }) => certificate.shard?.index === index).map(({ dir }) => dir);
  for (const index of indexes) {
    if (dirsOf(index).length > 1) {
      throw new MergeError(
        `Shard ${index}/${total} is given more than once: ${dirsOf(index).join(", ")}. Give each shard once.`,
      );
    }
  }
  const missing = indexes.filter((index) => dirsOf(index).length === 0).map((index) => `${index}/${total}`);
  if (missing.length > 0) {
    throw new MergeError(
      `Shards are missing: ${missing.join(", ")}. Run them with --shard and give their --out directories too.`,
    );
  }
};

/** @returns the merge's output on stderr */
const runMerge = async (blobs: string, out: string): Promise<string> => {
  const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
  const config = loadedCode("reports/folder/merge.config.ts");
  const child = spawn(process.execPath, [cli, "merge-reports", "--config", config, blobs], {
    env: { ...childEnvironment(), [MERGE_OUT_VARIABLE]: out },
    stdio: ["ignore", "inherit", "pipe"],
  });
  // The user stopped the merge, so its output is not needed.
  const stop = (): void => void child.kill("SIGKILL");
  for (const signal of ENDING_SIGNALS) process.once(signal, stop);
  try {
    return (await endOf(child)).words;
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, stop);
  }
};
