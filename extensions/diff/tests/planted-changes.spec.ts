/** Ten kinds of changes: `diff` names each, a run against the new version shows each, and a recording what its client met. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { certify, type Mock, run, startMock, temporary } from "../../../tests/self/support/command.ts";

type Json = Readonly<Record<string, unknown>>;

const json = (schema: Json = {}, type = "application/json") => ({ [type]: { schema } });
const answers = (schema: Json = {}, status = 200) => ({
  responses: { [status]: { description: "ok", content: json({ type: "object", ...schema }) } },
});
const shows = (count: Json) => answers({ required: ["count"], properties: { count } });
const takes = (content: Json) => ({ requestBody: { required: true, content }, ...answers() });
const value = (schema: Json) => takes(json({ type: "object", properties: { value: schema } }));
const limit = { name: "limit", in: "query", required: true, schema: { type: "integer", minimum: 1 } };
const NOTES = "application/vnd.notes+json";

/** What the comparison says, an operation of both versions, and the body with which the client calls it. */
const ROWS: Readonly<Record<string, readonly [words: string, old: Json, revision: Json, body?: Json]>> = {
  type: ["type changed", shows({ type: "integer", minimum: 10_000 }), shows({ type: "string" })],
  removed: ["operation removed", answers(), {}],
  moved: ["path changed", answers(), { path: "/elsewhere", ...answers() }],
  required: ["parameter added, required", answers(), { parameters: [limit], ...answers() }],
  length: ["maximum length", value({ maxLength: 9 }), value({ maxLength: 5 }), { value: "seventh" }],
  values: ["value removed", value({ enum: ["a", "b"] }), value({ enum: ["a"] }), { value: "b" }],
  media: [`${NOTES} removed`, takes({ ...json(), ...json({}, NOTES) }), takes(json()), {}],
  open: ["none at all removed", { security: [], ...answers() }, answers()],
  status: ["status added", value({}), { ...value({}), ...answers({}, 202) }, {}],
  null: ["null removed", value({ type: ["string", "null"] }), value({ type: "string" }), { value: null }],
};

/** Writes a version of the document, in a folder of its own: the file has the name of the service. */
const written = async (version: string, side: 1 | 2): Promise<string> => {
  const paths = Object.entries(ROWS).flatMap(([operationId, row]) => {
    const { path = `/${operationId}`, ...operation } = row[side] as Json & { readonly path?: string };
    const method = "requestBody" in operation ? "post" : "get";
    return "responses" in operation ? [[path, { [method]: { operationId, ...operation } }]] : [];
  });
  const key = { type: "apiKey", in: "header", name: "X-Key" };
  const folder = join(await temporary(), version);
  await mkdir(folder);
  const document = { openapi: "3.1.0", info: { title: "Things", version }, security: [{ key: [] }] };
  const whole = { ...document, paths: Object.fromEntries(paths), components: { securitySchemes: { key } } };
  await writeFile(join(folder, "things.json"), JSON.stringify(whole));
  return join(folder, "things.json");
};

/** A client of the old version, which sends on what one answer shows. */
const CLIENT = `
let count = "";
for (const [name, [, , , body]] of Object.entries(${JSON.stringify(ROWS)})) {
  const type = name === "media" ? "${NOTES}" : "application/json";
  const headers = { ...(name !== "open" && { "x-key": "key-of-key" }), ...(body && { "content-type": type }) };
  const given = body && { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(process.env.THINGS_BASE_URL + "/" + name + "?after=" + count, { headers, ...given });
  if (name === "type") count = (await answer.json()).count;
}`;

const at = (document: string, { baseUrls: { things = "" } }: Mock) => [
  ...["--document", document, "--url", things, "--header", "X-Key: key-of-key"],
];

test("changes of ten kinds are named by diff, by a run with a baseline, and by the judge of a recording", async () => {
  const [old, revision] = [await written("1", 1), await written("2", 2)];
  const { stdout } = await run("diff", [old, revision]);
  expect(stdout).toMatch(/^10 breaking, /m);
  const lineOf = (words: string) => stdout.split("\n").find((line) => line.includes(words));
  const changes = Object.entries(ROWS).map(([kind, [words]]) => [kind, lineOf(words)?.slice(-14)] as const);

  const [before, after] = [await startMock(["--document", old]), await startMock(["--document", revision])];
  const out = await temporary();
  const client = [process.execPath, "--input-type=module", "--eval", CLIENT];
  const recorded = await run("proxy", [...at(old, before), "--out", out, "--", ...client]);
  expect(recorded.code, recorded.stdout + recorded.stderr).toBe(0);
  const quick = ["--depth", "quick", "--baseline"];
  const { out: was } = await certify([...at(old, before), "--depth", "quick"]);
  const baseline = join(was, "certificate.json");
  const { certificate } = await certify([...at(revision, after), ...quick, baseline]);
  const ids = changes.map(([, change]) => `things.change.${change}`);
  const verdictsOf = ({ requirements }: Certificate) =>
    ids.map((id) => requirements.find((one) => one.id === id)?.verdict);
  expect(verdictsOf(certificate)).toEqual(ids.map(() => "advisory"));
  expect(certificate.summary).toMatchObject({ failed: 0, blocked: 0 });
  expect(certificate.comparison?.regressions).toBe(ids.length);
  expect(certificate.findings[0]?.replay).toContain(`--since ${old} --requirement things.change.`);

  // The old version never answers with the new status.
  const still = await certify([...at(revision, before), ...quick, baseline, "--requirement", ids.join()]);
  const held = changes.map(([kind]) => (kind === "status" ? "not-tried" : "passed"));
  expect(verdictsOf(still.certificate)).toEqual(held);
  await Promise.all([before.stop(), after.stop()]);

  const [log = ""] = (await readdir(out)).filter((name) => name.endsWith(".ndjson"));
  const into = ["--out", join(out, "judged"), join(out, log)];
  const judged = await run("judge", ["--document", revision, "--since", old, ...into]);
  for (const [, change] of changes) expect(judged.stdout).toContain(`${change} `);
  await writeFile(old, `${await readFile(old, "utf8")} `);
  const edited = await run("certify", [...at(revision, after), ...quick, baseline, "--plan", "--out", out]);
  expect(edited.stderr).toContain(`the document 1 of the baseline is not in ${old} any more`);
});
