/** The schema validator and the formats of the documents. */
import { expect, test } from "@playwright/test";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";

const validator = createValidator({
  schemas: {
    Node: {
      type: "object",
      required: ["a/b"],
      additionalProperties: false,
      properties: { "a/b": { type: "string", maxLength: 2 }, next: { $ref: "#/components/schemas/Node" } },
    },
  },
});

const fits = (format: string, value: string): boolean =>
  validator.validate({ type: "string", format }, value).length === 0;

test("an error names the pointer, even of a missing or unexpected property", () => {
  const errors = validator.validate({ $ref: "#/components/schemas/Node" }, { next: { "a/b": "abc", c: 1 } });
  const places = errors.map(({ pointer, keyword }) => `${keyword} ${pointer}`).sort();
  expect(places).toEqual(["additionalProperties /next/c", "maxLength /next/a~1b", "required /a~1b"]);
});

test("lengths count code points; annotations and unknown formats have no effect", () => {
  const schema = { type: "string", maxLength: 2, format: "no-such-format", "x-data": "text" };
  expect(validator.validate(schema, "\u{10428}\u{10428}")).toEqual([]);
  expect(validator.validate(schema, "\u{10428}\u{10428}\u{10428}")).toHaveLength(1);
});

test("a list of values in any letter case is an enum all the same", () => {
  const schema = { type: "string", enum: ["inProgress", "active"], "x-case": "ignore" };
  const errors = (value: unknown, more = {}) => validator.validate({ ...schema, ...more }, value);
  expect(["active", "ACTIVE", "INPROGRESS"].flatMap((value) => errors(value))).toEqual([]);
  expect(errors("ended")).toMatchObject([{ keyword: "enum", schemaPath: "#/enum" }]);
  expect(errors("Active", { nullable: true }).concat(errors(null, { nullable: true }))).toEqual([]);
  expect(validator.validate({ enum: ["active"] }, "ACTIVE")).toHaveLength(1);
});

test("a property named like a keyword is a property", () => {
  const schema = {
    type: "object",
    properties: { enum: { $ref: "#/components/schemas/Node" }, "x-note": { type: "string" } },
  };
  expect(validator.validate(schema, { enum: { "a/b": "ab" }, "x-note": 1 })).toHaveLength(1);
});

test("a $ref without a target is an error that says so", () => {
  expect(() => validator.validate({ $ref: "#/components/schemas/Nobody" }, {})).toThrow(/no schema "Nobody"/);
});

test("any ISO 8601 notation in UTC is a utc-datetime", () => {
  const [day, time] = ["2024-05-01", "T10:00:00"];
  const good = [
    ...["Z", ".123456Z", ",5Z", "+00:00", "-0000", "+00", ""].map((end) => `${day}${time}${end}`),
    ...["20240501T100000Z", `${day}T10:00Z`, `${day} 10:00:00Z`, `2024-W18-3${time}Z`, `2024-122${time}Z`],
    ...["2016-12-31T23:59:60Z", `${day}T24:00:00Z`],
  ];
  const bad = [
    ...[`${day}${time}+02:00`, `2024-02-30${time}Z`, `${day}T25:00:00Z`, `${day}T10:61:00Z`, day],
    ...["01/05/2024 10:00:00", "1714557600", "", "now"],
  ];
  expect(good.filter((value) => !fits("utc-datetime", value))).toEqual([]);
  expect(bad.filter((value) => fits("utc-datetime", value))).toEqual([]);
});

test("a code is two letters in either case", () => {
  expect(["US", "us", "zz"].every((code) => fits("iso-3166-alpha-2", code) && fits("iso-639-1", code))).toBe(
    true,
  );
  expect(
    ["U", "USA", "U1", "", "ÜS"].some((code) => fits("iso-3166-alpha-2", code) || fits("iso-639-1", code)),
  ).toBe(false);
});

/** Examples of RFC 3986, 1.1.2, and RFC 5321, 4.1.2 and 4.1.3, and what no reading of them allows. */
const BY_FORMAT = {
  url: [
    [
      "http://localhost:9000/hook",
      "http://10.0.0.5/in",
      "ldap://[2001:db8::7]/c=GB?objectClass?one",
      "tel:+1-816-555-1212",
    ],
    ["", "no address", "http://a b/", "http://a/\n", "www.example.com/terms"],
  ],
  email: [
    [
      "ops@localhost",
      "root@build7",
      '"a b"@example.com',
      '"\\""@a.test',
      "a@[192.0.2.1]",
      "o'b+c@example.com",
    ],
    ["", "nobody", "@example.com", "anna@", "a b@example.com", "a@b@c"],
  ],
} as const;
for (const [format, [good, bad]] of Object.entries(BY_FORMAT))
  test(`only what no reading of its standard allows violates the format ${format}`, () => {
    expect(good.filter((value) => !fits(format, value))).toEqual([]);
    expect(bad.filter((value) => fits(format, value))).toEqual([]);
  });

test("a masked value is not checked against a format", () => {
  const masked = ["****", "12••34", "xx", "S█████", "＊", "∗", "■■", "REDACTED", "00000", "US"];
  expect(masked.filter((value) => !fits("masked-or-iso-3166-alpha-2", value))).toEqual([]);
  expect(fits("masked-or-iso-3166-alpha-2", "USA")).toBe(false);
  expect(fits("masked-or-uuid", "no uuid")).toBe(false);
  expect(fits("masked-or-utc-datetime", "2024-05-01T10:00:00Z")).toBe(true);
});
