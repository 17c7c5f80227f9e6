/** Accept lists: the fields of an entry, and how fingerprints identify violations. */
import { expect, test } from "@playwright/test";
import { parseAcceptList } from "../../../helpers/accept/accept-list.ts";
import { isExpired } from "../../../helpers/accept/acceptance.ts";
import { fingerprintOf, isFingerprint, requirementOf } from "../../../helpers/accept/fingerprint.ts";

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

const REFUSED: readonly { readonly about: string; readonly text: string; readonly says: string }[] = [
  { about: "no owner", text: entry({ owner: undefined }), says: "accept.yaml:1: the entry has no owner" },
  { about: "an empty owner", text: entry({ owner: '""' }), says: "accept.yaml:1: the entry has no owner" },
  {
    about: "no reason",
    text: `\n\n${entry({ reason: undefined })}`,
    says: "accept.yaml:3: the entry has no reason",
  },
  {
    about: "no expiry",
    text: entry({ expires: undefined }),
    says: "accept.yaml:1: the entry has no expires",
  },
  {
    about: "an expiry that is not a date",
    text: entry({ expires: "never" }),
    says: 'accept.yaml:1: "never" is not a date',
  },
  { about: "a day that is none", text: entry({ expires: "2026-02-30" }), says: '"2026-02-30" is not a date' },
  { about: "no fingerprint", text: entry({ fingerprint: undefined }), says: "the entry has no fingerprint" },
  {
    about: "a requirement instead of a fingerprint",
    text: entry({ fingerprint: "card-enrollment.auth.whole-interface" }),
    says: "is not a fingerprint",
  },
  { about: "a field too many", text: entry({ expiry: "2026-12-31" }), says: 'unknown field "expiry"' },
  {
    about: "the same fingerprint twice",
    text: entry() + entry(),
    says: `accept.yaml:5: ${KNOWN} is accepted at accept.yaml:1 too`,
  },
  { about: "no list", text: "owner: Anna", says: "accept.yaml:1: write a list of entries" },
  { about: "an entry that is a text", text: `${entry()}- everything`, says: "accept.yaml:5: write a list" },
  { about: "no YAML", text: "- [", says: "accept.yaml:1: " },
];

for (const { about, text, says } of REFUSED) {
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

const REQUIREMENT = "card-enrollment.request.consumer.firstName.max-length";
const shown = { operationId: "putCard", pointer: "/consumer/firstName", message: "it was accepted" };

/** Pairs of findings that differ only in values that a run or a server generates. */
const SAME: readonly { readonly about: string; readonly one: object; readonly other: object }[] = [
  { about: "a position", one: { pointer: "/cards/0/id" }, other: { pointer: "/cards/17/id" } },
  {
    about: "a position in the message",
    one: { message: "accounts/0/id must be string" },
    other: { message: "accounts/12/id must be string" },
  },
  { about: "an amount", one: { message: "3 of 12 are missing" }, other: { message: "1 of 9 are missing" } },
  {
    about: "a fraction",
    one: { message: "they add up to 250.13" },
    other: { message: "they add up to 1250.1" },
  },
  {
    about: "an id",
    one: { message: "plan 1b4e28ba-2fa1-11d2-883f-0016d3cca427 is gone" },
    other: { message: "plan 6fa459ea-ee8a-3ca4-894e-db77e160355e is gone" },
  },
  { about: "a value", one: { message: "start=10 was refused" }, other: { message: "start=20 was refused" } },
  { about: "a quoted text", one: { message: 'no "Anna" here' }, other: { message: 'no "Ben B." here' } },
  {
    about: "an address",
    one: { message: "sent to http://a.test/x" },
    other: { message: "sent to http://b.test/" },
  },
  { about: "a list", one: { message: "lacks a, b" }, other: { message: "lacks c, d, e" } },
  {
    about: "the generated input",
    one: { message: "name: one letter was accepted", keyword: "format" },
    other: { message: "name: three letters was accepted", keyword: "format" },
  },
];

for (const { about, one, other } of SAME) {
  test(`${about} does not change the fingerprint`, () => {
    expect(fingerprintOf(REQUIREMENT, { ...shown, ...one })).toBe(
      fingerprintOf(REQUIREMENT, { ...shown, ...other }),
    );
  });
}

const OTHERS: readonly { readonly about: string; readonly one?: object; readonly other: object }[] = [
  { about: "another operation", other: { operationId: "getCard" } },
  { about: "another place", other: { pointer: "/consumer/lastName" } },
  { about: "another message", other: { message: "it was refused" } },
  { about: "a numbered field", one: { message: "line1 is empty" }, other: { message: "line2 is empty" } },
  {
    about: "a place in the message",
    one: { message: "items/0/id is" },
    other: { message: "items/0/name is" },
  },
  {
    about: "another status",
    one: { message: "answered with the undocumented status 418" },
    other: { message: "answered with the undocumented status 500" },
  },
  {
    about: "another keyword",
    one: { message: "name: missing was accepted", keyword: "required" },
    other: { message: "name: number was accepted", keyword: "type" },
  },
  {
    about: "a refusal instead of an acceptance",
    one: { message: "name: longest was refused", keyword: "maxLength" },
    other: { message: "name: too long was accepted", keyword: "maxLength" },
  },
];

for (const { about, one = {}, other } of OTHERS) {
  test(`${about} changes the fingerprint`, () => {
    expect(fingerprintOf(REQUIREMENT, { ...shown, ...one })).not.toBe(
      fingerprintOf(REQUIREMENT, { ...shown, ...other }),
    );
  });
}

test("a fingerprint names its requirement, and two requirements never share one", () => {
  const fingerprint = fingerprintOf(REQUIREMENT, shown);
  expect(fingerprint).toMatch(/^card-enrollment\.request\.consumer\.firstName\.max-length@[\da-f]{12}$/);
  expect(isFingerprint(fingerprint)).toBe(true);
  expect(requirementOf(fingerprint)).toBe(REQUIREMENT);
  expect(fingerprintOf(`${REQUIREMENT}.x`, shown).slice(-12)).not.toBe(fingerprint.slice(-12));
});
