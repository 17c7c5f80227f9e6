/** Reads the situations file that the user names in `SITUATIONS`. */
import { dirname, resolve } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { type Document, LineCounter, parseDocument, visit } from "yaml";
import { locator } from "../contract/documents/locate.ts";
import { defined } from "../contract/json.ts";
import { segmentsOf } from "../contract/pointer.ts";
import { ConfigurationError, readGiven } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";
import { situationRows } from "./catalogue.ts";
import type { Hook, Offer, Way } from "./offer.ts";
import { situationsSchema } from "./schema.ts";

/**
 * Returns the offer of the file that SITUATIONS names; `undefined` without it.
 * @throws ConfigurationError with file and line
 */
export const loadSituations = ({ values }: Pick<Target, "values">): Offer | undefined =>
  values.SITUATIONS === undefined ? undefined : readSituations(values.SITUATIONS);

/** @throws ConfigurationError with file and line */
export const readSituations = (file: string): Offer => {
  const lines = new LineCounter();
  const text = readGiven("SITUATIONS", file);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const fail = (line: number, problem: string): never => {
    throw new ConfigurationError(`SITUATIONS: ${file}:${line}: ${problem}.`);
  };
  const [broken] = document.errors;
  if (broken !== undefined) fail(lines.linePos(broken.pos[0]).line, broken.message);
  // An identifier such as 0012 is a text, even without quotation marks.
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "number" && node.source !== undefined) node.value = node.source;
    },
  });
  const content = withoutEmptyEntries(contentOf(document, (problem) => fail(1, problem)));
  const isAllowed = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false }).compile(
    situationsSchema(situationRows()),
  );
  if (!isAllowed(content)) {
    const error = mostSpecific(isAllowed.errors ?? []);
    const { line } = locator(text)(`${error.instancePath}/${error.params.additionalProperty ?? ""}`);
    fail(line, `${segmentsOf(error.instancePath).join(".") || "the file"}: ${problemOf(error)}`);
  }
  return offerOf(content as Parameters<typeof offerOf>[0], dirname(resolve(file)));
};

/** @param fail is called for aliases that stand for nothing, or for too much */
const contentOf = (document: Document, fail: (problem: string) => never): unknown => {
  try {
    return document.toJS();
  } catch (error) {
    return fail((error as Error).message);
  }
};

/** In a copy of the template, all lines below an entry may be comments. */
const withoutEmptyEntries = (content: unknown): unknown =>
  typeof content !== "object" || content === null || Array.isArray(content)
    ? (content ?? {})
    : Object.fromEntries(Object.entries(content).filter(([, entry]) => entry !== null));

const offerOf = (
  {
    situations = {},
    ...rest
  }: Omit<Offer, "situations"> & { readonly situations?: Readonly<Record<string, Way | readonly Way[]>> },
  folder: string,
): Offer => {
  const placed = <One extends Way | Hook>(one: One): One => ("command" in one ? { ...one, folder } : one);
  const hooks = (["clock", "linked-accounts", "mail"] as const).flatMap((name) => {
    const hook = rest[name];
    return hook === undefined ? [] : [[name, placed(hook)]];
  });
  const rows = new Map(situationRows().flatMap((row) => (row.once ? [[row.name, row]] : [])));
  return {
    ...rest,
    ...Object.fromEntries(hooks),
    situations: Object.fromEntries(
      Object.entries(situations).map(([name, ways]) => [
        name,
        [ways].flat().map((way) => ({ ...placed(way), ...defined({ once: rows.get(name) }) })),
      ]),
    ),
  };
};

/** Returns the error at the deepest place. What is there tells more than that no alternative fits. */
const mostSpecific = (errors: readonly ErrorObject[]): ErrorObject => {
  const rank = ({ keyword }: ErrorObject) => KEYWORDS.indexOf(keyword);
  const depth = ({ instancePath }: ErrorObject) => segmentsOf(instancePath).length;
  const [first] = errors
    .filter(({ schemaPath }) => !/\/oneOf\/\d/.test(schemaPath))
    .sort((a, b) => depth(b) - depth(a) || rank(a) - rank(b));
  return first as ErrorObject;
};

/** The keywords whose message tells least, the least at the end. A misspelt name is also missing. */
const KEYWORDS = ["required", "oneOf", "if"];

const problemOf = ({ keyword, params, message = "" }: ErrorObject): string => {
  if (keyword === "additionalProperties") return `"${params.additionalProperty}" is unknown`;
  if (keyword === "required") return `"${params.missingProperty}" is missing`;
  if (keyword === "enum") return `choose from ${(params.allowedValues as string[]).join(", ")}`;
  if (keyword === "oneOf") return "give exactly one of ids, command and http";
  return message;
};
