/** Generates OpenAPI documents by seed, each from several kinds of parts. */
import { stringify } from "yaml";
import { randomOf } from "../random.ts";
import type { Resource } from "../server/server.ts";
import type { Texts } from "../server/values.ts";
import type { Draft } from "./kind.ts";
import { kindsOf } from "./kinds.ts";
import texts from "./texts.json" with { type: "json" };

export interface GeneratedDocument {
  readonly seed: number;
  readonly kinds: readonly string[];
  /** The texts of the files, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly main: string;
  readonly resources: readonly Resource[];
  /** By security scheme. */
  readonly secrets: Readonly<Record<string, string>>;
  /** By resource: an identifier that the server knows from the start. */
  readonly ids: Readonly<Record<string, string>>;
  /** By field: the only text that the server knows. */
  readonly known: Readonly<Record<string, string>>;
  readonly texts: Texts;
  readonly dialects: Readonly<Record<string, string>>;
  readonly isNullWide: boolean;
}

/** The patterns of documents, also as the validator reads them. */
const DIALECTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(texts).flatMap(([pattern, row]) => ("same" in row ? [[pattern, row.same]] : [])),
);
const TEXTS: Texts = {
  ...texts,
  ...Object.fromEntries(Object.values(texts).flatMap((row) => ("same" in row ? [[row.same, row]] : []))),
};

/** The kinds of one document. */
const KINDS_EACH = 4;

export const documentOf = (seed: number): GeneratedDocument => {
  const random = randomOf(seed);
  const is30 = random.chance(50);
  const draft: Draft = {
    random,
    is30,
    ...{ paths: {}, schemas: {}, securitySchemes: {}, files: {}, secrets: {}, ids: {}, known: {} },
    resources: [],
    name: namer(),
  };
  const possible = Object.entries(kindsOf(is30 ? "3.0" : "3.1"));
  // Every kind is in turn the first one.
  const first = possible[seed % possible.length] as (typeof possible)[number];
  const others = random.shuffled(possible.filter((one) => one !== first)).slice(0, KINDS_EACH - 1);
  const kinds = [first, ...others];
  for (const [, add] of kinds) add(draft);
  const { paths, schemas, securitySchemes, resources, secrets, ids, known } = draft;
  const root = {
    openapi: is30 ? "3.0.3" : "3.1.0",
    info: { title: `Document ${seed}`, version: "1.0.0" },
    paths,
    components: { schemas, securitySchemes },
  };
  const main = "api/openapi.yaml";
  return {
    ...{ seed, main, resources, secrets, ids, known, texts: TEXTS, dialects: DIALECTS },
    kinds: [is30 ? "3.0" : "3.1", ...kinds.map(([name]) => name)],
    files: { [main]: textOf(root), ...draft.files },
    isNullWide: random.chance(50),
  };
};

/** Documents state the largest integer of 64 bits exactly, which no number of JavaScript is. */
const textOf = (root: unknown): string =>
  stringify(root, { aliasDuplicateObjects: false }).replaceAll(String(2 ** 63), "9223372036854775807");

const namer = () => {
  const used = new Map<string, number>();
  return (word: string): string => {
    const count = used.get(word) ?? 0;
    used.set(word, count + 1);
    return count === 0 ? word : `${word}${count + 1}`;
  };
};
