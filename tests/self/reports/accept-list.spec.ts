/** Accept lists: the fields of an entry, and how fingerprints identify violations. */
import { expect, test } from "@playwright/test";
import { parseAcceptList } from "../../../helpers/accept/accept-list.ts";
import { isExpired } from "../../../helpers/accept/acceptance.ts";
import { fingerprintOf, isFingerprint, requirementOf } from "../../../helpers/accept/fingerprint.ts";

const REQUIREMENT = "card-enrollment.request.consumer.firstName.max-length";
const KNOWN = "card-enrollment.auth.whole-interface@0123456789ab";

const entry = (changes: Readonly<Record<string, string | undefined>> = {}): string => {
  const fields = {
    fingerprint: KNOWN,
    owner: "Anna Moreau",
    reason: "fixed in the next release",
    expires: "2026-12-31",
    ...changes,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return `- ${lines.join("\n  ")}\n`;
};

const parse = (text: string) => parseAcceptList(text, "accept.yaml", isFingerprint);

test("every field of an entry is read", () => {
  expect(parse(`# what we know\n${entry()}`)).toEqual([
    {
      fingerprint: KNOWN,
      owner: "Anna Moreau",
      reason: "fixed in the next release",
      expires: "2026-12-31",
    },
  ]);
});

test("a list from which the last entry was removed is empty", () => {
  expect(parse("# nothing is known to be wrong\n")).toEqual([]);
});

const REFUSED: readonly (readonly [about: string, text: string, says: string])[] = [
  ["no owner", entry({ owner: undefined }), "accept.yaml:1: the entry has no owner"],
  ["an empty owner", entry({ owner: '""' }), "accept.yaml:1: the entry has no owner"],
  ["no reason", `\n\n${entry({ reason: undefined })}`, "accept.yaml:3: the entry has no reason"],
  ["no expiry", entry({ expires: undefined }), "accept.yaml:1: the entry has no expires"],
  ["an expiry that is not a date", entry({ expires: "never" }), 'accept.yaml:1: "never" is not a date'],
  ["a day that is none", entry({ expires: "2026-02-30" }), '"2026-02-30" is not a date'],
  ["no fingerprint", entry({ fingerprint: undefined }), "the entry has no fingerprint"],
  ["a requirement as a fingerprint", entry({ fingerprint: REQUIREMENT }), "is not a fingerprint"],
  ["a field too many", entry({ expiry: "2026-12-31" }), 'unknown field "expiry"'],
  ["one fingerprint twice", entry() + entry(), `accept.yaml:5: ${KNOWN} is accepted at accept.yaml:1 too`],
  ["no list", "owner: Anna", "accept.yaml:1: write a list of entries"],
  ["an entry that is a text", `${entry()}- everything`, "accept.yaml:5: write a list"],
  ["no YAML", "- [", "accept.yaml:1: "],
];

for (const [about, text, says] of REFUSED) {
  test(`a list is refused for ${about}, with its line`, () => {
    expect(() => parse(text)).toThrow(says);
  });
}

test("an entry is valid through its last day", () => {
  const [known] = parse(entry());
  if (known === undefined) throw new Error("There is no entry.");
  expect(isExpired(known, new Date("2026-12-31T23:59:59Z"))).toBe(false);
  expect(isExpired(known, new Date("2027-01-01T00:00:00Z"))).toBe(true);
});

const shown = { operationId: "putCard", pointer: "/consumer/firstName", message: "it was accepted" };

const [PLAN, OTHER_PLAN] = ["1b4e28ba-2fa1-11d2-883f-0016d3cca427", "6fa459ea-ee8a-3ca4-894e-db77e160355e"];
const UNDOCUMENTED = "answered with the undocumented status";

type Pair = readonly [about: string, one: string | object, other: string | object];

/** Pairs of findings, or of messages, that differ only in values that a run or a server generates. */
const SAME: readonly Pair[] = [
  ["a position", { pointer: "/cards/0/id" }, { pointer: "/cards/17/id" }],
  ["a position in the message", "accounts/0/id must be string", "accounts/12/id must be string"],
  ["an amount", "3 of 12 are missing", "1 of 9 are missing"],
  ["a fraction", "they add up to 250.13", "they add up to 1250.1"],
  ["an id", `plan ${PLAN} is gone`, `plan ${OTHER_PLAN} is gone`],
  ["a value", "start=10 was refused", "start=20 was refused"],
  ["a quoted text", 'no "Anna" here', 'no "Ben B." here'],
  ["an address", "sent to http://a.test/x", "sent to http://b.test/"],
  ["a list", "lacks a, b", "lacks c, d, e"],
  [
    "the generated input",
    { message: "name: one letter was accepted", keyword: "format" },
    { message: "name: three letters was accepted", keyword: "format" },
  ],
];

const OTHERS: readonly Pair[] = [
  ["another operation", {}, { operationId: "getCard" }],
  ["another place", {}, { pointer: "/consumer/lastName" }],
  ["another message", {}, "it was refused"],
  ["a numbered field", "line1 is empty", "line2 is empty"],
  ["a place in the message", "items/0/id is", "items/0/name is"],
  ["another status", `${UNDOCUMENTED} 418`, `${UNDOCUMENTED} 500`],
  [
    "another keyword",
    { message: "name: missing was accepted", keyword: "required" },
    { message: "name: number was accepted", keyword: "type" },
  ],
  [
    "a refusal instead of an acceptance",
    { message: "name: longest was refused", keyword: "maxLength" },
    { message: "name: too long was accepted", keyword: "maxLength" },
  ],
];

const fingerprintWith = (part: string | object): string =>
  fingerprintOf(REQUIREMENT, { ...shown, ...(typeof part === "string" ? { message: part } : part) });

for (const [about, one, other] of SAME)
  test(`${about} does not change the fingerprint`, () => {
    expect(fingerprintWith(one)).toBe(fingerprintWith(other));
  });
for (const [about, one, other] of OTHERS)
  test(`${about} changes the fingerprint`, () => {
    expect(fingerprintWith(one)).not.toBe(fingerprintWith(other));
  });

test("a fingerprint names its requirement, and two requirements never share one", () => {
  const fingerprint = fingerprintOf(REQUIREMENT, shown);
  expect(fingerprint).toMatch(/^card-enrollment\.request\.consumer\.firstName\.max-length@[\da-f]{12}$/);
  expect(isFingerprint(fingerprint)).toBe(true);
  expect(requirementOf(fingerprint)).toBe(REQUIREMENT);
  expect(fingerprintOf(`${REQUIREMENT}.x`, shown).slice(-12)).not.toBe(fingerprint.slice(-12));
});
