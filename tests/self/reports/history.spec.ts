/** The history of a target: kept by each run, shown by its certificate. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { openHistory, withHistory } from "../../../reports/folder/history.ts";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { run, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { largeCertificate } from "./large-certificate.ts";

const { history: _history, ...SMALL } = largeCertificate({ requirements: 60, findings: 6 });

const at = (day: number, changes: Partial<Certificate> = {}): Certificate => ({
  ...SMALL,
  startedAt: `2026-01-0${day}T00:00:00.000Z`,
  ...changes,
});

test("a certificate shows the earlier whole runs of the same services on the same target", async () => {
  const folder = openHistory(await temporary());
  const other = { ...SMALL.target, name: "other" };
  const two = { ...SMALL.summary, failed: 2 };
  withHistory(folder, at(2, { summary: two }));
  withHistory(folder, at(1));
  withHistory(folder, at(3, { target: other }));
  withHistory(folder, at(4, { half: "caller" }));
  withHistory(folder, at(5, { partial: true }));
  const { history = [] } = withHistory(folder, at(6));
  expect(history.map(({ startedAt, failed }) => [startedAt.slice(0, 10), failed])).toEqual([
    ["2026-01-01", 6],
    ["2026-01-02", 2],
    ["2026-01-06", 6],
  ]);
  expect(renderHtml(at(6))).not.toContain('id="history"');
});

test("a file that is no run of the history is named", async () => {
  const folder = await temporary();
  await writeFile(join(folder, "run-1.json"), "{}");
  await writeFile(join(folder, "notes.txt"), "mine");
  expect(() => withHistory(folder, at(1))).toThrow(/run-1\.json is not a run of the history/);
  const file = join(folder, "notes.txt");
  expect(() => openHistory(file)).toThrow("The folder of the history can't be used");
});

test("a run keeps itself, and the next one shows what changed in behaviour", LONG, async () => {
  const [folder, out] = [await temporary(), await temporary()];
  const args = ["--service", "installments", "--depth", "quick", "--history", folder, "--out", out];
  expect(await run("certify", args)).toMatchObject({ code: 0 });
  expect(await run("certify", args)).toMatchObject({ code: 0 });
  const { history } = JSON.parse(await readFile(join(out, "certificate.json"), "utf8")) as Certificate;
  expect(history?.map(({ failed, drift }) => [failed, drift])).toEqual([
    [0, null],
    [0, 0],
  ]);
  const [file = ""] = await readdir(folder);
  const kept = JSON.parse(await readFile(join(folder, file), "utf8"));
  const { register, ...before } = kept;
  const changed = register.map((one: { value: unknown }) => one.value && { ...one, value: ["otherwise"] });
  await writeFile(join(folder, file), JSON.stringify({ ...before, register: changed.filter(Boolean) }));
  await run("certify", args);
  const last = JSON.parse(await readFile(join(out, "certificate.json"), "utf8")) as Certificate;
  expect(last.history?.[1]?.drift).toBeGreaterThan(0);
  expect(await readFile(join(out, "certificate.html"), "utf8")).toContain('id="history"');
});
