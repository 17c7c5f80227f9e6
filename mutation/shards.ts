/** Divides a mutation run among machines, and joins their results. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandWith } from "../helpers/contract/code.ts";
import type { Service } from "../helpers/contract/contract.ts";
import { steadyNow } from "../helpers/contract/steady-time.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import type { Shard } from "../runner/command/options.ts";
import type { Done } from "./workers.ts";

/** The kind of the subjects of a run. */
export type RunKind = "faults" | "innocent" | "clean" | "caller" | "listener";

/** The results of one shard. */
export interface ShardResults extends Done {
  readonly format: "mutation-shard/2";
  readonly shard: Shard;
  /** What was run; shards of different runs can't be merged. */
  readonly run: {
    readonly kinds: readonly RunKind[];
    readonly services: readonly Service[];
    /** Whether all faults or differences were run, as usual. Only then are the scores kept. */
    readonly isWhole: boolean;
    /** Describes the sandbox if it was not the usual one: `without an admin interface`. */
    readonly sandbox: string | null;
  };
  readonly startedAt: string;
  readonly durationMs: number;
}

/** Returns the results of a run, which is the only shard if it is not divided. */
export const resultsOf = (
  run: Pick<ShardResults, "run"> & { readonly shard: Shard | undefined; readonly startedAt: Date },
  done: Done,
): ShardResults => ({
  format: "mutation-shard/2",
  shard: run.shard ?? { index: 1, total: 1 },
  run: run.run,
  ...done,
  startedAt: run.startedAt.toISOString(),
  durationMs: steadyNow() - run.startedAt.getTime(),
});

/** Returns the part of a shard. Neighbours, which take about the same time, go to different shards. */
export const partOf = <Item>(items: readonly Item[], shard: Shard | undefined): Item[] =>
  items.filter((_, index) => shard === undefined || index % shard.total === shard.index - 1);

const shardPath = (out: string): string => join(out, "mutation-shard.json");

export const writeShard = (out: string, results: ShardResults): void =>
  writeFileSync(shardPath(out), `${JSON.stringify(results, null, 2)}\n`);

/**
 * Joins the results of all shards of a run.
 * @param folders the folders with the results
 * @throws ConfigurationError when a shard is missing, given twice, or belongs to another run
 */
export const readShards = (folders: readonly string[]): ShardResults => {
  const all = folders.map(readShard);
  const [first] = all;
  if (first === undefined) throw new ConfigurationError("--merge: name the folders of the shards.");
  const { total } = first.shard;
  const runOf = ({ shard, run }: ShardResults): string => JSON.stringify([shard.total, run]);
  const other = all.findIndex((one) => runOf(one) !== runOf(first));
  if (other >= 0)
    throw new ConfigurationError(`--merge: ${folders[other]} belongs to another run than ${folders[0]}.`);
  const given = all.map(({ shard }) => shard.index);
  const wanted = Array.from({ length: total }, (_, index) => index + 1);
  const missing = wanted.filter((index) => !given.includes(index));
  if (missing.length > 0)
    throw new ConfigurationError(
      `--merge: shards are missing: ${missing.map((index) => `${index}/${total}`).join(", ")}`,
    );
  if (given.length > total) throw new ConfigurationError("--merge: a shard is given twice.");
  return {
    ...first,
    rows: all.flatMap(({ rows }) => rows),
    startedAt: all.map(({ startedAt }) => startedAt).sort()[0] ?? first.startedAt,
    durationMs: all.reduce((sum, { durationMs }) => sum + durationMs, 0),
    cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  };
};

const readShard = (folder: string): ShardResults => {
  const path = shardPath(folder);
  try {
    const results = JSON.parse(readFileSync(path, "utf8")) as ShardResults;
    if (results.format === "mutation-shard/2") return results;
  } catch {
    // The message below fits a file that is missing and one that can't be read.
  }
  throw new ConfigurationError(
    `--merge: ${path} is not a result of ${commandWith("mutation", "--shard")}. Name the folders given to --out.`,
  );
};
