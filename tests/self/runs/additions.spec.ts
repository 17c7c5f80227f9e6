/**
 * Adds one of each kind to a copy of the checkout, in the files that ARCHITECTURE.md names and in no others, and runs it:
 * an operation, a behaviour with its fault, a check, a rule of callers, and a renderer.
 */
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import type { Matrix } from "../../../reports/certificate/matrix.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { matrixPath } from "../../../reports/folder/matrix-file.ts";
import { copyOfCheckout } from "../support/checkout.ts";
import { ROOT, run, runTool, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

const FILES = fileURLToPath(new URL("./room-bookings/", import.meta.url));
const ADDITIONS = fileURLToPath(new URL("./additions/", import.meta.url));
const SERVICE = "room-bookings";

let root = "";

test.describe.configure({ mode: "default" });

test.beforeAll(async () => {
  root = await copyOfCheckout();
  for (const folder of await readdir(FILES)) {
    await mkdir(join(root, folder, SERVICE));
    for (const file of await readdir(join(FILES, folder)))
      await cp(join(FILES, folder, file), join(root, folder, SERVICE, file.replace(/\.txt$/, "")));
  }
});

test.afterAll(() => rm(root, { recursive: true, force: true }));

/** The file to which a text of `additions/` is added, after a text that it contains, or at its end. */
type Edit = readonly [file: string, addition: string, after?: string];

/** Makes the edits of one row of ARCHITECTURE.md, after it has shown that the row names each file. */
const add = async (row: string, ...edits: readonly Edit[]): Promise<void> => {
  const places = await placesOf(row);
  for (const [file, addition, after] of edits) {
    const isNamed = places.some((place) => isAt(place, file));
    expect(isNamed, `${file} is named for ${row}`).toBe(true);
    const path = join(root, file);
    const text = await readFile(join(ADDITIONS, `${addition}.txt`), "utf8");
    if (after === undefined) {
      await appendFile(path, text);
      continue;
    }
    const content = await readFile(path, "utf8");
    expect(content).toContain(after);
    await writeFile(
      path,
      content.replace(after, () => `${after}${text}`),
    );
  }
};

/** Returns the places that a row of ARCHITECTURE.md names, or of the page of an extension. */
const placesOf = async (row: string): Promise<string[]> => {
  const page = row === "a rule of callers" ? "extensions/client/README.md" : "ARCHITECTURE.md";
  const lines = (await readFile(join(ROOT, page), "utf8")).split("\n");
  const line = lines.find((one) => one.startsWith(`| ${row} |`)) ?? "";
  expect(line, `${page} says where to add ${row}`).not.toBe("");
  return [...line.matchAll(/`([^`\s]+)`/g)].map(([, place = ""]) => place);
};

/** Whether a place, such as `mocks/<service>/` or `*.scenarios.ts`, names a file. */
const isAt = (place: string, file: string): boolean => {
  const pattern = place
    .replaceAll(/[.+?^$()[\]{}|\\]/g, "\\$&")
    .replaceAll("<service>", "[^/]+")
    .replaceAll("*", "[^/]*");
  return new RegExp(`(?:^|/)${pattern}${place.endsWith("/") ? "" : "$"}`).test(file);
};

/** Certifies the sandbox of the copy. @returns the verdicts by requirement */
const verdicts = async (...flags: string[]): Promise<Record<string, string>> => {
  const out = await temporary();
  const { code, stdout, stderr } = await run("certify", [...flags, "--out", out], {}, root);
  expect(code, `${stdout}${stderr}`).toBe(0);
  const { requirements = [] } = readCertificate(out) ?? {};
  return Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));
};

/** Runs a matrix of the copy. @returns the status of each row by its subject */
const matrix = async (...flags: string[]): Promise<Record<string, string>> => {
  const out = await temporary();
  const { code, stdout, stderr } = await run("mutation", [...flags, "--out", out], {}, root);
  expect(code, `${stdout}${stderr}`).toBe(0);
  const { rows } = JSON.parse(await readFile(matrixPath(out), "utf8")) as Matrix;
  return Object.fromEntries(rows.map(({ subject, status }) => [subject, status]));
};

const HANDLERS = `mocks/${SERVICE}/service.ts`;
const TRIALS = `tests/${SERVICE}/trials.ts`;

test("an operation", async () => {
  await add(
    "an operation",
    [`schemas/${SERVICE}/openapi.yaml`, "operation.yaml", "paths:\n"],
    [HANDLERS, "operation-handler.ts", "handlers: {\n"],
  );
  expect(await verdicts("--service", SERVICE, "--operation", "listRooms")).toMatchObject({
    "room-bookings.listRooms.success": "passed",
    "room-bookings.listRooms.response.rooms.required": "passed",
  });
});

test("a behaviour, and a fault that violates it", async () => {
  await add(
    "a behaviour",
    [`schemas/${SERVICE}/requirements.yaml`, "requirement.yaml"],
    [`tests/${SERVICE}/ids.scenarios.ts`, "scenario.ts"],
    [TRIALS, "scenario-import.ts", 'kit/language.ts";\n'],
    [TRIALS, "scenario-listed.ts", "Trial[] => ["],
  );
  await add(
    "a fault",
    [`mocks/${SERVICE}/faults.ts`, "fault.ts", "rowsOf({\n"],
    [HANDLERS, "behaviour-argument.ts", "bookRoom: ({ body"],
    [HANDLERS, "behaviour-handler.ts", "const bookingId = "],
  );
  const id = "room-bookings.bookings.own-id";
  expect(await verdicts("--service", SERVICE, "--requirement", id)).toMatchObject({ [id]: "passed" });
  expect(await matrix("--service", SERVICE, "--fault", `${id}.one-id`)).toEqual({
    [`${id}.one-id`]: "by-name",
  });
});

test("a check of each answer", LONG, async () => {
  const policy = "fixtures/installments/policy.ts";
  await add(
    "a kind of check",
    ["helpers/checks/media-type.ts", "check.ts"],
    [policy, "check-import.ts", " */\n"],
    [policy, "check-row.ts", "answers: ["],
    ["schemas/installments/requirements.yaml", "check-requirement.yaml"],
  );
  await add(
    "a fault",
    ["mocks/installments/faults.ts", "check-fault-import.ts", "import { "],
    ["mocks/installments/faults.ts", "check-fault.ts", "...failing,\n"],
  );
  const id = "installments.answers.media-type";
  expect(await verdicts("--service", "installments", "--depth", "quick", "--requirement", id)).toMatchObject({
    [id]: "passed",
  });
  const fault = `${id}.as-text`;
  expect(await matrix("--service", "installments", "--fault", fault)).toEqual({ [fault]: "by-name" });
});

test("a rule of callers", LONG, async () => {
  const policy = "extensions/client/services/installments/caller/policy.ts";
  await add(
    "a rule of callers",
    [policy, "caller-rule.ts", "checks: [\n"],
    ["schemas/installments/caller.yaml", "caller-requirement.yaml"],
    ["extensions/client/subjects/installments/callers.ts", "wrong-client.ts", "WrongClient[] = [\n"],
  );
  const rows = await matrix("--half", "caller", "--service", "installments");
  expect(Object.entries(rows).filter(([subject]) => subject.includes("a client in debugging"))).toEqual([
    [expect.any(String), "by-name"],
  ]);
});

test("a renderer", LONG, async () => {
  const spec = "tests/self/reports/renderings.spec.ts";
  await add(
    "a renderer",
    ["reports/render/line.ts", "renderer.ts"],
    [spec, "renderer-import.ts", 'junit.ts";\n'],
    [spec, "renderer-row.ts", '"certificate.md": renderMarkdown,\n'],
  );
  const play = (...flags: string[]) =>
    runTool("tsx/dist/cli.mjs", ["tests/self/run.cjs", "reports/renderings", ...flags], root);
  expect((await play("--update-snapshots")).stdout).toContain("0 failed");
  const line = await readFile(join(root, "tests/self/reports/renderings/line.txt"), "utf8");
  expect(line).toMatch(/^mine: violations, tried .*\n$/);
  expect((await play()).stdout).toContain("0 failed");
});

test("the additions have no type errors", LONG, async () => {
  const { stdout } = await runTool("typescript/bin/tsc", ["-p", "."], root);
  expect(stdout).toBe("");
});
