/** An operation of a document may refuse a value with any client error that it lists for a request. */
import { expect, test } from "@playwright/test";
import type { Operation, Rule } from "../../../helpers/contract/contract.ts";
import { documentPolicy } from "../../../helpers/trials/from-contract/document-policy.ts";
import { refusalOf } from "../../../helpers/trials/from-contract/rule-verdicts.ts";
import { QUICK } from "../support/lanes.ts";

const statusesOf = (listed: readonly number[], statusClasses = {}): readonly number[] => {
  const responses = Object.fromEntries(listed.map((status) => [status, { status }]));
  const operation = { operationId: "add", parameters: [], responses, statusClasses } as unknown as Operation;
  const rule = { keyword: "maximum", pointer: "", operationId: "add" } as unknown as Rule;
  return refusalOf({ policy: documentPolicy("any"), operation }, rule).statuses;
};

test("listed client errors refuse a value, apart from those about the client", QUICK, () => {
  expect(statusesOf([200, 400])).toEqual([400, 404, 415, 422]);
  expect(statusesOf([200, 401, 403, 412, 413, 429, 460, 500])).toEqual([400, 404, 415, 422, 412, 413, 460]);
});

test("a class of client errors lists all of them", QUICK, () => {
  const statuses = statusesOf([200, 400], { "4XX": "400" });
  expect(statuses).toEqual(expect.arrayContaining([409, 413, 428, 499]));
  expect(statuses).not.toEqual(expect.arrayContaining([401]));
});
