/** The published JSON Schemas accept what the product writes and reads, and refuse what it refuses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Ajv } from "ajv";
import { parse } from "yaml";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { type Certified, certify, type Mock, startMock, temporary } from "../support/command.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const schemaOf = (path: string): { properties: object } => JSON.parse(read(path)) as { properties: object };

/** Returns a function that lists what a schema refuses. */
const complaintsBy = (path: string) => {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schemaOf(path));
  return (value: unknown): string[] =>
    validate(value) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
};

const SCHEMAS = "../../../schemas";

test("an accept list, and no entry that the product refuses", () => {
  const complaints = complaintsBy(`${SCHEMAS}/accept.schema.json`);
  const text =
    "- fingerprint: a-service.auth@0123456789ab\n  owner: Anna\n  reason: fixed soon\n  expires: 2026-12-31\n";
  const [entry] = parse(text) as [object];
  expect(complaints([entry])).toEqual([]);
  expect(complaints(parse("# nothing\n"))).toEqual([]);
  for (const wrong of [{ owner: "" }, { expires: "never" }, { expires: undefined }, { until: "2026" }]) {
    expect(complaints([JSON.parse(JSON.stringify({ ...entry, ...wrong }))])).not.toEqual([]);
  }
});

test("bindings, and nothing but JSON pointers", () => {
  const complaints = complaintsBy(`${SCHEMAS}/bindings.schema.json`);
  expect(complaints(parse('postOffers: "/offers/*/id"\ngetPlan: ""\n'))).toEqual([]);
  expect(complaints(parse("postOffers: offers/id\n"))).not.toEqual([]);
  expect(complaints(parse("- postOffers\n"))).not.toEqual([]);
});

test.describe("a run with a violation", () => {
  test.describe.configure({ mode: "serial" });
  let mock: Mock | undefined;
  let run: Certified;
  let lines: string[] = [];

  test.beforeAll(async () => {
    mock = await startMock([
      "--service",
      "card-enrollment",
      "--fault",
      "card-enrollment.request.consumer.firstName.max-length.off-by-one",
    ]);
    const events = join(await temporary(), "events.ndjson");
    const selection = ["--service", "card-enrollment", "--operation", "putCard", "--depth", "quick"];
    run = await certify(["--target", "mine", ...selection, "--events", events], mock.credentials);
    lines = readFileSync(events, "utf8").trimEnd().split("\n");
  });

  test.afterAll(() => mock?.stop());

  test("its certificate has the schema, which describes each part", () => {
    const complaints = complaintsBy(`${SCHEMAS}/certificate.schema.json`);
    const { certificate } = run;
    expect(certificate.findings.length).toBeGreaterThan(0);
    expect(complaints(certificate)).toEqual([]);
    const described = Object.keys(schemaOf(`${SCHEMAS}/certificate.schema.json`).properties);
    expect(Object.keys(certificate).filter((name) => !described.includes(name))).toEqual([]);
    const wrong: Partial<Certificate>[] = [{ outcome: "passed" as "certified" }, { seed: -1 }];
    for (const change of wrong) expect(complaints({ ...certificate, ...change })).not.toEqual([]);
  });

  test("its events have the schema, and tell what the certificate does", () => {
    const complaints = complaintsBy(`${SCHEMAS}/event.schema.json`);
    const events = lines.map((line) => JSON.parse(line) as { event: string; fingerprint?: string });
    expect(events.flatMap(complaints)).toEqual([]);
    expect(complaints({ ...events[0], event: "run-begun" })).not.toEqual([]);
    expect(events[0]).toMatchObject({ event: "run-started", services: ["card-enrollment"] });
    const trials = events.filter(({ event }) => event === "trial-ended");
    expect(events[0]).toMatchObject({ trials: trials.length });
    const found = new Set(events.flatMap(({ fingerprint }) => fingerprint ?? []));
    expect(found).toEqual(new Set(run.certificate.findings.map(({ fingerprint }) => fingerprint)));
    const { outcome, summary } = run.certificate;
    expect(events.at(-1)).toMatchObject({ event: "run-ended", exitCode: 1, outcome, summary });
  });

  test("its SARIF has the form of version 2.1.0, and shows the operation in the contract", () => {
    const sarif = JSON.parse(readFileSync(join(run.out, "certificate.sarif"), "utf8"));
    expect(complaintsBy("./sarif.schema.json")(sarif)).toEqual([]);
    const [{ results, tool }] = sarif.runs;
    const document = read(`${SCHEMAS}/card-enrollment/openapi.yaml`).split("\n");
    for (const [at, result] of results.entries()) {
      const { artifactLocation, region } = result.locations[0].physicalLocation;
      expect(artifactLocation).toEqual({ uri: "schemas/card-enrollment/openapi.yaml", uriBaseId: "ASSAY" });
      expect(document[region.startLine - 1]).toBe("    post:");
      expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(result.partialFingerprints).toEqual({ "finding/v1": run.certificate.findings[at]?.fingerprint });
    }
    expect(results.length).toBe(run.certificate.findings.length);
  });
});
