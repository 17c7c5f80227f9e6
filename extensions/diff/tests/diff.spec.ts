/** The diff as a whole: groups of changes, equivalent documents, and real documents. */
import { expect, test } from "@playwright/test";
import { endingSoon } from "../../../runner/doctor/before-run.ts";
import { PROVIDER } from "../../../tests/self/support/lanes.ts";
import { shared } from "../../../tests/self/support/shared.ts";
import { readApiDocument } from "../document/read.ts";
import { endsIn } from "../ends.ts";
import type { Diff, Entry } from "../entry.ts";
import { renderEnds } from "../rendering/terminal.ts";
import {
  asRequest,
  asResponse,
  diffOf,
  documentFrom,
  operation,
  pairOf,
  wrongWitnesses,
} from "./small-documents.ts";

const entry = (diff: Diff): Entry => {
  expect(diff.entries).toHaveLength(1);
  return diff.entries[0] as Entry;
};

const customer = (name: object) => ({
  components: {
    schemas: {
      Customer: { type: "object", properties: { name, friend: { $ref: "#/components/schemas/Customer" } } },
      Page: {
        type: "object",
        properties: { customers: { type: "array", items: { $ref: "#/components/schemas/Customer" } } },
      },
    },
  },
});
const json = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });
const manyPaths = (count: number) => ({
  paths: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `/customers/${at}`,
      {
        get: { responses: { "200": { description: "ok", content: json("Page") } } },
        post: { requestBody: { content: json("Customer") }, responses: { "201": { description: "made" } } },
      },
    ]),
  ),
});

test("a change of a shared schema is one entry that lists all affected messages and is judged for each sender", () => {
  const [base, revision] = pairOf([{ type: "string" }, { type: "string", maxLength: 9 }], (name) =>
    documentFrom({ ...manyPaths(20), ...customer(name) }),
  );
  const diff = diffOf(base, revision);
  const place = { owner: "schema Customer", part: "", pointer: "/name" };
  expect(entry(diff)).toMatchObject({ ...place, class: "breaking" });
  expect(entry(diff).judged.map((one) => [one.sender, one.class, one.reach.length])).toEqual([
    ["caller", "breaking", 20],
    ["service", "compatible", 20],
  ]);
  expect(wrongWitnesses(diff, base, revision)).toEqual([]);
  const [request] = entry(diff).judged;
  expect(request?.witness?.message).toMatchObject({ body: { name: expect.stringMatching(/^.{10,}$/) } });
  expect(entry(diffOf(revision, base)).judged.map((one) => one.class)).toEqual(["compatible", "breaking"]);
});

test("a fingerprint stays the same when something else changes", () => {
  const [base, revision] = pairOf([9, 5], (maxLength) =>
    documentFrom(asRequest({ type: "string", maxLength })),
  );
  const other = documentFrom(
    asRequest({ type: "string", maxLength: 5 }, { servers: [{ url: "https://b.example.com" }] }),
  );
  const fingerprints = diffOf(base, other).entries.map(({ fingerprint }) => fingerprint);
  expect(fingerprints).toContain(entry(diffOf(base, revision)).fingerprint);
});

test("another change of the same part has another fingerprint", () => {
  const made = (components: object) => ({ ...operation({ security: [{ login: [] }] }), components });
  const login = (name: string) => ({ type: "openIdConnect", openIdConnectUrl: `https://${name}.test` });
  const either = (...names: string[]) =>
    asRequest({ anyOf: [{ type: "string" }, ...names.map((name) => ({ required: [name] }))] });
  const parts: readonly ((name: string) => object)[] = [
    (name) => made({ securitySchemes: { login: login(name) } }),
    (name) => made({ schemas: { Spare: { required: [name] } } }),
    (name) => (name === "a" ? either() : either(name)),
    (name) => (name === "a" ? asRequest({}) : either(name)),
  ];
  for (const part of parts) {
    const [base, one, other] = ["a", "b", "c"].map((name) => documentFrom({ ...part(name) }));
    const [first, second] = [one, other].map((revision) => entry(diffOf(base as never, revision as never)));
    expect(first?.fingerprint).not.toBe(second?.fingerprint);
  }
});

test("an equivalent schema is not a change", () => {
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [{ $ref: "#/components/schemas/Name" }, { type: "string", maxLength: 9 }],
    [
      { allOf: [{ $ref: "#/components/schemas/Name" }], description: "text" },
      { $ref: "#/components/schemas/Name" },
    ],
    [{ allOf: [{ type: "string" }, { maxLength: 9 }] }, { type: "string", maxLength: 9 }],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, { anyOf: [{ type: "null" }, { type: "string" }] }],
    [
      { type: "integer", exclusiveMinimum: 0 },
      { type: "integer", minimum: 1 },
    ],
    [
      { oneOf: [{ type: "string" }, { type: "integer" }] },
      { anyOf: [{ type: "string" }, { type: "integer" }] },
    ],
    [{ enum: ["a", "b"] }, { enum: ["b", "a"] }],
    [{ const: "a" }, { enum: ["a"] }],
  ];
  const components = { components: { schemas: { Name: { type: "string", maxLength: 9 } } } };
  for (const pair of pairs) {
    const [base, revision] = pairOf(pair, (schema) =>
      documentFrom(asResponse({ type: "object", properties: { a: schema } }, components)),
    );
    const changes = diffOf(base, revision).entries.filter(({ rule }) => rule !== "component");
    expect(changes, JSON.stringify(pair)).toEqual([]);
  }
});

test("equivalent keywords of OpenAPI 3.0 and 3.1 are not a change", () => {
  const base = documentFrom(asResponse({ type: "string", nullable: true, example: "a" }), "3.0.3");
  const revision = documentFrom(asResponse({ type: ["string", "null"], examples: ["b"] }));
  expect(diffOf(base, revision)).toMatchObject({ entries: [], summary: { documentation: 2 } });
});

test("documentation changes are counted and not listed", () => {
  const described = (text: string) =>
    documentFrom(
      operation(
        { summary: text, description: text, "x-note": text },
        { tags: [{ name: "a", description: text }] },
      ),
    );
  const diff = diffOf(described("one"), described("two"));
  expect(diff.entries).toEqual([]);
  expect(diff.summary.documentation).toBe(4);
});

test("a change without a witness is undecided, and says so", () => {
  const secret = { type: "string", pattern: "^(?=x{40}y)x+y[0-9a-f]{64}$" };
  const diff = diffOf(
    documentFrom(asRequest({ not: secret })),
    documentFrom(asRequest({ not: { ...secret, maxLength: 104 } })),
  );
  expect(diff.entries.every(({ class: is }) => is === "undecided")).toBe(true);
  expect(diff.entries[0]?.judged[0]?.reason).toContain("no message was found");
});

test("references to parts of schemas and circular references are followed", () => {
  const list = (maximum: number) => ({
    Node: {
      type: "object",
      properties: {
        child: {
          type: "object",
          properties: {
            next: { $ref: "#/components/schemas/Node/properties/child" },
            size: { type: "integer", maximum },
          },
        },
      },
    },
  });
  const node = { $ref: "#/components/schemas/Node" };
  const pair = pairOf([9, 5], (maximum) =>
    documentFrom(asRequest(node, { components: { schemas: list(maximum) } })),
  );
  const found = diffOf(...pair).entries.map(({ rule, class: is }) => `${rule} ${is}`);
  expect(found).toEqual(["maximum breaking", "maximum breaking"]);
});

test("the changes of real documents are reported as a reader of both would describe them", PROVIDER, () => {
  const [base, revision] = pairOf(["1.29.0", "1.30.0"], (version) =>
    readApiDocument(shared(`provider/financial-data-${version}.yaml`)),
  );
  const diff = diffOf(base, revision);
  expect(diff.summary).toEqual({ breaking: 0, undecided: 0, compatible: 19, documentation: 16 });
  const changes = diff.entries.map(({ rule, action }) => `${rule} ${action}`).sort();
  const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);
  expect(changes).toEqual([
    "component removed",
    "operation added",
    ...times(16, "property added"),
    "required removed",
  ]);
  const back = diffOf(revision, base);
  expect(back.entries.filter(({ class: is }) => is === "breaking").map(({ rule }) => rule)).toEqual([
    "operation",
    "required",
  ]);
  expect(wrongWitnesses(back, revision, base)).toEqual([]);
});

test("a real document does not differ from itself", PROVIDER, () => {
  for (const name of ["financial-data-1.30.0", "installments-2.0.0"]) {
    const document = readApiDocument(shared(`provider/${name}.yaml`));
    expect(diffOf(document, document)).toMatchObject({ entries: [], summary: { documentation: 0 } });
  }
});

test("what ends is listed with its day, and a run warns of the operations that it calls and that end soon", () => {
  const body = {
    type: "object",
    properties: { a: { type: "string", deprecated: true, "x-sunset": "12/31/2029" } },
  };
  const end = { deprecated: true, "x-sunset": "Sun, 31 Mar 2030 23:59:59 GMT" };
  const pair = pairOf<Record<string, unknown>>([{ deprecated: true }, end], (one) =>
    documentFrom(asRequest(body, {}, one)),
  );
  const place = "/paths/~1things/post/requestBody/content/application~1json/schema/properties/a";
  expect(renderEnds(pair.map((one, at) => [`${at + 1}`, endsIn(one)] as const))).toBe(
    `2030-03-31  POST /things  by 2\nno date     ${place}  by 1, 2\nno date     POST /things  by 1\n`,
  );
  const operation = { operationId: "addThing", sunset: "2030-03-31" };
  const contracts = [{ service: "things", operations: [operation, { operationId: "getThing" }] as never }];
  const warned = (day: string, operations?: readonly string[]) =>
    endingSoon(contracts, operations ? { operations } : null, new Date(day));
  expect(warned("2030-01-01")).toEqual(["things: addThing ends on 2030-03-31, in 89 days."]);
  expect(warned("2030-04-02")).toEqual(["things: addThing ends on 2030-03-31, which is over."]);
  expect([...warned("2029-12-01"), ...warned("2030-01-01", ["getThing"])]).toEqual([]);
});
