/** What the names of a document tell about valid calls: fields that name a resource, and dates of periods. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { temporary } from "../../../tests/self/support/command.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { convert } from "../reading/convert.ts";

const text = { type: "string" };
const day = { type: "integer", minimum: 1, maximum: 366 };
const date = { type: "string", format: "date" };
const time = { type: "string", format: "date-time" };
const body = (properties: object) => ({
  requestBody: { content: { "application/json": { schema: { type: "object", properties } } } },
  responses: { 200: { description: "done" } },
});
const named = (name: string) => ({ parameters: [{ name, in: "path", required: true, schema: text }] });
const read = { get: { responses: { 200: { description: "it" } } } };

const FILE = { type: "string", format: "binary" };

const PATHS = {
  "/years/{year}-{day}": {
    parameters: [day, { type: "integer", minimum: 1 }].map((schema, index) => ({
      ...{ name: ["day", "year"][index], in: "path", required: true, schema },
    })),
    ...read,
  },
  "/products": { post: body({ sku: text }) },
  "/products/{sku}": { ...named("sku"), ...read, put: body({ sku: text, id: text }) },
  "/customers/{id}": {
    ...named("id"),
    ...read,
    patch: body({ data: { type: "object", properties: { id: text } }, owner: { properties: { id: text } } }),
  },
  "/customers/{id}/notes": { ...named("id"), post: body({ customerId: text }) },
  "/photos": {
    post: {
      requestBody: {
        content: { "multipart/form-data": { schema: { type: "object", properties: { file: FILE } } } },
      },
      responses: { 201: { description: "made", headers: { Location: { schema: text } } } },
    },
  },
  "/photos/{photo}": { ...named("photo"), ...read },
  "/orders": {
    get: {
      parameters: ["from", "to"].map((name) => ({ name, in: "query", schema: date })),
      responses: { 200: { description: "all" } },
    },
    post: body({
      lines: {
        type: "array",
        items: { type: "object", properties: { sku: text, deeper: { properties: { sku: text } } } },
      },
      customer_id: { type: "integer" },
      customerId: { type: "boolean" },
      ship_by: date,
      startTime: time,
      endTime: time,
      born: date,
    }),
  },
};

/** The suite makes no files, so the user gives what only an upload creates. */
const SETTINGS = ["year false", "product false", "customer false", "photo false"];

const converted = async () => {
  const path = join(await temporary(), "shop.json");
  writeFileSync(
    path,
    JSON.stringify({ openapi: "3.0.3", info: { title: "Shop", version: "1" }, paths: PATHS }),
  );
  const { root, settings } = convert("shop", path);
  expect(settings.map(({ resource, isCreated }) => `${resource} ${isCreated}`)).toEqual(SETTINGS);
  return (pointer: string): unknown => atPointer(root, `/paths/${pointer.replaceAll(" ", "/")}`);
};

const BODY = "requestBody content application~1json schema";

test("fields that name a resource of another path are found by their names", QUICK, async () => {
  const at = await converted();
  expect(at(`~1orders post ${BODY} allOf 1`)).toEqual({
    properties: {
      lines: { items: { properties: { sku: { "x-names": "product" } } } },
      customer_id: { "x-names": "customer" },
    },
  });
  // A body that changes a resource repeats its identifier, a body that makes one chooses it.
  expect(at(`~1products~1{sku} put ${BODY} allOf 1`)).toEqual({
    properties: { sku: { "x-names": "product" } },
  });
  expect(at(`~1customers~1{id} patch ${BODY} allOf 1`)).toEqual({
    properties: { data: { properties: { id: { "x-names": "customer" } } } },
  });
  expect(at(`~1customers~1{id}~1notes post ${BODY} allOf 1`)).toEqual({
    properties: { customerId: { "x-names": "customer" } },
  });
  expect(at(`~1products post ${BODY}`)).toEqual({ type: "object", properties: { sku: text } });
});

test("dates that a client plans are to come, and a search is about the past", QUICK, async () => {
  const at = await converted();
  const data = (name: string): unknown => at(`~1orders post ${BODY} allOf 0 properties ${name} x-data`);
  expect(["ship_by", "startTime", "endTime", "born"].map(data)).toEqual([
    ...["future-date", "future-start-date-time", "future-end-date-time"],
    undefined,
  ]);
  expect([0, 1].map((index) => at(`~1orders get parameters ${index} x-data`))).toEqual([
    "past-start-date",
    "past-end-date",
  ]);
});

test("a number of a small range in a path identifies nothing", QUICK, async () => {
  const at = await converted();
  const resources = [0, 1].map((index) => at(`~1years~1{year}-{day} get parameters ${index} x-resource`));
  expect(resources).toEqual(["year", undefined]);
});
