import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import type { Json } from "../../../helpers/contract/json.ts";
import { generalDifferences } from "../../../mocks/engine/deviations/general.ts";
import type { Matrix } from "../../../reports/certificate/matrix.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { matrixPath } from "../../../reports/folder/matrix-file.ts";
import { copyOfCheckout } from "../../../tests/self/support/checkout.ts";
import { ROOT, run, runTool, temporary } from "../../../tests/self/support/command.ts";
import { LONG } from "../../../tests/self/support/lanes.ts";
import { filesOf } from "../new-service/folders.ts";
import { writeService } from "../new-service/write.ts";
import { convert } from "../reading/convert.ts";
import { foundIn } from "../reading/lists.ts";
import { resourcesOf, startedBy } from "../reading/resources.ts";
import { settingsOf } from "../reading/settings.ts";

const DOCUMENTS = fileURLToPath(new URL("./documents/", import.meta.url));
const NAMES = (await readdir(DOCUMENTS))
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.replace(/\.yaml$/, ""));

const fileOf = (name: string): string => join(DOCUMENTS, `${name}.yaml`);

test("a call starts the resource that its 202 shows as the read of one resource does", () => {
  const showing = (status: string, name: string) => {
    const schema = { $ref: `#/components/schemas/${name}` };
    return { [status]: { content: { "application/json": { schema } } } };
  };
  const read = { get: { responses: showing("200", "Job") } };
  const started = (responses: Json, paths: Record<string, Json>) =>
    startedBy(
      responses,
      Object.keys(paths).flatMap((one) => resourcesOf(one)),
      paths,
    )?.name;
  expect(started(showing("202", "Job"), { "/jobs/{jobId}": read })).toBe("job");
  expect(started(showing("201", "Job"), { "/jobs/{jobId}": read })).toBe(undefined);
  expect(started(showing("202", "Other"), { "/jobs/{jobId}": read })).toBe(undefined);
  expect(started(showing("202", "Job"), { "/jobs/{id}": read, "/tasks/{id}": read })).toBe(undefined);
  expect(started(showing("202", "Job"), { "/jobs/{jobId}": read, "/jobs": { post: {} } })).toBe(undefined);
  expect(started(showing("202", "Job"), { "/rooms/{roomId}/jobs/{jobId}": read })).toBe(undefined);
  expect(started({ "202": {} }, { "/jobs/{jobId}": { get: { responses: { "200": {} } } } })).toBe(undefined);
});

test("a property is no identifier if paths identify several resources by its name", () => {
  const all = [resourcesOf("/calls/{sid}"), resourcesOf("/notes/{sid}"), resourcesOf("/rooms/{roomSid}")];
  const schema = { properties: { sid: { type: "string" }, roomSid: { type: "string" } } };
  expect(foundIn({}, schema, [], { path: "/latest", all })).toEqual([
    { resource: "room", pointer: "/roomSid", isForeign: true },
  ]);
});

test("a document becomes a contract: every status, credential and resource has a name", () => {
  const converted = convert("payments", fileOf("payments"));
  const { root, operations, settings } = converted;
  const given = { header: [], id: [], key: ["bearer=abc"] };
  expect(settingsOf("payments", converted, "http://127.0.0.1", given)).toMatchObject({
    PAYMENTS_BEARER: "Bearer abc",
  });
  expect(operations).toEqual([
    { operationId: "postPayments", unauthenticated: [401, 403] },
    { operationId: "getPaymentsPaymentId", unauthenticated: [401, 403] },
    { operationId: "postPaymentsPaymentIdCancellation", unauthenticated: [401, 403] },
    { operationId: "getHealth", unauthenticated: [] },
  ]);
  expect(settings.map(({ name }) => name)).toEqual(["PAYMENTS_BEARER", "PAYMENTS_PAYMENT"]);
  const { post } = (root.paths as Record<string, Record<string, Record<string, unknown>>>)["/payments"] ?? {};
  expect(Object.keys(post?.responses ?? {})).toEqual(["200", "400", "401"]);
  expect(post?.["x-produces"]).toEqual({ resource: "payment", pointer: "/id" });
});

test("the files of a new service import modules that exist", () => {
  const { texts } = filesOf("payments", convert("payments", fileOf("payments")));
  const missing = Object.entries(texts).flatMap(([file, text]) =>
    [...text.matchAll(/from "(\.[^"]+)"/g)]
      .map(([, from = ""]) => join(dirname(file), from))
      .filter((module) => !(module in texts) && !existsSync(join(ROOT, module))),
  );
  expect(missing).toEqual([]);
});

test("an update from the next version of a document keeps what a person wrote", async () => {
  const folder = await temporary();
  const text = await readFile(fileOf("payments"), "utf8");
  const write = async (document: string) => {
    await writeFile(join(folder, "payments.yaml"), document);
    return writeService(folder, filesOf("payments", convert("payments", join(folder, "payments.yaml"))));
  };
  const edit = async (file: string, from: string, to: string): Promise<void> => {
    const before = await readFile(join(folder, file), "utf8");
    expect(before).toContain(from);
    await writeFile(join(folder, file), before.replace(from, to));
  };
  await write(text);
  await edit("schemas/payments/openapi.yaml", "maximum: 9999.99", "maximum: 5000 # agreed");
  await edit("schemas/payments/openapi.yaml", "maxLength: 34", "maxLength: 30");
  await edit(
    "schemas/payments/requirements.yaml",
    "requirements:",
    "requirements:\n  # By hand.\n  - id: payments.kept",
  );
  await edit("tests/payments/trials.ts", "/** All", "/** Not all");
  await rm(join(folder, "mocks/payments/service.ts"));
  const { kept } = await write(
    text
      .replace("version: 1.0.0", "version: 2.0.0")
      .replace("maxLength: 34", "maxLength: 40")
      .replace("minLength: 8", "minLength: 9")
      .replace(
        "  /health:",
        "  /limits:\n    get: { responses: { '200': { description: Limits. } } }\n  /health:",
      ),
  );
  const openapi = await readFile(join(folder, "schemas/payments/openapi.yaml"), "utf8");
  for (const shown of [
    "version: 2.0.0",
    "maximum: 5000 # agreed",
    "maxLength: 30",
    "minLength: 9",
    "/limits:",
  ])
    expect(openapi).toContain(shown);
  expect(kept).toEqual([
    "schemas/payments/openapi.yaml components schemas Transfer properties iban maxLength",
  ]);
  const rows = await readFile(join(folder, "schemas/payments/requirements.yaml"), "utf8");
  expect(rows).toContain("# By hand.\n  - id: payments.kept");
  expect(rows).toContain("- id: payments.getLimits.unauthenticated");
  expect(await readFile(join(folder, "tests/payments/trials.ts"), "utf8")).toContain("/** Not all");
  expect(existsSync(join(folder, "mocks/payments/service.ts"))).toBe(false);
});

test.describe("written", () => {
  test.describe.configure({ mode: "default" });
  let root = "";
  /** The general differences that were acquitted with a document. */
  const shown = new Set<string>();

  test.beforeAll(async () => {
    root = await copyOfCheckout();
  });

  test.afterAll(() => rm(root, { recursive: true, force: true }));

  const write = (name: string, file: string) => run("new-service", [name, "--from", file], {}, root);

  test("bad arguments get one line", LONG, async () => {
    const file = fileOf("rooms");
    expect(await write("My Rooms", file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^"My Rooms" is no name of a service.*\n$/),
    });
    expect(await write("installments", file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^schemas\/installments exists\..*\n$/),
    });
    expect(await write("none", "none.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no such file"),
    });
    expect(existsSync(join(root, "schemas", "none"))).toBe(false);
  });

  for (const name of NAMES) {
    test(`${name}: certified, all faults found, no difference convicted`, LONG, async () => {
      expect(await write(name, fileOf(name))).toMatchObject({ code: 0, stderr: "" });
      const service = ["--service", name];
      const out = await temporary();
      const certified = await run("certify", [...service, "--out", out], {}, root);
      const { summary, requirements = [] } = readCertificate(out) ?? {};
      // A sandbox that lists one resource and makes none shows no other one.
      const alone = new Set(
        requirements
          .filter(({ id, verdict }) => id.endsWith(".own-resource") && verdict === "not-tried")
          .map(({ id }) => id),
      );
      expect(certified.code, certified.stdout).toBe(0);
      expect(summary).toMatchObject({ failed: 0, blocked: 0, advisory: 0 });
      await run("mutation", [...service, "--out", out], {}, root);
      const { rows } = JSON.parse(await readFile(matrixPath(out), "utf8")) as Matrix;
      const faults = rows.filter(({ kind }) => kind === "fault");
      expect(faults.length).toBeGreaterThan(20);
      // Each fault is found, by the requirement that it names.
      const missed = faults.filter(({ status }) => status !== "by-name");
      expect(missed.filter(({ violates }) => !alone.has(violates ?? ""))).toEqual([]);
      const innocent = await temporary();
      const acquitted = await run("mutation", ["--innocent", ...service, "--out", innocent], {}, root);
      expect(acquitted.code, acquitted.stdout).toBe(0);
      const differences = JSON.parse(await readFile(matrixPath(innocent), "utf8")) as Matrix;
      expect(differences.rows.length).toBeGreaterThan(10);
      for (const { subject, status } of differences.rows)
        if (status === "acquitted") shown.add(subject.replace(/^.*\.difference\./, ""));
    });
  }

  test("each general difference changes the answers of a service", LONG, () => {
    const names = generalDifferences({ operations: [] }).map(({ name }) => name);
    expect(names.filter((name) => !(shown.has(name) || UNUSED.includes(name)))).toEqual([]);
  });

  test("the code of the services has no type errors", LONG, async () => {
    const { code, stdout } = await runTool("typescript/bin/tsc", ["-p", "."], root);
    expect([code, stdout]).toEqual([0, ""]);
  });
});

/** Left out for each new service: see `treatmentsOf`. */
const UNUSED = ["other-refusal-shape", "numeric-ids", "small-pages"];
