/**
 * A service needs only its folders: when they are copied into a checkout, the commands certify, mock and mutate the
 * service. Then one of each kind is added, in the files that ARCHITECTURE.md names and in no others: an operation, a behaviour
 * with its fault, a relation, a situation, an observation, a check, a rule of callers, an exercise, a kind of listener and a
 * renderer.
 */
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import type { Matrix } from "../../../reports/certificate/matrix.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { matrixPath } from "../../../reports/folder/matrix-file.ts";
import { copyOfCheckout } from "../support/checkout.ts";
import { ROOT, run, runTool, startMock, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

/** The service's files, by folder of the checkout: `mocks/service.ts.txt` becomes `mocks/room-bookings/service.ts`. */
const FILES = fileURLToPath(new URL("./room-bookings/", import.meta.url));
const ADDITIONS = fileURLToPath(new URL("./additions/", import.meta.url));
const NAME = "room-bookings";
const SERVICE = ["--service", NAME];

test.describe.configure({ mode: "default" });

let root = "";
const own = (folder: string, name: string): string => join(root, folder, NAME, name);

test.beforeAll(async () => {
  root = await copyOfCheckout();
  for (const folder of await readdir(FILES)) {
    await mkdir(join(root, folder, NAME));
    for (const file of await readdir(join(FILES, folder)))
      await cp(join(FILES, folder, file), own(folder, file.replace(/\.txt$/, "")));
  }
});

test.afterAll(() => rm(root, { recursive: true, force: true }));

/** Certifies the sandbox of the copy. @returns the certificate, and the verdicts by requirement */
const certified = async (...flags: string[]) => {
  const out = await temporary();
  const { code, stdout, stderr } = await run("certify", [...flags, "--out", out], {}, root);
  expect(code, `${stdout}${stderr}`).toBe(0);
  const certificate = readCertificate(out) as Certificate;
  const verdicts = Object.fromEntries(certificate.requirements.map(({ id, verdict }) => [id, verdict]));
  return { ...certificate, verdicts };
};

/** Runs a matrix of the copy. @returns the status of each row by its subject */
const matrix = async (...flags: string[]): Promise<Record<string, string>> => {
  const out = await temporary();
  const { code, stdout, stderr } = await run("mutation", [...flags, "--out", out], {}, root);
  expect(code, `${stdout}${stderr}`).toBe(0);
  const { rows } = JSON.parse(await readFile(matrixPath(out), "utf8")) as Matrix;
  return Object.fromEntries(rows.map(({ subject, status }) => [subject, status]));
};

test("the register of the service is listed, and the other services are unchanged", async () => {
  const { code, stdout, stderr } = await run("requirements", SERVICE, {}, root);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("room-bookings.bookings.kept\n");
  expect(stdout).toContain("room-bookings.bookRoom.request.guests.maximum\n");
  const unknown = await run("requirements", ["--service", "loans"], {}, root);
  expect(unknown.stderr).toContain("card-enrollment, installments, financial-data, room-bookings");
});

test("certify tries every requirement of the service, and each passes", async () => {
  const { outcome, operations, verdicts } = await certified(...SERVICE);
  expect(outcome).toBe("certified");
  expect(Object.keys(verdicts).length).toBeGreaterThan(10);
  expect(Object.entries(verdicts).filter(([, verdict]) => verdict !== "passed")).toEqual([]);
  expect(operations.map(({ operationId, exchanges }) => [operationId, exchanges > 0])).toEqual([
    ["bookRoom", true],
    ["getBooking", true],
  ]);
});

test("mutation detects all faults of the service, and its handwritten fault by the violated requirement", async () => {
  const statuses = await matrix(...SERVICE);
  expect(statuses).toMatchObject({ "room-bookings.bookings.kept.guests-forgotten": "by-name" });
  // The other subjects are sandboxes without a fault.
  const wrong = Object.entries(statuses).filter(
    ([subject, status]) => status !== (subject.startsWith(`${NAME}.`) ? "by-name" : "acquitted"),
  );
  expect(wrong).toEqual([]);
});

test("quick depth tries as much of another service as without the service", async () => {
  // An eighth of the trials, which are dealt by their costs, has some that quick depth leaves out.
  const quick = ["--service", "financial-data", "--depth", "quick", "--shard", "1/8"];
  await writeFile(join(root, "mutation", "order", `${NAME}.json`), JSON.stringify({ long: [2_000, 1, 1] }));
  const [before, beside] = await Promise.all(
    [undefined, root].map(async (checkout) => {
      const out = await temporary();
      await run("certify", [...quick, "--out", out], {}, checkout);
      return readCertificate(out)?.requirements.map(({ id, verdict, code }) => `${id} ${verdict} ${code}`);
    }),
  );
  expect(before?.filter((one) => one.endsWith(" left-out-by-depth"))).not.toEqual([]);
  expect(beside).toEqual(before);
});

test("mock serves the service next to the others; certify finds its fault, and does not write its key", async () => {
  const out = await temporary();
  const violated = "room-bookings.bookings.kept";
  const { baseUrls, credentials, stop } = await startMock(["--fault", `${violated}.guests-forgotten`], root);
  try {
    expect(Object.keys(baseUrls)).toEqual(["card-enrollment", "installments", "financial-data", NAME]);
    const args = [...SERVICE, "--target", "here", "--requirement", violated, "--out", out];
    const { code } = await run("certify", args, credentials, root);
    const findings = readCertificate(out)?.findings ?? [];
    expect([code, findings.map(({ requirement }) => requirement)]).toEqual([1, [violated]]);
    expect(JSON.stringify(findings)).toContain("ROOM_BOOKINGS_KEY");
    expect(JSON.stringify(findings)).not.toContain(credentials.ROOM_BOOKINGS_KEY);
  } finally {
    await stop();
  }
});

test("diff reports what a new version of the service's document breaks", async () => {
  const old = own("schemas", "openapi.yaml");
  const fresh = join(await temporary(), "openapi.yaml");
  await writeFile(fresh, (await readFile(old, "utf8")).replaceAll("maximum: 12", "maximum: 8"));
  const { code, stdout } = await run("diff", [old, fresh, ...SERVICE, "--fail-on", "breaking"], {}, root);
  expect(code, stdout).toBe(1);
  expect(stdout).toContain(`--contract ${NAME}=${fresh}`);
});

test("the code of the service has no type errors, and the checkout follows the house rules", async () => {
  const types = await runTool("typescript/bin/tsc", ["-p", "."], root);
  expect([types.code, types.stdout]).toEqual([0, ""]);
  const rules = ["test", "--config", "tests/self/playwright.config.ts", "tests/self/house/"];
  const { code, stdout } = await runTool("@playwright/test/cli.js", rules, root);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain("the engine names no service");
});

/** Invalid service.yaml files, each with the expected complaint. */
const COMPLAINTS: readonly (readonly [about: string, lines: string, says: RegExp])[] = [
  ["an unknown key", "colour: red", /:3:1 \(\/colour\): unknown key "colour"\. Did you mean order/],
  [
    "a setting under another's name",
    "settings: { ROOMS_KEY: { meaning: key } }",
    /:3:\d+ .*: unknown setting name "ROOMS_KEY"\. Did you mean ROOM_BOOKINGS_ROOMS_KEY/,
  ],
  ["invalid YAML", "settings: {", /:\d+:\d+: .*Correct the syntax there/],
];

for (const [about, lines, says] of COMPLAINTS) {
  test(`a command complains about ${about} in service.yaml`, async () => {
    const path = own("schemas", "service.yaml");
    const text = await readFile(path, "utf8");
    await writeFile(path, "title: room bookings\norder: 4\n");
    await appendFile(path, lines);
    const { code, stdout, stderr } = await run("requirements", SERVICE, {}, root);
    await writeFile(path, text);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^schemas\/room-bookings\/service\.yaml:\d/);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
}

/** Expects that the sandbox of the copy keeps a requirement, and that its fault is found by its name. */
const expectJudged = async (id: string, fault: string, ...service: string[]): Promise<void> => {
  const { verdicts } = await certified(...service, "--depth", "quick", "--requirement", id);
  expect(verdicts).toMatchObject({ [id]: "passed" });
  expect(await matrix(...service, "--fault", fault)).toEqual({ [fault]: "by-name" });
};

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
  const isOfClients = /^(?:a rule of callers|an exercise|a kind of listener)$/.test(row);
  const page = isOfClients ? "extensions/client/README.md" : "ARCHITECTURE.md";
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

const HANDLERS = `mocks/${NAME}/service.ts`;
const TRIALS = `tests/${NAME}/trials.ts`;

test("an operation", async () => {
  await add(
    "an operation",
    [`schemas/${NAME}/openapi.yaml`, "operation.yaml", "paths:\n"],
    [HANDLERS, "operation-handler.ts", "handlers: {\n"],
  );
  const { verdicts } = await certified(...SERVICE, "--operation", "listRooms");
  expect(verdicts).toMatchObject({
    "room-bookings.listRooms.success": "passed",
    "room-bookings.listRooms.response.rooms.required": "passed",
  });
});

test("a behaviour, and a fault that violates it", async () => {
  await add(
    "a behaviour",
    [`schemas/${NAME}/requirements.yaml`, "requirement.yaml"],
    [`tests/${NAME}/ids.scenarios.ts`, "scenario.ts"],
    [TRIALS, "scenario-import.ts", 'kit/language.ts";\n'],
    [TRIALS, "scenario-listed.ts", "Trial[] => ["],
  );
  await add(
    "a fault",
    [`mocks/${NAME}/faults.ts`, "fault.ts", "rowsOf({\n"],
    [HANDLERS, "behaviour-argument.ts", "bookRoom: ({ body"],
    [HANDLERS, "behaviour-handler.ts", "const bookingId = "],
  );
  const id = "room-bookings.bookings.own-id";
  await expectJudged(id, `${id}.one-id`, ...SERVICE);
});

test("a relation", LONG, async () => {
  await add("a behaviour", [`schemas/${NAME}/requirements.yaml`, "relation-requirement.yaml"]);
  await add("a relation", [`schemas/${NAME}/relations.yaml`, "relation.yaml"]);
  const id = "room-bookings.bookings.shown";
  await expectJudged(id, `${id}.bookRoom-in-getBooking-old`, ...SERVICE);
});

test("a situation", LONG, async () => {
  await add(
    "a situation",
    [`schemas/${NAME}/situations.yaml`, "situation.yaml"],
    [HANDLERS, "situation-act.ts", "situations: {"],
  );
  await run("requirements", ["--situations"], {}, root);
  expect(await readFile(join(root, "schemas/situations.template.yaml"), "utf8")).toContain("# full-room: {");
  const { baseUrls, stop } = await startMock(SERVICE, root);
  const answer = await fetch(new URL("/__sandbox/situations", baseUrls[NAME]), {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: '{"situation":"full-room"}',
  });
  expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
    201,
    expect.stringContaining('"room":"garden-room"'),
  ]);
  await stop();
});

test("an observation", LONG, async () => {
  const gaps = "schemas/installments/gaps.yaml";
  await add("an observation", [gaps, "observation.yaml", "    match: ^postOffers offers/\n"]);
  const { register = [] } = await certified("--service", "installments", "--depth", "quick");
  const [own] = register.filter(({ id }) => id.endsWith(".plans"));
  expect(own?.value).toContain("201");
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
  await expectJudged(id, `${id}.as-text`, "--service", "installments");
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

test("an exercise", LONG, async () => {
  const exercises = "extensions/client/services/installments/caller/exercises.ts";
  await add("an exercise", [exercises, "exercise.ts", '["postPlans"]),\n']);
  const client = `fetch(process.env.INSTALLMENTS_BASE_URL + "/consumers/pans/registrations", { method: "POST",
    headers: { "content-type": "application/json" }, body: '{"pans":["5555341244441115"]}' }).catch(() => {})`;
  const args = ["--service", "installments", "--exercise", "installments.registration-lost"];
  const out = await temporary();
  const node = ["--", process.execPath, "--eval", client];
  const { stdout } = await run("proxy", [...args, "--out", out, ...node], {}, root);
  expect(stdout).toContain("exercise installments.registration-lost: survived");
});

test("a kind of listener", LONG, async () => {
  await add(
    "a kind of listener",
    ["extensions/client/services/installments/listener/kinds.ts", "listener-kind.ts", "ListenerKind[] = [\n"],
    ["extensions/client/subjects/listener-rows.ts", "wrong-listener.ts", "readonly ListenerRow[]>> = {\n"],
  );
  const rows = await matrix("--half", "listener", "--service", "installments");
  const own = Object.entries(rows).filter(([subject]) => subject.includes("reminder"));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter(([, status]) => !["by-name", "acquitted"].includes(status))).toEqual([]);
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
