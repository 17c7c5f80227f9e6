/** A disk that takes no more: one line, the right exit code, and no file that is only half there. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { readCertificate } from "../../../reports/certificate-file.ts";
import { ROOT, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

/** Runs certify with a limit for the size of a file, in kilobytes. A full disk ends in the same way. */
const certifyWithin = (kilobytes: number, out: string) => {
  const selection =
    "--service card-enrollment --requirement card-enrollment.response.json-body --depth quick";
  const command = `ulimit -f ${kilobytes}; exec "$0" --import tsx bin/certify.ts ${selection} --out "$1"`;
  return spawnSync("bash", ["-c", command, process.execPath, out], {
    cwd: ROOT,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: "1" },
  });
};

test("if not even the first file can be written, the run does not start, and leaves nothing", async () => {
  const out = join(await temporary(), "new", "out");
  const { status, stdout, stderr } = certifyWithin(20, out);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(
    /^Trying .*\n--out .*: no results can be written there \(it would exceed the limit for the size of a file\)\. Choose another folder\.\n$/,
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
