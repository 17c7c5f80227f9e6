/** Joins parameters: names and schemas from the provider's document, resources and requirements from ours. */

import type { Bindings, JsonSchema, Operation, Paging, Parameter } from "../contract.ts";
import { defined } from "../json.ts";
import { loose } from "../names.ts";
import { openIn } from "../schemas/rule-walk.ts";
import { annotated, type Carrier } from "./annotations.ts";
import { boundWithin } from "./bindings.ts";

/**
 * Pairs parameters of the same name, or parameters at the same position of a path. Names may differ in letter case and
 * separators. If a parameter of the contract has no counterpart, keeps a documented one and drops an assumed one.
 * @param theirs the provider's operation, with the path that the joined operation will have
 */
export const joinParameters = (
  { carrier }: { readonly carrier: Carrier },
  theirs: Operation,
  ours: Operation,
  bound: Bindings[string] | undefined,
) => {
  const inPath = namesInPath(theirs.path);
  const given = theirs.parameters.filter((one) => one.in !== "path" || inPath.includes(one.name));
  const partners = new Map(
    given.map((one) => [one, partnerOf(one, theirs, ours, boundWithin(bound, `${one.in} `))]),
  );
  const matched = new Set(partners.values());
  const staying = ours.parameters.filter(
    (one) =>
      !matched.has(one) && (one.in === "path" ? inPath.includes(one.name) : one.level === "documented"),
  );
  const joined = given.map((one) => {
    const partner = partners.get(one);
    const parameter = joinParameter(carrier, one, partner);
    return partner === undefined || partner.name !== ours.paging?.limit ? parameter : cutOrRefused(parameter);
  });
  const renamed = [...partners].flatMap(([one, partner]) =>
    partner ? [[partner.name, one.name] as const] : [],
  );
  const names = namesAfter(new Map([...renamed, ...staying.map(({ name }) => [name, name] as const)]));
  return { parameters: [...joined, ...staying], names };
};

const namesInPath = (path: string): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);

const partnerOf = (
  theirs: Parameter,
  of: Operation,
  ours: Operation,
  bound: Readonly<Record<string, string>>,
): Parameter | undefined => {
  const candidates = ours.parameters.filter(
    (one) => one.in === theirs.in && (bound[one.name] ?? theirs.name) === theirs.name,
  );
  const named =
    candidates.find(({ name }) => bound[name] !== undefined) ??
    candidates.find(({ name }) => loose(name) === loose(theirs.name));
  if (named !== undefined || theirs.in !== "path") return named;
  const [mine, others] = [namesInPath(ours.path), namesInPath(of.path)];
  const position = mine.length === others.length ? mine[others.indexOf(theirs.name)] : undefined;
  return candidates.find(({ name }) => name === position);
};

const joinParameter = (carrier: Carrier, theirs: Parameter, ours: Parameter | undefined): Parameter => {
  if (ours === undefined) return { ...theirs, level: "provider" };
  const { resource, send, requirements } = ours;
  const schema = withStated(annotated(carrier, ours.schema, theirs.schema), theirs.schema);
  const data = schema["x-data"];
  return {
    ...theirs,
    schema,
    required: theirs.required || requirements.required !== undefined,
    level: "provider",
    requirements,
    ...(ours.name !== theirs.name && { ours: ours.name }),
    ...(resource !== undefined && { resource }),
    ...(typeof data === "string" && { data }),
    ...(send !== undefined && { send }),
  };
};

/** Lets requirements follow from what the provider states, where ours leaves it open. */
const withStated = (schema: JsonSchema, theirs: JsonSchema): JsonSchema => {
  const open = Object.entries(openIn(schema)).filter(([keyword]) => theirs[keyword] === undefined);
  return schema["x-open"] === undefined ? schema : { ...schema, "x-open": Object.fromEntries(open) };
};

/** Documents state the limits of a page, but not whether a service refuses a size beyond them or uses the limit. */
const cutOrRefused = ({ schema, ...parameter }: Parameter): Parameter => ({
  ...parameter,
  schema: { ...schema, "x-beyond": "refused-or-cut" },
});

/** Translates our names of query parameters to the provider's. */
const namesAfter = (renamed: ReadonlyMap<string, string>) => ({
  /** Returns `undefined` if the provider has dropped one of the parameters. */
  paging({ start, page, limit, first }: Paging): Paging | undefined {
    const named = { start: start && renamed.get(start), page: page && renamed.get(page) };
    const size = renamed.get(limit);
    if (size === undefined || (named.start ?? named.page) === undefined) return undefined;
    return { limit: size, first, ...defined(named) };
  },
  sets: (sets: Operation["parameterSets"]): Operation["parameterSets"] =>
    sets
      .filter((set) => set.every((name) => renamed.has(name)))
      .map((set) => set.map((name) => renamed.get(name) as string)),
});
