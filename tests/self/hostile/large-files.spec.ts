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

type Row = readonly [about: string, text: () => string, says: RegExp];

const CERTIFICATES: readonly Row[] = [
  ["of an older version", () => certificateWith({ format: "certificate/0" }), /certificate\/0/],
  ["of a newer version", () => certificateWith({ format: "certificate/2" }), /certificate\/2/],
  ["of null", () => "null", /is not a certificate/],
  ["of a million levels", () => "[".repeat(MILLION) + "]".repeat(MILLION), /is not a cert/],
  ["without its parts", () => '{"format":"certificate/1"}', /not a complete certificate/],
  ["with findings of null", () => certificateWith({ findings: [null] }), /findings\/0 is no/],
  [
    "of a million zeros",
    () => certificateOf("requirements", `[${many(() => "0", ",")}]`),
    /requirements\/0 is no object/,
  ],
  ["of 100 MB", () => `"${"x".repeat(100 * MILLION)}"`, /at most 64 MB are read/],
];

const LISTS: readonly Row[] = [
  ["of a million empty entries", () => many(() => "- {}", "\n"), /:1: the entry has no fingerprint/],
  ["of a million words", () => `[${many(() => "a", ",")}]`, /:1: write a list of entries/],
  ["of 110 MB", () => many((index) => `- fingerprint: ${"x".repeat(90)}${index}`, "\n"), /at most 16 MB/],
  ["with an alias of nothing", () => "- fingerprint: *nowhere", /:1: Unresolved alias/],
  [
    "with a bomb of aliases",
    () => `- fingerprint: [&a [x,x,x,x,x,x,x,x,x], ${BOMB.join(", ")}]`,
    /:1: Excessive alias count/,
  ],
  ["of 100,000 levels", () => `- owner: ${"[".repeat(100_000)}`, /:1: /],
  ["with a list as a name", () => "- ? [a]\n  : 1", /:1: /],
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

for (const [about, text, says] of CERTIFICATES) {
  test(`a certificate ${about} is refused in one line`, LONG, async () => {
    const file = join(await temporary(), "certificate.json");
    await writeFile(file, text());
    for (const { command, args } of COMMANDS) await expectComplaint(command, args(file), says);
  });
}

for (const [about, text, says] of LISTS) {
  test(`an accept list ${about} is refused in one line`, LONG, async () => {
    const file = join(await temporary(), "accept.yaml");
    await writeFile(file, text());
    await expectComplaint("certify", [`--accept=${file}`], says);
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
