/** Callers that send forms of parts: right ones and wrong ones, by the one thing that differs. */
import { expect, test } from "@playwright/test";
import type { Rule } from "../../../helpers/contract/contract.ts";
import { PARTS } from "../../../helpers/contract/rules.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { judgeParts } from "../judging/sent-parts.ts";

const SCHEMAS = { About: { type: "object", required: ["owner"], properties: { owner: { maxLength: 4 } } } };
const SCHEMA = {
  type: "object",
  required: ["photo", "about"],
  properties: {
    photo: { type: "string", format: "binary", maxLength: 6, pattern: "^never$" },
    about: { $ref: "#/components/schemas/About" },
    size: { type: "string", enum: ["small", "large"] },
    code: { type: "string", pattern: "^[A-Z]{2}$", maxLength: 2 },
    copies: { type: ["integer", "null"], maximum: 9 },
    tags: { type: "array", maxItems: 2, items: { type: "string", maxLength: 3 } },
    extra: {},
  },
  additionalProperties: false,
};
const RULE = { requirement: "upload.fields", keyword: PARTS, untried: "they are parts" } as unknown as Rule;
const VALIDATOR = createValidator({ schemas: SCHEMAS });

const part = (name: string, text: string, more = ""): string =>
  `--a.b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;

const PHOTO = part("photo", "12345\uFFFD", '; filename="p.png"\r\nContent-Type: image/png');
const ABOUT = part("about", '{ "owner": "Jo" }', "\r\nContent-Type: application/json");

/** Returns whether the caller keeps the rule; `undefined` if nobody can tell. */
const judge = (body: string, type = "multipart/form-data; boundary=a.b"): boolean | undefined => {
  const content = { "multipart/form-data": SCHEMA };
  const requestBody = { content, partTypes: { photo: "image/png, image/webp" } };
  const request = { headers: { "content-type": type }, body };
  const seen = { operation: { requestBody }, exchange: { request } } as unknown as Seen;
  return judgeParts({ schemas: SCHEMAS, validator: VALIDATOR }, [RULE], seen)[0]?.result.holds;
};

const ROWS: readonly (readonly [parts: string, holds: boolean])[] = [
  ["", true],
  [part("size", "small"), true],
  [part("size", "medium"), false],
  [part("code", "AB"), true],
  [part("code", "ABC"), false],
  [part("code", "ab"), false],
  [part("code", "\uFFFD"), true],
  [part("copies", "9"), true],
  [part("copies", ""), true],
  [part("copies", "10"), false],
  [part("copies", "few"), false],
  [part("tags", "a") + part("tags", "b"), true],
  [part("tags", '["a","bc"]'), true],
  [part("tags", "long"), false],
  [part("tags", "a") + part("tags", "b") + part("tags", "c"), false],
  [part("size", "small") + part("size", "large"), false],
  [part("extra", "1") + part("extra", "{"), true],
  [part("unknown", "1"), false],
];

for (const [parts, holds] of ROWS)
  test(
    `a caller ${holds ? "keeps" : "breaks"} the rules of a form with ${JSON.stringify(parts)}`,
    QUICK,
    () => {
      expect(judge(`${PHOTO}${ABOUT}${parts}--a.b--\r\n`)).toBe(holds);
    },
  );

test("a caller breaks the rules of required parts, of their content and of their media types", QUICK, () => {
  for (const parts of [
    PHOTO,
    ABOUT,
    PHOTO.replace("image/png", "image/gif") + ABOUT,
    PHOTO.replace("12345", "1234567") + ABOUT,
    PHOTO + ABOUT.replace("Jo", "Joanna"),
    PHOTO + ABOUT.replace("owner", "name"),
    PHOTO + ABOUT.replace('{ "owner": "Jo" }', "[object Object]"),
  ])
    expect(judge(`${parts}--a.b--\r\n`), parts).toBe(false);
});

test("nobody is judged by a form that was not recorded whole", QUICK, () => {
  expect(judge(PHOTO)).toBe(undefined);
  expect(judge("photo=1&about=2")).toBe(undefined);
  expect(judge(`${PHOTO}--a.b--`, "multipart/form-data")).toBe(undefined);
  expect(judge(`${part("code", "‹SECRET›")}--a.b--`)).toBe(undefined);
  expect(judge(`${PHOTO}--a.b--`, "multipart/mixed; boundary=a.b")).toBe(undefined);
});
