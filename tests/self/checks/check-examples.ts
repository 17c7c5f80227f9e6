/** Examples for checks of what the documents of the three services leave open, one row per check. */
import { checkHeader, checkMediaType, checkText } from "../../../helpers/checks/answer-parts.ts";
import { checkAcceptedTag, checkContent } from "../../../helpers/checks/entity-tags.ts";
import { checkGiven, checkKept } from "../../../helpers/checks/given-values.ts";
import { checkLocated } from "../../../helpers/checks/located.ts";
import { checkMaskedField } from "../../../helpers/checks/masking.ts";
import { checkFilter, checkHalves, checkSize, checkWindow } from "../../../helpers/checks/obedience.ts";
import { checkPages } from "../../../helpers/checks/pages.ts";
import { checkAllowed, checkRefused } from "../../../helpers/checks/refusal.ts";
import { checkRepeated } from "../../../helpers/checks/repeated.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import type { CheckResult } from "../../../helpers/exchange/check-result.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";

const answer = (headers: Readonly<Record<string, string>>, body = "ok", status = 200): Exchange => ({
  ...{ id: "t0-1", service: "parcels", operationId: "getParcel", requestJson: undefined },
  request: { method: "POST", url: "https://example.com/parcels", headers: {} },
  response: { status, headers, body: Buffer.from(body), json: undefined },
  ...{ startedAt: new Date(0), durationMs: 0 },
});

const NO_BODY = { what: "a call without a body", pointer: "" };
const validator = createValidator({ schemas: {} });
const SHORT = { content: { "text/plain": { type: "string", maxLength: 2 } } };
const COUNT = { required: true, schema: { type: "integer" } };

const header = (headers: Readonly<Record<string, string>>) =>
  checkHeader(answer(headers), "X-Count", COUNT, { schemas: {}, validator });

const DAY = 86_400;
const WINDOW = { from: 10 * DAY, to: 20 * DAY };
const HALVES = [
  { from: 0, to: 8 * DAY },
  { from: 7 * DAY, to: 20 * DAY },
];
const WIDE = [
  { key: "in", dates: [15 * DAY] },
  { key: "out", dates: [DAY] },
];

const SHOWN = {
  ...{ name: "BO", liable: "true", zip: "75069", ssn: "****1111" },
  since: "2026-01-01T00:00Z",
  birthday: { year: 1980, month: 2 },
};
const GIVEN = { name: "Ann Lee", zip: "75069-1234", ssn: "987651111", since: "2026-01-01T01:00+01:00" };

const isSame = (one: string, other: string): boolean => one === other;

export const CHECK_EXAMPLES: readonly {
  readonly name: string;
  readonly right: () => CheckResult | undefined;
  readonly wrong: () => CheckResult | undefined;
}[] = [
  {
    name: "checkMediaType",
    right: () => checkMediaType(answer({ "content-type": "text/plain" }), { mediaTypes: ["text/*"] }),
    wrong: () => checkMediaType(answer({ "content-type": "text/html" }), { mediaTypes: ["text/plain"] }),
  },
  {
    name: "checkText",
    right: () => checkText(answer({ "content-type": "text/plain" }), SHORT, validator),
    wrong: () => checkText(answer({ "content-type": "text/plain" }, "long"), SHORT, validator),
  },
  { name: "checkHeader", right: () => header({ "x-count": "3" }), wrong: () => header({}) },
  {
    name: "checkFilter",
    right: () => checkFilter("type", "a", ["a", undefined], isSame),
    wrong: () => checkFilter("type", "a", ["a", "b"], isSame),
  },
  {
    name: "checkWindow",
    right: () => checkWindow("fromDate", WINDOW, [[15 * DAY]]),
    wrong: () => checkWindow("fromDate", WINDOW, [[DAY]]),
  },
  {
    name: "checkHalves",
    right: () => checkHalves("fromDate", HALVES, WIDE, ["in", "out"]),
    wrong: () => checkHalves("fromDate", HALVES, WIDE, ["out"]),
  },
  {
    name: "checkAllowed",
    right: () => checkAllowed("state", answer({}), answer({})),
    wrong: () => checkAllowed("state", answer({}, "", 400), answer({})),
  },
  { name: "checkSize", right: () => checkSize("limit", 2, 2), wrong: () => checkSize("limit", 2, 3) },
  {
    name: "checkPages",
    right: () => checkPages("page", [["a"], ["b"]], ["a", "b"], true),
    wrong: () => checkPages("page", [["a"], ["a"]], ["a", "b"], true),
  },
  {
    name: "checkLocated",
    right: () => checkLocated({ exchange: answer({}), id: "2" }, { exchange: answer({}), id: "2" }),
    wrong: () => checkLocated({ exchange: answer({}), id: "1" }, { exchange: answer({}), id: "2" }),
  },
  {
    name: "checkRepeated",
    right: () => checkRepeated("2", { exchange: answer({}, "", 409), id: undefined }),
    wrong: () => checkRepeated("2", { exchange: answer({}), id: "3" }),
  },
  {
    name: "checkContent",
    right: () => checkContent(answer({}), "of another state"),
    wrong: () => checkContent(answer({}, "", 304), "of another state"),
  },
  {
    name: "checkRefused",
    right: () => checkRefused(NO_BODY, answer({}, "", 415), answer({}), [400]),
    wrong: () => checkRefused(NO_BODY, answer({}, "", 404), answer({}), [400]),
  },
  {
    name: "checkAcceptedTag",
    right: () => checkAcceptedTag(answer({}), []),
    wrong: () => checkAcceptedTag(answer({}, "", 412), []),
  },
  {
    name: "checkGiven",
    // In upper case, cut, masked, at the same time in another zone, a truth value as a text, and a value for none.
    right: () => checkGiven({ ...GIVEN, liable: true, birthday: null }, SHOWN, { ...SHOWN, name: "ANN LEE" }),
    wrong: () => checkGiven({ birthday: { year: 1990, month: 2 } }, SHOWN, SHOWN),
  },
  {
    name: "checkMaskedField",
    right: () => checkMaskedField({ name: "REDACTED" }, "/name", ["Ted"]),
    wrong: () => checkMaskedField({ name: "Ted***" }, "/name", ["Ted"]),
  },
  {
    name: "checkKept",
    right: () => checkKept(["/name", "/zip"], { ...SHOWN, name: "other" }),
    wrong: () => checkKept(["/name", "/zip"], { ...SHOWN, zip: null }),
  },
];
