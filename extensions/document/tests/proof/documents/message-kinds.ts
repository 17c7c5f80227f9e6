/** Kinds about parameters, media types, headers, forms and credentials. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Json } from "../server/files.ts";
import type { Draft, Kind } from "./kind.ts";
import { json, refusals } from "./parts.ts";

interface Row {
  readonly in?: "query" | "header" | "cookie" | "path";
  readonly count?: number;
  readonly each?: readonly Json[];
  /** Contents of answers or of requests. */
  readonly answered?: readonly Json[];
  readonly sent?: readonly Json[];
  /** Headers of answers. */
  readonly headers?: Json;
  /** All responses. */
  readonly responses?: readonly Json[];
  /** Fields of a form. */
  readonly fields?: readonly Json[];
}

const ROWS = parse(readFileSync(new URL("./message-kinds.yaml", import.meta.url), "utf8")) as Record<
  string,
  Row
>;

const DONE = {
  description: "Done.",
  content: json({ type: "object", required: ["n"], properties: { n: { type: "integer" } } }),
};

const WORDS = { query: "by", header: "X-Mode", cookie: "visit", path: "zone" } as const;

const addParameters = (draft: Draft, place: NonNullable<Row["in"]>, each: readonly Json[], count: number) => {
  const { random, name } = draft;
  const path = `/${name("search")}`;
  const parameters = random
    .shuffled(each.filter(({ schema }) => !draft.is30 || !Array.isArray((schema as Json | undefined)?.type)))
    .slice(0, count)
    .map(
      (one): Json => ({
        ...{ name: name(WORDS[place]), in: place, required: place === "path" || random.chance(55) },
        ...one,
      }),
    );
  const get = (...statuses: number[]) => ({
    get: {
      operationId: `try-${path.slice(1)}`,
      parameters,
      responses: { 200: DONE, ...refusals(draft, ...statuses) },
    },
  });
  // The value of a path does not identify anything: the server refuses those that its schema forbids with 400.
  if (place === "path") draft.paths[`${path}/{${parameters[0]?.name}}/weather`] = get(400);
  else draft.paths[path] = get(400);
};

const formOf = ({ random }: Draft, fields: readonly Json[]): Json => {
  const chosen = random
    .shuffled(fields)
    .slice(0, 3)
    .map((one, index) => [`field${index}`, one] as const);
  const properties = Object.fromEntries(chosen.map(([name, { schema }]) => [name, schema]));
  const encoding = chosen.flatMap(([name, one]) =>
    one.encoding === undefined ? [] : [[name, one.encoding]],
  );
  const schema = { type: "object", required: ["field0"], properties };
  return { "application/x-www-form-urlencoded": { schema, encoding: Object.fromEntries(encoding) } };
};

const kindOf =
  ({ in: place, count = 1, each = [], answered, sent, headers, fields, ...row }: Row): Kind =>
  (draft) => {
    if (place !== undefined) return addParameters(draft, place, each, count);
    const name = draft.name("messages");
    const operationId = `try-${name}`;
    const content = fields === undefined ? sent && draft.random.one(sent) : formOf(draft, fields);
    const done = {
      ...DONE,
      ...(answered && { content: draft.random.one(answered) }),
      ...(headers && { headers }),
    };
    const usual = { 200: done, ...(content && refusals(draft, 400, 415)) };
    const responses = row.responses === undefined ? usual : draft.random.one(row.responses);
    draft.paths[`/${name}`] =
      content === undefined
        ? { get: { operationId, responses } }
        : { post: { operationId, requestBody: { required: true, content }, responses } };
  };

const SCHEMES: readonly (readonly [scheme: Json, secret: string])[] = [
  [{ type: "http", scheme: "bearer" }, "Bearer case-token-1"],
  [{ type: "http", scheme: "basic" }, "Basic YW5uOmNhc2U="],
  [{ type: "apiKey", in: "header", name: "X-Key" }, "case-key-1"],
  [{ type: "apiKey", in: "query", name: "apikey" }, "case-key-2"],
  [{ type: "apiKey", in: "cookie", name: "session" }, "case-key-3"],
];

/** Adds an operation that needs credentials: one, several, or one of several. */
const credentials: Kind = (draft) => {
  const [one = "", two = ""] = draft.random
    .shuffled(SCHEMES)
    .slice(0, 2)
    .map(([scheme, secret]) => {
      const name = draft.name("scheme");
      draft.securitySchemes[name] = scheme;
      draft.secrets[name] = secret;
      return name;
    });
  const security = [
    [{ [one]: [] }],
    [{ [one]: [], [two]: [] }],
    [{ [one]: [] }, { [two]: [] }],
    [{ [one]: [] }, {}],
  ];
  const name = draft.name("guarded");
  const responses = { 200: DONE, ...refusals(draft, 401) };
  draft.paths[`/${name}`] = {
    get: { operationId: `try-${name}`, security: draft.random.one(security), responses },
  };
};

export const MESSAGE_KINDS: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(Object.entries(ROWS).map(([name, row]) => [name, kindOf(row)])),
  credentials,
};
