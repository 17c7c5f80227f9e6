/** Similar credentials differ from the right one, and no server may take them for it. */
import { expect, test } from "@playwright/test";
import { CREDENTIAL_SLIPS } from "../../../helpers/trials/from-contract/similar-credentials.ts";

const similarTo = (value: string) => CREDENTIAL_SLIPS.map(({ change }) => change(value));

test("each slip changes a key in its own way", () => {
  expect(similarTo("Key-of-example-01")).toEqual([
    "kEY-OF-EXAMPLE-01",
    "Key-of-exampl",
    "Key-of-example-010000",
    "of-example-01",
    "0000Key-of-example-01",
    "Key-of-eaample-01",
  ]);
});

test("the letter case of hexadecimal digits is not changed, since either case may mean the same", () => {
  const [otherCase] = similarTo("2f1c7a52-6d3e-4b8a-9c01-5e7f8a9b0c1d");
  expect(otherCase).toBeUndefined();
});

test("a value that is too short for a slip has no similar value of that kind", () => {
  expect(similarTo("7")).toEqual([undefined, undefined, "70000", undefined, "00007", "a"]);
});
