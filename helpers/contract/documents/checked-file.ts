/**
 * Reads the files of a service, each of which has to fit the JSON Schema of its kind in `schemas/`. There, `names` says what a
 * text names, and `noOthers` matches keys that have to be listed; contradictions may be noted at any place.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Ajv, AnySchemaObject, ErrorObject } from "ajv";
import { didYouMean } from "../nearest.ts";
import { escapeSegment } from "../pointer.ts";
import { cached, KINDS, schemaText } from "./cache.ts";
import { errorAt } from "./locate.ts";
import { parseSource } from "./parse.ts";
import { type ContractError, digestOf, readSource, type SourceFile } from "./source-file.ts";

type Kind = (typeof KINDS)[number];

/** A place in a file. */
export interface FilePlace {
  readonly source: SourceFile;
  readonly pointer: string;
}

/** A text that names something: an operation, a gap, a setting, … */
interface Mention {
  readonly what: string;
  readonly name: string;
  /** The place of the text in the content. */
  readonly pointer: string;
}

/** The content of a file, and what it names. */
export interface CheckedFile<Content> {
  readonly content: Content;
  readonly mentions: readonly Mention[];
  /** Returns the place in a file of a place in the content. */
  readonly placeOf: (pointer: string) => FilePlace;
}

/** @throws ContractError naming file, line, pointer and the nearest name */
export const checkedFile = <Content>(source: SourceFile, kind: Kind): CheckedFile<Content> =>
  checked(kind, parseSource(source), (pointer) => ({ source, pointer }));

/**
 * Returns the content of a file, which is parsed and checked only if it is not in the cache; `undefined` if there is no such
 * file.
 * @throws ContractError as `checkedFile`
 */
export const contentOf = <Content>(folder: string, name: string, kind: Kind): Content | undefined => {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  const source = readSource(path);
  const { known, keep } = cached<Content>(kind, [digestOf([source.text])]);
  if (known !== undefined) return known;
  const { content } = checkedFile<Content>(source, kind);
  keep(content);
  return content;
};

/** Checks content, and adds the defaults of its schema. @throws ContractError as `checkedFile` */
export const checked = <Content>(
  kind: Kind,
  content: unknown,
  placeOf: CheckedFile<Content>["placeOf"],
): CheckedFile<Content> => {
  validator ??= validatorOfAll();
  mentioned = [];
  if (!validator.validate(`${kind}.schema.json`, content)) throw refusal(validator.errors ?? [], placeOf);
  return { content: content as Content, mentions: mentioned, placeOf };
};

let validator: Ajv | undefined;

/** What the content names that is being checked. */
let mentioned: Mention[] = [];

/** Loads the validator, which is needed only if the cache lacks something. */
const validatorOfAll = (): Ajv => {
  const { Ajv } = createRequire(import.meta.url)("ajv") as typeof import("ajv");
  const made = new Ajv({ allErrors: true, verbose: true, useDefaults: true, strictTypes: false });
  made.addKeyword({
    keyword: "names",
    validate: (what: string, name: string, _: unknown, at?: { readonly instancePath: string }) =>
      mentioned.push({ what, name, pointer: at?.instancePath ?? "" }) > 0,
  });
  made.addKeyword({
    keyword: "noOthers",
    macro: (pattern: string, { properties }: AnySchemaObject) => ({
      propertyNames: {
        anyOf: [{ enum: ["x-contradicted", ...Object.keys(properties as object)] }, { not: { pattern } }],
      },
    }),
  });
  for (const kind of KINDS) made.addSchema(JSON.parse(schemaText(kind)) as object, `${kind}.schema.json`);
  return made;
};

const refusal = (errors: readonly ErrorObject[], placeOf: (pointer: string) => FilePlace): ContractError => {
  // A misspelt key is missing, too.
  const error = errors.find(({ keyword }) => !/^(?:required|if|anyOf)$/.test(keyword)) ?? errors[0];
  const { instancePath = "", params = {}, parentSchema, propertyName, data, message } = error ?? {};
  const { additionalProperty, allowedValues } = params as Readonly<Record<string, unknown>>;
  const key = propertyName ?? (additionalProperty as string | undefined);
  const place = placeOf(key === undefined ? instancePath : `${instancePath}/${escapeSegment(key)}`);
  const known =
    additionalProperty === undefined ? allowedValues : Object.keys(parentSchema?.properties ?? {});
  if (Array.isArray(known))
    return unknownName(place, key === undefined ? "value" : "key", key ?? String(data), known.map(String));
  return errorAt(place.source, place.pointer, String(message), "Correct it there.");
};

/** Returns the error for a name that nothing has. @param what the kind of what has names */
export const unknownName = (
  { source, pointer }: FilePlace,
  what: string,
  name: string,
  known: readonly string[],
): ContractError => {
  const hint = didYouMean(name, known).trim() || "Correct it there, or add what it names.";
  return errorAt(source, pointer, `unknown ${what} "${name}"`, hint);
};
