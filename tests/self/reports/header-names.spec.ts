/** The traits of an answer that are listed with the names of its headers. */
import { expect, test } from "@playwright/test";
import { headerNames } from "../../../helpers/behaviour/header-names.ts";

const PADDED = "(numbers with trailing zeros)";

const namesWith = (body: string): string[] =>
  headerNames({ status: 200, headers: {}, body: Buffer.from(body), json: undefined }, false);

for (const body of ["[1.0]", '{"a":-12.50}', '{ "a" : 1.5, "b" : 3.10\n}', "[1.5, 2.00 ]"]) {
  test(`numbers with trailing zeros: ${body.replaceAll("\n", " ")}`, () => {
    expect(namesWith(body)).toEqual([PADDED]);
  });
}

for (const body of [
  "",
  "1.0",
  "[1.5]",
  "[10]",
  '{"a":"1.0"}',
  '["v1.10, 2"]',
  "[1.0e3]",
  "[.0]",
  "[1.]",
  "[1.0",
]) {
  test(`no numbers with trailing zeros: ${body}`, () => {
    expect(namesWith(body)).toEqual([]);
  });
}
