/**
 * A service needs only its folders. When they are copied into a checkout, the commands can certify, mock and mutate the
 * service.
 */
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import type { Matrix } from "../../../reports/certificate/matrix.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { matrixPath } from "../../../reports/folder/matrix-file.ts";
import { copyOfCheckout } from "../support/checkout.ts";
import { run, runTool, startMock, temporary } from "../support/command.ts";

/** The service's files, by folder of the checkout: `mocks/service.ts.txt` becomes `mocks/room-bookings/service.ts`. */
const FILES = fileURLToPath(new URL("./room-bookings/", import.meta.url));
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

test("the register of the service is listed, and the other services are unchanged", async () => {
  const { code, stdout, stderr } = await run("requirements", SERVICE, {}, root);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("room-bookings.bookings.kept\n");
  expect(stdout).toContain("room-bookings.bookRoom.request.guests.maximum\n");
  const unknown = await run("requirements", ["--service", "loans"], {}, root);
  expect(unknown.stderr).toContain("card-enrollment, installments, financial-data, room-bookings");
});

test("certify tries every requirement of the service, and each passes", async () => {
  const out = await temporary();
  const { code, stdout, stderr } = await run("certify", [...SERVICE, "--out", out], {}, root);
  const certificate = readCertificate(out);
  expect([code, certificate?.outcome], `${stdout}${stderr}`).toEqual([0, "certified"]);
  const verdicts = certificate?.requirements.map(({ id, verdict }) => [id, verdict]) ?? [];
  expect(verdicts.length).toBeGreaterThan(10);
  expect(verdicts.filter(([, verdict]) => verdict !== "passed")).toEqual([]);
  const exchanges = certificate?.operations.map(({ operationId, exchanges: count }) => [
    operationId,
    count > 0,
  ]);
  expect(exchanges).toEqual([
    ["bookRoom", true],
    ["getBooking", true],
  ]);
});

test("mutation detects all faults of the service, and its handwritten fault by the violated requirement", async () => {
  const out = await temporary();
  const { code, stdout, stderr } = await run("mutation", [...SERVICE, "--out", out], {}, root);
  const matrix = JSON.parse(await readFile(matrixPath(out), "utf8"));
  const faults = (matrix as Matrix).rows.filter(({ kind }) => kind === "fault");
  const statuses = faults.map(({ subject, status }) => [subject, status]);
  expect(statuses).toContainEqual(["room-bookings.bookings.kept.guests-forgotten", "by-name"]);
  expect(statuses.filter(([, status]) => status !== "by-name")).toEqual([]);
  expect(code, `${stdout}${stderr}`).toBe(0);
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

test("certify finds a fault of an external server, and does not write the server's key", async () => {
  const out = await temporary();
  const violated = "room-bookings.bookings.kept";
  const { credentials, stop } = await startMock(
    [...SERVICE, "--fault", `${violated}.guests-forgotten`],
    root,
  );
  try {
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

test("mock serves the service next to the others, and stores its data", async () => {
  const { baseUrls, credentials, stop } = await startMock([], root);
  try {
    expect(Object.keys(baseUrls)).toEqual(["card-enrollment", "installments", "financial-data", NAME]);
    const headers = {
      "x-bookings-key": credentials.ROOM_BOOKINGS_KEY ?? "",
      "content-type": "application/json",
    };
    const body = JSON.stringify({ room: credentials.ROOM_BOOKINGS_ROOM, day: "2026-05-04", guests: 3 });
    const made = await fetch(`${baseUrls[NAME]}/bookings`, { method: "POST", headers, body });
    const { bookingId } = (await made.json()) as { bookingId: string };
    const read = await fetch(`${baseUrls[NAME]}/bookings/${bookingId}`, { headers });
    expect([made.status, await read.json()]).toEqual([201, { bookingId, guests: 3 }]);
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
