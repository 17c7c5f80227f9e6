/** Divides a list of a service without handlers of its own into pages, and says in its answers how they go on. */
import type { Relation } from "../../../helpers/contract/relations.ts";
import type { Answer, Call } from "../../../mocks/engine/call.ts";
import { ignoring, UNNAMED } from "../../../mocks/engine/deviations/rows.ts";
import { type Fields, fieldsIn, isObject, numberIn } from "../../../mocks/engine/values/fields.ts";
import { ownAddress } from "./address.ts";
import { successOf } from "./data.ts";

/**
 * @param items what the other parameters choose
 * @param known `idOf` returns the identifier of an item
 */
export const pageIn = (
  row: Relation,
  call: Call,
  items: readonly unknown[],
  { idOf, baseUrl }: { idOf(item: unknown): unknown; readonly baseUrl: string },
): {
  readonly shown: readonly unknown[];
  readonly told: (json: unknown) => Pick<Answer, "json" | "headers">;
} => {
  const { parameter = UNNAMED, along = "", means } = row;
  const size = numberIn(call.query[along]) ?? Math.max(items.length, 1);
  const first = firstIn(row, call);
  const isIgnored = row.parameter === undefined && call.faulty(ignoring(call.operation.operationId, UNNAMED));
  const sent = isIgnored ? undefined : call.query[parameter];
  const number = numberIn(sent) ?? first;
  const after = items.findIndex((item) => sent !== undefined && String(idOf(item)) === String(sent));
  const start = means === "item" ? after + 1 : Math.max(0, number - first) * (means === "pages" ? size : 1);
  const shown = items.slice(start, start + size);
  const following =
    means === "pages" ? number + 1 : means === "item" ? idOf(shown.at(-1)) : start + size + first;
  const next = start + size < items.length ? String(following) : undefined;
  return { shown, told: (json) => told(row, call, json, { next, baseUrl }) };
};

/** Returns the number of the first page or item. */
const firstIn = ({ parameter = UNNAMED, means }: Relation, { operation }: Call): number => {
  const { schema = {} } = operation.parameters.find(({ name }) => name === parameter) ?? {};
  const { default: stated, minimum } = schema;
  if (means !== "pages" && means !== "items") return 0;
  return typeof stated === "number" ? stated : means === "pages" || minimum === 1 ? 1 : 0;
};

const told = (
  row: Relation,
  call: Call,
  json: unknown,
  { next, baseUrl }: { readonly next: string | undefined; readonly baseUrl: string },
): Pick<Answer, "json" | "headers"> => {
  const { parameter = UNNAMED } = row;
  const { operation, validators, query } = call;
  const [status = 200, schema = {}] = successOf(operation);
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...(next && { [parameter]: next }) }))
    asked.set(name, String(value));
  const link = next && `${ownAddress(call, baseUrl)}?${asked}`;
  const isLinked = Object.keys(operation.responses[status]?.headers ?? {}).some((name) =>
    /^link$/i.test(name),
  );
  // How a document leaves out what follows the last page depends on its schema.
  const bodies = [null, undefined, ""].map((none) =>
    withNext(json, { next: row.parameter === undefined ? link : next, link, none }),
  );
  const fitting = bodies.find((body) => validators.answer(schema)(body).length === 0);
  return {
    json: fitting ?? json,
    ...(isLinked && { headers: { link: `<?${asked}>; rel="${next === undefined ? "last" : "next"}"` } }),
  };
};

const withNext = (
  body: unknown,
  facts: {
    readonly next: string | undefined;
    readonly link: string | undefined;
    readonly none: unknown;
  },
): unknown => {
  if (!isObject(body)) return body;
  const { next, link, none } = facts;
  const entries = Object.entries(body).map(([name, value]): readonly [string, unknown] => {
    const known = name.replaceAll(/[^A-Za-z]/g, "").toLowerCase();
    if (/^(?:hasmore|hasnext|hasnextpage|moreavailable|istruncated)$/.test(known))
      return [name, next !== undefined];
    if (!/^(?:odata)?(?:next|end|continuation)(?:page|cursor|token|pagetoken|link|url)?$/.test(known))
      return [name, withNext(value, facts)];
    if (next === undefined) return [name, none];
    const isLink = /link|url/.test(known) || /^https?:/.test(String(value));
    return [name, nextAs(value, next, isLink ? link : next, link)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};

/** Returns the way to the next page with the type of the value. */
const nextAs = (
  value: unknown,
  next: string,
  text: string | undefined,
  link: string | undefined,
): unknown => {
  if (isObject(value)) return { ...value, ...linkOf(value, link) };
  return typeof value === "number" ? Number(next) : text;
};

const linkOf = (value: Fields, link: string | undefined): Fields =>
  Object.fromEntries(
    ["href", "url"].flatMap((name) => (fieldsIn(value)[name] === undefined ? [] : [[name, link]])),
  );
