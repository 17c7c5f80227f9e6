/** The leftovers file: what runs make on a target, and what they are about to make, written as it happens. */
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../exchange/redact.ts";
import {
  type Change,
  type CreatedResource,
  type CreatedResources,
  type Intent,
  trackCreatedResources,
} from "../trials/created-resources.ts";
import type { RunPlan } from "../trials/run-info.ts";
import { replaceFile } from "./files.ts";

/** What is left of one run on its target, as far as is known. */
export interface Leftovers {
  /** When it started, in ISO 8601. */
  readonly run: string;
  /** Name of the target. */
  readonly target: string;
  readonly left: readonly CreatedResource[];
  /** Calls that may have made something: no answer told. */
  readonly unclear: readonly Intent[];
}

/** A line of the file, in JSON. */
type Line = Pick<Leftovers, "run" | "target"> & Change;

export const leftoversPath = (out: string): string => join(out, "leftovers.ndjson");

/** @returns what appends a line: the operating system has it when the call returns, and keeps it if we are killed */
export const createJournal = ({
  info,
  target,
}: Pick<RunPlan, "info" | "target">): ((change: Change) => void) => {
  const path = leftoversPath(info.out);
  const redact = createRedactor(target.values).text;
  const head = { run: info.startedAt, target: info.target.name };
  // Lists of a body may hold secrets; ids are needed as they are.
  const replacer = (name: string, value: unknown): unknown =>
    name === "json" ? JSON.parse(redact(JSON.stringify(value))) : value;
  return (change) =>
    appendFileSync(path, `${JSON.stringify({ ...head, ...change } satisfies Line, replacer)}\n`);
};

/** Run by run, in the order in which they started; without those that left nothing. */
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

/** Shortens the file to what is left of each run; removes it when nothing is. */
export const compactLeftovers = (out: string): void => {
  const lines = readLeftovers(out).flatMap(({ run, target, left, unclear }) => [
    ...left.map((made): Line => ({ run, target, made })),
    ...unclear.map((intended): Line => ({ run, target, intended })),
  ]);
  if (lines.length === 0) rmSync(leftoversPath(out), { force: true });
  else replaceFile(leftoversPath(out), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
};

/** A process that was killed may have left half a line. */
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
