/** Calls that create what has a path elsewhere: when a document says so, and right and wrong servers of `markets.yaml`. */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import type { Json } from "../../../helpers/contract/json.ts";
import { isInSample, LONG } from "../../../tests/self/support/lanes.ts";
import { type Asked, api, closeAll } from "../../../tests/self/support/loopback.ts";
import { convert } from "../reading/convert.ts";
import { creationIn } from "../reading/creations.ts";
import { resourcesOf } from "../reading/resources.ts";
import { certifyDocument, FREE } from "./support/certified-document.ts";

const DOCUMENT = fileURLToPath(new URL("./documents/markets.yaml", import.meta.url));

test.afterEach(closeAll);

const object = (...names: readonly string[]): Json => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});

const SCHEMAS = {
  Order: { allOf: [{ $ref: "#/components/schemas/Base" }, object("total")] },
  Base: object("id"),
  Line: { allOf: [{ $ref: "#/components/schemas/Base" }, object("sum")] },
  Named: object("orderId", "total"),
  Any: { oneOf: [{ $ref: "#/components/schemas/Order" }, { $ref: "#/components/schemas/Line" }] },
};

const component = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const answering = (schema: Json, ...statuses: readonly string[]): Json =>
  Object.fromEntries(statuses.map((one) => [one, { content: { "application/json": { schema } } }]));

/** A document with a creation at a path, and the read of a member. */
interface Parts {
  readonly path?: string;
  readonly member?: string;
  readonly body?: Json;
  readonly query?: string;
  readonly created?: Json;
  readonly read?: Json;
  readonly others?: Record<string, Json>;
}

const createdBy = ({
  path = "/shops/{shop}/orders",
  member = "/orders/{orderId}",
  body = object("total"),
  query = "draft",
  created = answering(component("Order"), "201"),
  read = component("Order"),
  others = {},
}: Parts): string | undefined => {
  const post = {
    parameters: [
      { in: "path", name: "shop" },
      { in: "query", name: query },
    ],
    requestBody: { content: { "application/json": { schema: body } } },
    responses: created,
  };
  const paths = { [path]: { post }, [member]: { get: { responses: answering(read, "200") } }, ...others };
  const every = Object.keys(paths).map((one) => resourcesOf(one));
  const { resource, pointer = "" } = creationIn(SCHEMAS, path, post, { every, all: every, paths }) ?? {};
  return resource && `${resource} ${pointer}`;
};

const READ = { get: { responses: answering(component("Order"), "200") } };

const DOCUMENTS: readonly (readonly [what: string, parts: Parts, created: string | undefined])[] = [
  ["its answer is that of the read", {}, "order /id"],
  ["a prefix is common", { path: "/v1/shops/{s}/orders", member: "/v1/orders/{orderId}" }, "order /id"],
  ["the read has an alternative", { read: component("Any") }, "order /id"],
  ["its answer names the member", { created: answering(component("Named"), "201") }, "order /orderId"],
  ["it may act later", { created: answering(component("Order"), "201", "202") }, "order /id"],
  ["it is a member of its own path", { others: { "/shops/{shop}/orders/{number}": READ } }, "order /id"],
  ["only a base is common", { created: answering(component("Line"), "201") }, undefined],
  ["it answers with 200", { created: answering(component("Order"), "200") }, undefined],
  ["it may find one", { created: answering(component("Order"), "200", "201") }, undefined],
  ["its answer shows no identifier", { created: answering(object("total"), "201") }, undefined],
  ["its body names a member", { body: object("total", "orderId") }, undefined],
  ["its body names a member by an id", { body: { properties: { data: object("type", "id") } } }, undefined],
  ["its body names a member by a word", { body: object("order") }, undefined],
  ["its body may name a member", { body: { oneOf: [object("total"), object("id")] } }, undefined],
  ["its body lists members", { body: { type: "array", items: { type: "string" } } }, undefined],
  ["its query names a member", { query: "order_id" }, undefined],
  ["others create members", { others: { "/orders": { post: {} } } }, undefined],
  ["members have two paths", { others: { "/archive/orders/{orderId}": READ } }, undefined],
  ["members are below others", { member: "/sellers/{seller}/orders/{orderId}" }, undefined],
  ["members have another prefix", { path: "/v1/shops/{s}/orders", member: "/v2/orders/{id}" }, undefined],
  ["the names differ", { member: "/bills/{orderId}" }, undefined],
  ["it is below a member", { path: "/orders/{orderId}/orders" }, undefined],
  ["nothing is above it", { path: "/draft/orders" }, undefined],
];

for (const [what, parts, created] of DOCUMENTS)
  test(`a call creates ${created ?? "nothing certain"} if ${what}`, () => {
    expect(createdBy(parts)).toBe(created);
  });

test("a list shows what has a path elsewhere", () => {
  const { root } = convert("markets", DOCUMENT);
  const { get } = (root.paths as Record<string, Record<string, Json>>)["/markets/{marketId}/stalls"] ?? {};
  expect(get).toMatchObject({
    "x-finds": [{ resource: "stall", pointer: "/stalls/*/id", isForeign: true }],
    "x-shows": [{ resource: "stall", pointer: "/stalls/*/id" }],
    "x-list": { items: "/stalls" },
  });
});

interface Stall {
  readonly id: string;
  readonly market: string;
  readonly openedAt: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** How a server behaves. */
interface Manner {
  readonly idOf?: (count: number) => string;
  readonly location?: (stall: Stall) => string | undefined;
  readonly given?: (fields: Stall["fields"]) => Stall["fields"];
  readonly changed?: (before: Stall["fields"], sent: Stall["fields"]) => Stall["fields"];
  readonly keepsClosed?: true;
  readonly keepsMarkets?: true;
  readonly lateList?: true;
  readonly anyTrade?: true;
}

const isTrade = (value: string): boolean => ["fruit", "fish", "cloth"].includes(value);

/** The fields of bodies, and when their values are right. */
const FIELDS: Readonly<Record<string, (value: string) => boolean>> = {
  name: (value) => /^.{1,30}$/su.test(value),
  note: (value) => /^.{0,40}$/su.test(value),
  trade: isTrade,
};

/** Returns the fields of a body; `undefined` if one is wrong. */
const fieldsIn = (sent: Asked["fields"]): Stall["fields"] | undefined => {
  const all = Object.entries(sent).filter(([name]) => name in FIELDS);
  const isRight = all.every(([name, value]) => typeof value === "string" && FIELDS[name]?.(value));
  return isRight ? Object.fromEntries(all) : undefined;
};

const server = async (manner: Manner) => {
  const { idOf = (count) => `s-${count * 7 + 11}`, given = (sent) => sent } = manner;
  const { location = ({ id }) => `/stalls/${id}`, changed = (before, sent) => ({ ...before, ...sent }) } =
    manner;
  const [markets, stalls] = [new Map<string, unknown>(), new Map<string, Stall>()];
  let count = 0;
  const shown = ({ id, fields }: Stall) => ({ ...fields, id });
  const ok = (json: unknown) => ({ status: 200, json });
  const url = await api(({ method, path, query, fields }) => {
    const sent = fieldsIn(fields);
    const [, kind, id = "", inner] = path.split("/");
    if (kind === "about") return ok({});
    const own = [...stalls.values()].filter(({ market }) => market === id);
    if (kind === "stalls") {
      const stall = stalls.get(id);
      if (stall === undefined) return 404;
      if (method === "GET") return ok(shown(stall));
      if (method === "DELETE") {
        if (!manner.keepsClosed) stalls.delete(id);
        return 204;
      }
      if (sent === undefined || Object.keys(sent).length === 0) return 400;
      const next = { ...stall, fields: changed(stall.fields, sent) };
      stalls.set(id, next);
      return ok(shown(next));
    }
    if (id !== "" && !markets.has(id)) return 404;
    const trade = query.get("trade");
    if (method === "GET" && inner !== undefined) {
      if (trade !== null && !isTrade(trade)) return 400;
      const all = own.filter(({ fields }) => trade === null || manner.anyTrade || fields.trade === trade);
      const late = manner.lateList ? Date.now() - 300 : Number.POSITIVE_INFINITY;
      return ok({ stalls: all.filter(({ openedAt }) => openedAt < late).map(shown) });
    }
    if (method === "GET") return ok(markets.get(id));
    if (method === "DELETE") {
      if (own.length > 0 && manner.keepsMarkets) return 409;
      markets.delete(id);
      for (const stall of own) stalls.delete(stall.id);
      return 204;
    }
    if (sent?.name === undefined || (inner !== undefined && sent.trade === undefined)) return 400;
    count += 1;
    if (inner === undefined) {
      const market = { name: sent.name, id: `m-${count * 3}` };
      markets.set(market.id, market);
      return { status: 201, json: market };
    }
    const stall = { id: idOf(count), market: id, openedAt: Date.now(), fields: given(sent) };
    stalls.set(stall.id, stall);
    const to = location(stall);
    return { status: 201, json: shown(stall), ...(to && { headers: { location: to } }) };
  });
  return { url, left: () => [...markets.keys(), ...stalls.keys()] };
};

const ROWS: readonly (readonly [
  what: string,
  manner: Manner,
  deviating: readonly string[],
  untried?: readonly string[],
])[] = [
  ["is right", {}, []],
  ["gives UUIDs", { idOf: () => randomUUID() }, []],
  ["gives numbers", { idOf: (count) => String(count + 100) }, []],
  ["gives whole addresses", { location: ({ id }) => `/stalls/${id}?all=true` }, []],
  ["gives no address", { location: () => undefined }, [], ["openStall.location-leads"]],
  [
    "gives the address below the market",
    { location: ({ id, market }) => `/markets/${market}/stalls/${id}` },
    [],
    ["openStall.location-leads"],
  ],
  ["closes no market with stalls", { keepsMarkets: true }, []],
  ["leaves stalls in its list out for a while", { lateList: true }, []],
  ["gives one identifier", { idOf: () => "s-1" }, ["failed openStall.distinct-ids"]],
  [
    "gives the address of another stall",
    { location: () => "/stalls/s-0" },
    ["advisory openStall.location-leads"],
  ],
  [
    "keeps no name",
    { given: ({ trade }) => ({ trade, name: "stall" }) },
    ["advisory openStall.shown-as-given"],
  ],
  [
    "forgets what a change does not name",
    { changed: ({ name, trade }, sent) => ({ name, trade, ...sent }) },
    ["advisory changeStall.others-kept"],
  ],
  ["changes nothing", { changed: (before) => before }, ["advisory changeStall.shown-as-given"]],
  ["shows what is closed", { keepsClosed: true }, ["advisory closeStall.gone"]],
  ["lists each trade", { anyTrade: true }, ["advisory listStalls.parameter.trade.obeyed"]],
];

/** What a run tries only with a stall that it opens. */
const TRIED = ["closeStall.success", "changeStall.success", "openStall.distinct-ids", "readStall.success"];

for (const [index, [what, manner, deviating, untried = []]] of ROWS.entries())
  test(
    `a server that ${what} deviates from ${deviating.join() || "nothing"}`,
    isInSample(index, 5) ? {} : LONG,
    async () => {
      const { url, left } = await server(manner);
      const told = await certifyDocument(DOCUMENT, url, [], FREE);
      const found = told.deviating.map((one) => one.replace("markets.", ""));
      expect(deviating.length === 0 ? found : found.filter((one) => deviating.includes(one))).toEqual(
        deviating,
      );
      const verdictOf = (id: string) => told.of(`markets.${id}`)?.verdict;
      for (const id of untried) expect(verdictOf(id)).toBe("not-tried");
      if (deviating.length > 0) return;
      for (const id of TRIED) expect(verdictOf(id)).toBe("passed");
      expect(left()).toEqual([]);
    },
  );
