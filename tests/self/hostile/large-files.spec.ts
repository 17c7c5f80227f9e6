/**
 * Certificates and accept lists of other versions, with a million entries, or hostile: each command says in one line
 * what is wrong, in bounded time.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { compareCertificates } from "../../../reports/certificate/comparison.ts";
import { readBaseline } from "../../../reports/folder/baseline.ts";
import { largeCertificate } from "../reports/large-certificate.ts";
import { type Command, run, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

const MILLION = 1_000_000;

/** The longest that a reading may take, in seconds of processor time: some seconds, and more on a busy machine. */
const LONGEST_S = 60;

const SMALL = largeCertificate({ requirements: 40, findings: 8 });

const many = (entry: (index: number) => string, separator: string): string =>
  Array.from({ length: MILLION }, (_, index) => entry(index)).join(separator);

const certificateWith = (parts: object): string => JSON.stringify({ ...SMALL, ...parts });

/** @param list JSON text of the list */
const certificateOf = (name: string, list: string): string =>
  certificateWith({ [name]: [] }).replace(`"${name}":[]`, () => `"${name}":${list}`);

/** Lists within lists by aliases, a billion items in all. */
const BOMB = [..."bcdefghi"].map((name, at) => {
  const inner = `*${"abcdefghi"[at]}`;
  return `&${name} [${Array(9).fill(inner).join()}]`;
});

interface Row {
  readonly about: string;
  readonly text: () => string;
  readonly says: RegExp;
}

const CERTIFICATES: readonly Row[] = [
  {
    about: "of an older version",
    text: () => certificateWith({ format: "certificate/0" }),
    says: /certificate\/0/,
  },
  {
    about: "of a newer version",
    text: () => certificateWith({ format: "certificate/2" }),
    says: /certificate\/2/,
  },
  { about: "of null", text: () => "null", says: /is not a certificate/ },
  {
    about: "of a million levels",
    text: () => "[".repeat(MILLION) + "]".repeat(MILLION),
    says: /is not a cert/,
  },
  {
    about: "without its parts",
    text: () => '{"format":"certificate/1"}',
    says: /not a complete certificate/,
  },
  {
    about: "with findings of null",
    text: () => certificateWith({ findings: [null] }),
    says: /findings\/0 is no/,
  },
  {
    about: "of a million zeros",
    text: () => certificateOf("requirements", `[${many(() => "0", ",")}]`),
    says: /requirements\/0 is no object/,
  },
  { about: "of 100 MB", text: () => `"${"x".repeat(100 * MILLION)}"`, says: /at most 64 MB are read/ },
];

const LISTS: readonly Row[] = [
  {
    about: "of a million empty entries",
    text: () => many(() => "- {}", "\n"),
    says: /:1: the entry has no fingerprint/,
  },
  {
    about: "of a million words",
    text: () => `[${many(() => "a", ",")}]`,
    says: /:1: write a list of entries/,
  },
  {
    about: "of 110 MB",
    text: () => many((index) => `- fingerprint: ${"x".repeat(90)}${index}`, "\n"),
    says: /at most 16 MB/,
  },
  { about: "with an alias of nothing", text: () => "- fingerprint: *nowhere", says: /:1: Unresolved alias/ },
  {
    about: "with a bomb of aliases",
    text: () => `- fingerprint: [&a [x,x,x,x,x,x,x,x,x], ${BOMB.join(", ")}]`,
    says: /:1: Excessive alias count/,
  },
  { about: "of 100,000 levels", text: () => `- owner: ${"[".repeat(100_000)}`, says: /:1: / },
  { about: "with a list as a name", text: () => "- ? [a]\n  : 1", says: /:1: / },
];

const COMMANDS: readonly { readonly command: Command; readonly args: (file: string) => string[] }[] = [
  { command: "certify", args: (file) => ["--baseline", file] },
  { command: "replay", args: (file) => [file, "f-1"] },
  { command: "requirements", args: (file) => ["--service", "installments", "--certificate", file] },
];

/** Expects exit 2 with one line, and nothing of a stack. */
const expectComplaint = async (command: Command, args: string[], says: RegExp): Promise<void> => {
  const out = command === "certify" ? ["--out", join(await temporary(), "out")] : [];
  const ended = await run(command, [...args, ...out]);
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  expect(ended.stderr.length).toBeLessThan(1_000);
  expect(ended.code).toBe(2);
};

for (const { about, text, says } of CERTIFICATES) {
  test(`a certificate ${about} is refused in one line`, LONG, async () => {
    const file = join(await temporary(), "certificate.json");
    await writeFile(file, text());
    for (const { command, args } of COMMANDS) await expectComplaint(command, args(file), says);
  });
}

for (const { about, text, says } of LISTS) {
  test(`an accept list ${about} is refused in one line`, LONG, async () => {
    const file = join(await temporary(), "accept.yaml");
    await writeFile(file, text());
    await expectComplaint("certify", ["--accept", file], says);
  });
}

const PARTS: readonly (readonly [name: keyof Certificate, entry: (index: number) => string])[] = [
  ["requirements", (at) => `{"id":"${at}","service":"s","level":"","verdict":""}`],
  ["findings", () => '{"id":"","requirement":"","message":"","fingerprint":""}'],
];

for (const [name, entry] of PARTS) {
  test(`a baseline with a million ${name} is compared`, LONG, async () => {
    const file = join(await temporary(), "certificate.json");
    await writeFile(file, certificateOf(name, `[${many(entry, ",")}]`));
    const before = process.cpuUsage();
    const { changes } = compareCertificates(JSON.parse(readBaseline(file)) as Certificate, SMALL);
    const { user, system } = process.cpuUsage(before);
    expect(changes.length).toBeLessThanOrEqual(SMALL.requirements.length);
    expect((user + system) / 1e6, "the processor time in seconds").toBeLessThan(LONGEST_S);
  });
}
