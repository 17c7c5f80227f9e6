/** Reads a file of data, troubles or other settings of the sandbox, and tells the line of an error. */
import { readFileSync } from "node:fs";
import { CORE_SCHEMA, load } from "js-yaml";
import { locator } from "../../../helpers/contract/documents/locate.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { isObject } from "../values/fields.ts";
import { DataError, SettingsError } from "./data-error.ts";

/** A YAML or JSON file whose values can be found again. */
export interface SettingsFile {
  readonly value: unknown;
  /** Runs the work. @throws SettingsError that names file and line, instead of a DataError */
  told<Result>(work: () => Result | Promise<Result>): Promise<Result>;
}

/** @throws SettingsError when the file cannot be read, or is neither YAML nor JSON */
export const readSettings = async (file: string): Promise<SettingsFile> => {
  const text = textOf(file);
  return {
    value: quicklyRead(text) ?? (await parsed(file, text)),
    async told(work) {
      try {
        return await work();
      } catch (problem) {
        if (!(problem instanceof DataError)) throw problem;
        const { line } = locator(text)(
          problem.path.map((step) => `/${escapeSegment(String(step))}`).join(""),
        );
        const place = problem.path.length === 0 ? "the file" : `/${problem.path.join("/")}`;
        throw new SettingsError(`${file}:${line}: ${place}: ${problem.message}`);
      }
    },
  };
};

/** Reads a large file in a fraction of the time of `parsed`. @returns `undefined` if only `parsed` reads it right */
const quicklyRead = (text: string): unknown => {
  const json = jsonIn(text);
  if (json !== undefined || LONG_NUMBER.test(text) || ALIAS.test(text)) return json;
  try {
    return load(text, { schema: CORE_SCHEMA }) ?? {};
  } catch {
    return undefined;
  }
};

const LONG_NUMBER = /\d{16}/;
const ALIAS = /(?:^|[\s[{,:-])[*&]\w/m;

/** @returns `undefined` if it is not JSON, repeats a name in an object, or has a number that JSON does not hold exactly */
const jsonIn = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    let names = 0;
    for (const [token, isName] of text.matchAll(JSON_TOKENS)) {
      if (!token.startsWith('"')) return undefined;
      if (isName !== undefined) names += 1;
    }
    return names === namesIn(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const JSON_TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|\d{16}/g;

const namesIn = (value: unknown): number => {
  let count = 0;
  for (const inner of Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [])
    count += (Array.isArray(value) ? 0 : 1) + namesIn(inner);
  return count;
};

/** Writes integers that a JSON number does not hold exactly as texts, so that identifiers keep their digits. */
const withExactNumbers = (value: unknown): unknown => {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(withExactNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withExactNumbers(inner)]));
};

const parsed = async (file: string, text: string): Promise<unknown> => {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, intAsBigInt: true });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new SettingsError(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  }
  return withExactNumbers(document.toJS() ?? {});
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingsError(`${file}: it cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};
