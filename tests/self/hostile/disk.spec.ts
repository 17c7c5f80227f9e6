/** A machine that gives no more: one line, the right exit code, and no file that is only half there. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { ROOT, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

const SELECTION = "--service card-enrollment --requirement card-enrollment.response.json-body --depth quick";

/** Runs a line of bash, in which `$0` is Node.js and `$1` the folder for results. */
const inBash = (line: string, out: string, environment: Record<string, string> = {}) =>
  spawnSync("bash", ["-c", line, process.execPath, out], {
    cwd: ROOT,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: "1", ...environment },
  });

const CERTIFY = `"$0" bin/start.cjs certify ${SELECTION} --out "$1"`;

/** Runs certify with a limit for the size of a file, in kilobytes. A full disk ends in the same way. */
const certifyWithin = (kilobytes: number, out: string) =>
  inBash(`ulimit -f ${kilobytes}; exec "$0" --import tsx bin/certify.ts ${SELECTION} --out "$1"`, out);

test("if not even the first file can be written, the run does not start, and leaves nothing", async () => {
  const out = join(await temporary(), "new", "out");
  const { status, stdout, stderr } = certifyWithin(20, out);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(
    /^--out .*: no results can be written there \(it would exceed the limit for the size of a file\)\. Choose another folder\.\n$/,
  );
  expect(existsSync(join(out, ".."))).toBe(false);
});

test(
  "if a file can't be written at the end, the run is incomplete, and every file is whole",
  LONG,
  async () => {
    const out = await temporary();
    const { status, stderr } = certifyWithin(130, out);
    expect([status, stderr.split("\n").slice(1)]).toEqual([
      3,
      ["The results can't be written: EFBIG: file too large, write", ""],
    ]);
    expect(readCertificate(out)).toMatchObject({
      outcome: "incomplete",
      problems: ["Not all results could be written: EFBIG."],
    });
    expect(readdirSync(out).toSorted()).toEqual([".assay-out.json", "certificate.json"]);
  },
);

const NO_SCRATCH = [
  { about: "absent", folder: "/no/such/folder", why: "there is no such file or folder" },
  { about: "a file", folder: "/dev/null", why: "a part of its path is not a folder" },
] as const;

for (const { about, folder, why } of NO_SCRATCH) {
  test(`a TMPDIR that is ${about} is named in one line`, async () => {
    const line = `TMPDIR: no folder can be made in ${folder}: ${why}. Set it to a folder that can be written.\n`;
    const out = await temporary();
    const run = inBash(CERTIFY, out, { TMPDIR: folder });
    expect([run.status, run.stderr.replace(/^Trying .*\n/, "")]).toEqual([3, line]);
    const certificate = readCertificate(out);
    expect(certificate?.outcome).toBe("incomplete");
    expect(certificate?.problems).toContain(line.trimEnd());
    const plan = inBash(`${CERTIFY} --plan`, out, { TMPDIR: folder });
    expect([plan.status, plan.stderr.replace(/^Counting .*\n/, "")]).toEqual([2, line]);
  });
}

const LIST = `"$0" bin/start.cjs requirements`;
const HELD = `unshare -rn true || exit 77; unshare -rn ${CERTIFY}`;
const OUT_OF_MEMORY = `"$0" --import tsx --input-type=module -e 'import { runCommand } from "./runner/command/run-command.ts";
  await runCommand(async () => { throw new RangeError("Array buffer allocation failed"); })'`;
const NUL = `echo '{"openapi":"3.1.0","paths":{"/a":{"$ref":"\\u0000.yaml"}}}' > "$1/a"; "$0" bin/start.cjs diff "$1/a" "$1/a"`;

const PROBLEMS: readonly [line: string, code: number, says: string][] = [
  [`${CERTIFY} > /dev/full`, 3, "The output can't be written: the disk is full."],
  [`${LIST} > /dev/full`, 3, "The output can't be written: the disk is full."],
  [HELD, 3, "can't be used: this machine has no network for it; loopback has to be up."],
  [OUT_OF_MEMORY, 3, "This can't go on: the memory is used up."],
  [
    `"$0" bin/start.cjs mock --host 192.0.2.1`,
    2,
    "192.0.2.1 can't be used: this machine has no such address.",
  ],
  [NUL, 2, "names no file. Correct the reference or add what it names."],
];
for (const [line, code, says] of PROBLEMS)
  test(`${line.split("\n", 1)[0]} ends with ${code}: ${says}`, async () => {
    const { status, stderr } = inBash(line, await temporary());
    test.skip(status === 77, "this machine allows no namespaces");
    const [first = "", ...others] = stderr
      .replace(/^Trying .*\n/, "")
      .trimEnd()
      .split("\n");
    expect([status, first, others]).toEqual([code, expect.stringContaining(says), []]);
  });

test("the next process removes the folders of a killed one", async () => {
  const TMPDIR = await temporary();
  const make = `"$0" --import tsx --input-type=module -e 'import { temporaryFolder } from "./helpers/contract/process-end.ts";
    temporaryFolder("a"); process.kill(process.pid, process.argv[1])'`;
  for (const [signal, left] of [
    ["SIGKILL", 1],
    ["SIGTERM", 0],
  ] as const) {
    inBash(`${make} ${signal}`, "", { TMPDIR });
    expect(readdirSync(TMPDIR).filter((name) => name.startsWith("assay-"))).toHaveLength(left);
  }
});

test("a limit of open files that is too low is named in one line", async () => {
  const { status, stdout, stderr } = inBash(`ulimit -n 64; ${CERTIFY}`, await temporary());
  expect([status, stdout]).toEqual([3, ""]);
  expect(stderr).toBe("Too many files are open. Raise the limit, for example with: ulimit -n 1024\n");
});

test("a reader that closes the pipe early, as head does, changes nothing", async () => {
  const { stderr } = inBash(`{ ${CERTIFY}; echo "code $?" >&2; } | true`, await temporary());
  expect(stderr.replace(/^Trying .*\n/, "")).toBe("code 0\n");
});
