/** Calls that create what has a path elsewhere: when a document says so, and what a run then tries. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import type { Json } from "../../../helpers/contract/json.ts";
import { hostileService } from "../../../tests/self/hostile/hostile-server.ts";
import { JSON_TYPE } from "../../../tests/self/hostile/mode.ts";
import { startMock } from "../../../tests/self/support/command.ts";
import { closeAll } from "../../../tests/self/support/loopback.ts";
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

/** What a run tries only with a stall that it opens. */
const TRIED = ["closeStall.success", "changeStall.success", "openStall.distinct-ids", "readStall.success"];

test("what has a path elsewhere is tried, and removed before what is not removed with it", async () => {
  const mock = await startMock(["--plain", "--document", DOCUMENT]);
  /** The market of each stall, and nothing for a market. */
  const open = new Map<string, string>();
  const url = await hostileService(mock.baseUrls.markets, async ({ method, path }, correct) => {
    const end = path.split("/").slice(-2).join("/");
    if (method === "DELETE" && [...open.values()].includes(end))
      return { status: 409, headers: JSON_TYPE, body: "{}" };
    const reply = await correct();
    const [, market = ""] = /(markets\/[^/]+)\/stalls$/.exec(path) ?? [];
    if (reply.status === 201)
      open.set(`${market === "" ? "markets" : "stalls"}/${JSON.parse(String(reply.body)).id}`, market);
    if (reply.status === 204) open.delete(end);
    return reply;
  });
  const { deviating, of } = await certifyDocument(DOCUMENT, url, [], FREE);
  await mock.stop();
  expect(deviating).toEqual([]);
  expect(TRIED.map((id) => of(`markets.${id}`)?.verdict)).toEqual(TRIED.map(() => "passed"));
  expect([...open.keys()]).toEqual([]);
});
