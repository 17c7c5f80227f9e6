/** Accepted changes of a diff: they do not affect the exit code. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { accepts as acceptance } from "../../../tests/self/reports/reports-data.ts";
import { run, temporary } from "../../../tests/self/support/command.ts";
import { acceptChanges, hasStaleAcceptance, isDiffFingerprint } from "../accepted.ts";
import { asRequest, diffOf, documentFrom, filesOf, pairOf } from "./small-documents.ts";

const PAIR = pairOf([9, 5], (maxLength) => documentFrom(asRequest({ type: "string", maxLength })));
const DIFF = diffOf(...PAIR);
const FINGERPRINT = DIFF.entries[0]?.fingerprint ?? "";
const GONE = "d-000000000000";
const TODAY = new Date("2026-06-15T12:00:00Z");

const accepts = (fingerprint: string, expires = "2099-12-31") => acceptance(fingerprint, expires);
const accepted = (...entries: ReturnType<typeof accepts>[]) =>
  acceptChanges(DIFF, { file: "accept.yaml", entries }, TODAY);

test("fingerprints of a diff are distinguished from others", () => {
  expect(isDiffFingerprint(FINGERPRINT)).toBe(true);
  for (const text of ["d-12", `${FINGERPRINT}0`, "card-enrollment.a@0123456789ab"])
    expect(isDiffFingerprint(text)).toBe(false);
});

test("an entry is valid through its last day, and stale if there is no such change", () => {
  const states = (...entries: ReturnType<typeof accepts>[]) => {
    const diff = accepted(...entries);
    return [diff.accepted?.entries.map(({ state }) => state), diff.entries[0]?.accepted !== undefined];
  };
  expect(states(accepts(FINGERPRINT))).toEqual([["in-force"], true]);
  expect(states(accepts(FINGERPRINT, "2026-06-15"))).toEqual([["in-force"], true]);
  expect(states(accepts(FINGERPRINT, "2026-06-14"))).toEqual([["expired"], false]);
  expect(states(accepts(GONE, "2020-01-01"))).toEqual([["stale"], false]);
  expect(hasStaleAcceptance(accepted(accepts(GONE)))).toBe(true);
  expect(hasStaleAcceptance(accepted(accepts(FINGERPRINT)))).toBe(false);
});

test("an accepted change keeps its class and its witness", () => {
  const diff = accepted(accepts(FINGERPRINT), accepts(GONE));
  expect(diff.entries[0]).toMatchObject({ class: "breaking", judged: DIFF.entries[0]?.judged });
});

test("the command counts only changes that are not accepted, and fails for a stale entry", async () => {
  const folder = await temporary();
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const documents = await filesOf(...PAIR);
  const list = (name: string, ...entries: ReturnType<typeof accepts>[]) =>
    write(name, JSON.stringify(entries));
  const files = [
    await list("known.yaml", accepts(FINGERPRINT)),
    await list("expired.yaml", accepts(FINGERPRINT, "2020-01-01")),
    await list("stale.yaml", accepts(FINGERPRINT), accepts(GONE)),
    await write("broken.yaml", "- fingerprint: d-1\n"),
  ];
  const ended = await Promise.all(
    files.map((file) => run("diff", [...documents, "--fail-on", "changed", "--accept", file])),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 1, 1, 2]);
  expect(ended[3]?.stderr).toContain("broken.yaml:1: the entry has no owner");
});
