/** An answer shows the values of its request, and the examples of the document for unknown values. */
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { besideSent, sentIn } from "../../../mocks/engine/sent-values.ts";
import type { Validators } from "../../../mocks/engine/validators.ts";
import { completerOf } from "../../../mocks/engine/values/complete.ts";
import { flattener } from "../../../mocks/engine/values/flat-schema.ts";

const DETAILS = { type: "object", required: ["rhythm"], properties: { rhythm: { type: "string" } } };
const ANSWER = {
  type: "object",
  required: ["wanted", "grade"],
  properties: {
    wanted: { type: "object", required: ["details"], properties: { details: DETAILS } },
    grade: { type: "string", "x-example": "fine" },
    name: { type: "string" },
  },
};

const sent = (body: unknown) =>
  sentIn(
    {
      operation: {} as Operation,
      path: {},
      body,
      validators: { flatten: flattener({}) } as unknown as Validators,
    },
    ANSWER,
  );

test("a sent object is shown within another object, and a sent text only at its own level", () => {
  expect(sent({ details: { rhythm: "weekly" }, rhythm: "daily", name: "Ada" })).toEqual({
    wanted: { details: { rhythm: "weekly" } },
    name: "Ada",
  });
});

test("known values take precedence over sent ones at each place", () => {
  const known = { wanted: { by: "us" }, name: undefined };
  expect(besideSent(known, sent({ details: { rhythm: "weekly" }, name: "Ada" }))).toEqual({
    wanted: { by: "us", details: { rhythm: "weekly" } },
    name: undefined,
  });
});

test("a required field without a known value gets the example of the document", () => {
  const complete = completerOf({}, 1, 0);
  expect(complete(ANSWER, { wanted: { details: { rhythm: "weekly" } } }, "key", "required")).toEqual({
    wanted: { details: { rhythm: "weekly" } },
    grade: "fine",
  });
});
