/** Ends commands by a signal. They leave no folder for temporary files. */
import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { outcomeOf, start } from "../support/command.ts";
import { isInSample, LONG } from "../support/lanes.ts";
import { expectGone } from "../support/processes.ts";

const DOCUMENT = fileURLToPath(
  new URL("../../../extensions/document/tests/documents/drafts.yaml", import.meta.url),
);
/** Nothing listens at this address. */
const NOWHERE = ["--url", "http://127.0.0.1:9"];

/** Commands, and the part of a folder's name for which the signal waits. */
const COMMANDS = [
  ["mock", ["--document", DOCUMENT], "document"],
  ["proxy", ["--document", DOCUMENT, ...NOWHERE], "document"],
  ["certify", ["--document", DOCUMENT, ...NOWHERE, "--plan"], "document"],
  ["certify", ["--service", "card-enrollment", "--plan"], "plan"],
  ["certify", ["--service", "card-enrollment", "--plan"], "scratch"],
  ["certify", ["--service", "card-enrollment"], "scratch"],
  ["bench", ["goals"], "bench"],
] as const;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const ROWS = COMMANDS.flatMap((command) => SIGNALS.map((signal) => [...command, signal] as const));

for (const [index, [name, args, awaited, signal]] of ROWS.entries()) {
  const options = args.filter((one) => one.startsWith("--"));
  const words = `${[name, ...options].join(" ")}, ended by ${signal} when it has the folder ${awaited}, leaves no folder`;
  test(words, isInSample(index, 10) ? {} : LONG, async () => {
    const TMPDIR = test.info().outputPath("temporary");
    await mkdir(TMPDIR);
    const folders = (): string[] => readdirSync(TMPDIR).filter((one) => one.startsWith("assay-"));
    const out = name === "certify" || name === "proxy" ? ["--out", test.info().outputPath("out")] : [];
    const child = start(name, [...args, ...out], { TMPDIR }, { leads: true });
    const ended = outcomeOf(child);
    await expect
      .poll(folders, { timeout: 60_000, intervals: [10] })
      .toContainEqual(expect.stringContaining(awaited));
    const group = -(child.pid ?? Number.NaN);
    process.kill(group, signal);
    await ended;
    await expectGone([{ pid: group }]);
    expect(folders()).toEqual([]);
  });
}
