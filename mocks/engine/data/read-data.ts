/** Reads a file of data, troubles or other settings of the sandbox, and tells the line of an error. */
import { readFileSync } from "node:fs";
import type { Document, LineCounter, Node } from "yaml";
import { DataError } from "./data-error.ts";

/** A YAML or JSON file whose values can be found again. */
export interface SettingsFile {
  readonly value: unknown;
  /** Runs the work. @throws SettingsError that names file and line, instead of a DataError */
  told<Result>(work: () => Result | Promise<Result>): Promise<Result>;
}

class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** @throws SettingsError when the file cannot be read, or is neither YAML nor JSON */
export const readSettings = async (file: string): Promise<SettingsFile> => {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new SettingsError(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  }
  return {
    value: document.toJS() ?? {},
    async told(work) {
      try {
        return await work();
      } catch (problem) {
        if (!(problem instanceof DataError)) throw problem;
        const place = problem.path.length === 0 ? "the file" : `/${problem.path.join("/")}`;
        throw new SettingsError(
          `${file}:${lineAt(document, lines, problem.path)}: ${place}: ${problem.message}`,
        );
      }
    },
  };
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingsError(`${file}: it cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};

/** Returns the line of the value, or of the nearest value around it. */
const lineAt = (document: Document, lines: LineCounter, path: DataError["path"]): number => {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const steps = path.slice(0, depth).map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step));
    const range = (document.getIn(steps, true) as Node | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return 1;
};
