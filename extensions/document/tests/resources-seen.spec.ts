/** What recorded answers of a server show of its resources, and what the sandbox shows of what it was sent. */
import { expect, test } from "@playwright/test";
import { HIDDEN, type RecordedCall } from "../../../mocks/engine/recorded.ts";
import { completerOf } from "../../../mocks/engine/values/complete.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { completeFitting } from "../sandbox/complete-fitting.ts";
import { resourcesSeen } from "../sandbox/data.ts";

test("resources of any document are recognised by the places of their identifiers", QUICK, () => {
  const operation = (method: string, path: string, more: object) => ({
    method,
    path,
    parameters: [{ in: "path", name: "id", resource: "room" }],
    ...{ finds: [], produces: [] },
    ...more,
  });
  const roomAt = (pointer: string) => [{ resource: "room", pointer }];
  const recorded = { query: [], status: 200, body: { name: "Red" } };
  const calls = [
    [operation("POST", "/rooms", { produces: roomAt("/id") }), {}, { id: 1, size: 4 }],
    [operation("GET", "/rooms", { finds: roomAt("/rooms/*/id") }), {}, { rooms: [{ id: 2 }, { id: 3 }] }],
    [operation("GET", "/rooms/{id}", {}), { id: "2" }, { id: 2, size: HIDDEN, name: "Blue" }],
    [operation("PATCH", "/rooms/{id}", {}), { id: "2" }, undefined],
    [operation("DELETE", "/rooms/{id}", {}), { id: "3" }, undefined],
  ].map(([one, path, json]) => ({ ...recorded, operation: one, path, json }));
  const seen = resourcesSeen(calls as unknown as readonly RecordedCall[], { schemas: {}, operations: [] });
  expect(seen).toEqual({ room: { 1: { id: 1, name: "Red", size: 4 }, 2: { id: 2, name: "Red" } } });
});

test("a sent object that the schema of the answer does not allow is not shown", QUICK, () => {
  const setup = { type: "object", additionalProperties: { type: "object" } };
  const schema = { type: "object", properties: { name: { type: "string" }, setup } };
  const isValid = (body: unknown): boolean => !JSON.stringify(body).includes("null");
  const known = { name: "Ada", setup: { first: null } };
  expect(completeFitting(completerOf({}, 1, 0), isValid, { schema, known, key: "key" })).toEqual({
    name: "Ada",
    setup: {},
  });
});
