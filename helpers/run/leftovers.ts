/** The leftovers file: what runs make on a target, and what they are about to make, written as it happens. */
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../exchange/redact.ts";
import type { Left } from "../trials/clean-up.ts";
import { type Change, createMadeList, type Intent, isSame, type Made } from "../trials/made.ts";
import type { RunInfo } from "../trials/run-info.ts";
import type { RunPlan } from "../trials/run-plan.ts";
import { replaceFile } from "./replace-file.ts";

/** What is left of one run on its target, as far as is known. */
export interface Leftovers {
  /** When it started, in ISO 8601. */
  readonly run: string;
  /** Name of the target. */
  readonly target: string;
  /** With the reason why it could not be removed, where that was tried. */
  readonly left: readonly (Made & Partial<Left>)[];
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
  const redacted = (made: Made): Made =>
    made.json === undefined ? made : { ...made, json: JSON.parse(redact(JSON.stringify(made.json))) };
  return (change) => {
    const written =
      "made" in change
        ? { made: redacted(change.made) }
        : "removed" in change
          ? { removed: redacted(change.removed) }
          : change;
    const line = { run: info.startedAt, target: info.target.name, ...written } satisfies Line;
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  };
};

/** Run by run, in the order in which they started; without those that left nothing. */
export const readLeftovers = (out: string): Leftovers[] => {
  const runs = new Map<
    string,
    { readonly target: string; readonly list: ReturnType<typeof createMadeList> }
  >();
  for (const line of linesIn(out)) {
    const known = runs.get(line.run) ?? { target: line.target, list: createMadeList() };
    known.list.note(line);
    runs.set(line.run, known);
  }
  return [...runs]
    .map(([run, { target, list }]) => ({ run, target, left: list.all(), unclear: list.unclear() }))
    .filter(({ left, unclear }) => left.length + unclear.length > 0);
};

/** Shortens the file to what is left of each run; removes it when nothing is. */
export const compactLeftovers = (out: string, { startedAt }: RunInfo, left: readonly Left[]): Leftovers[] => {
  const explained = (made: Made): Made & Partial<Left> => {
    const reason = left.find((other) => isSame(made, other))?.reason;
    return reason === undefined ? made : { ...made, reason };
  };
  const runs = readLeftovers(out).map((one) =>
    one.run === startedAt ? { ...one, left: one.left.map(explained) } : one,
  );
  const lines = runs.flatMap(({ run, target, left: things, unclear }) => [
    ...things.map((made): Line => ({ run, target, made })),
    ...unclear.map((intended): Line => ({ run, target, intended })),
  ]);
  if (lines.length === 0) rmSync(leftoversPath(out), { force: true });
  else replaceFile(leftoversPath(out), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return runs;
};

/** A process that was killed may have left half a line. */
const linesIn = (out: string): Line[] =>
  textOf(leftoversPath(out))
    .split("\n")
    .flatMap((text) => {
      try {
        return [JSON.parse(text) as Line];
      } catch {
        return [];
      }
    });

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
};
