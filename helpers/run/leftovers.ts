/** The leftovers file: records the resources that runs create on a target, before and after each call. */
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../contract/contract.ts";
import { createRedactor } from "../exchange/redact.ts";
import type { Target } from "../target/target.ts";
import {
  type Change,
  type CreatedResource,
  type CreatedResources,
  type Intent,
  trackCreatedResources,
} from "../trials/created-resources.ts";
import type { RunPlan } from "../trials/run-info.ts";
import { replaceFile } from "./files.ts";

/** The known leftovers of one run on its target. */
export interface Leftovers {
  /** The start of the run, in ISO 8601 format. */
  readonly run: string;
  /** Name of the target. */
  readonly target: string;
  readonly left: readonly CreatedResource[];
  /** Calls that may have created something, because their result is unknown. */
  readonly unclear: readonly Intent[];
}

/** A line of the file, in JSON. */
type Line = Pick<Leftovers, "run" | "target"> & Change & { readonly removal?: string };

export const leftoversPath = (out: string): string => join(out, "leftovers.ndjson");

/** @returns a function that appends a line synchronously, so that the line is stored even if the process is killed */
export const createJournal = (
  { info, target }: Pick<RunPlan, "info" | "target">,
  contracts: readonly Contract[],
): ((change: Change) => void) =>
  journalOf(info.out, { run: info.startedAt, target: info.target.name }, target, contracts);

/** The same for an earlier run, whose leftovers are removed now. */
export const journalOf = (
  out: string,
  head: Pick<Leftovers, "run" | "target">,
  target: Target,
  contracts: readonly Contract[],
): ((change: Change) => void) => {
  const path = leftoversPath(out);
  const redact = createRedactor(target.values, contracts).text;
  // Lists of a body may contain secrets; ids must stay unchanged.
  const replacer = (name: string, value: unknown): unknown =>
    name === "json" ? JSON.parse(redact(JSON.stringify(value))) : value;
  return (change) =>
    appendFileSync(path, `${JSON.stringify({ ...head, ...change } satisfies Line, replacer)}\n`);
};

/** Returns the leftovers of each run, in order of start, without runs that left nothing. */
export const readLeftovers = (out: string): Leftovers[] => {
  const runs = new Map<string, { readonly target: string; readonly list: CreatedResources }>();
  for (const line of linesIn(out)) {
    const known = runs.get(line.run) ?? { target: line.target, list: trackCreatedResources() };
    known.list.note(line);
    runs.set(line.run, known);
  }
  return [...runs]
    .map(([run, { target, list }]) => ({ run, target, left: list.all(), unclear: list.unclear() }))
    .filter(({ left, unclear }) => left.length + unclear.length > 0);
};

/**
 * Reduces the file to the leftovers of each run; removes it when there are none.
 * @param removalOf returns the call that would remove a resource, for the reader of the file
 */
export const compactLeftovers = (
  out: string,
  removalOf: (one: CreatedResource) => string | undefined = () => undefined,
): void => {
  const lines = readLeftovers(out).flatMap(({ run, target, left, unclear }) => [
    ...left.map((made): Line => {
      const removal = removalOf(made);
      return { run, target, made, ...(removal !== undefined && { removal }) };
    }),
    ...unclear.map((intended): Line => ({ run, target, intended })),
  ]);
  if (lines.length === 0) rmSync(leftoversPath(out), { force: true });
  else replaceFile(leftoversPath(out), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
};

/** Reads the lines, except an incomplete one from a process that was killed. */
const linesIn = (out: string): Line[] => {
  const path = leftoversPath(out);
  const texts = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as Line];
    } catch {
      return [];
    }
  });
};
