/** Random secrets at random places: nothing that is written contains eight or more characters of one in a row. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { createObserver } from "../../../helpers/behaviour/observer.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { violation } from "../../../helpers/exchange/check-result.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { because } from "../../../helpers/reasons/reason.ts";
import { createCapture } from "../../../helpers/traffic/capture.ts";
import { harOf } from "../../../helpers/traffic/har-writer.ts";
import { openLog } from "../../../helpers/traffic/log.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { createJudge } from "../../../helpers/trials/judge.ts";
import { redactError } from "../../../reports/folder/crashes.ts";
import { temporary } from "../support/command.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";
import {
  encodings,
  FILLERS,
  fields,
  headerForms,
  NOTATIONS,
  otherForms,
  PLACES,
  runsOf,
  sayable,
} from "./random-secrets.ts";

const contract = await loadContract("card-enrollment");

/** A header whose name does not say that it is a credential. Only the provider's document does. */
const RENAMED = "X-Acme-Member";

const withRenamed = async (): Promise<Contract> => {
  const providerFile = test.info().outputPath("provider.json");
  const schemes = ["x-openapi-clientid", RENAMED].map((name) => [
    name,
    { type: "apiKey", in: "header", name },
  ]);
  const document = {
    openapi: "3.0.3",
    info: { title: "Enrollment", version: "2" },
    paths: { "/cards": { post: { operationId: "EnrollCard", responses: { "200": { description: "ok" } } } } },
    components: { securitySchemes: Object.fromEntries(schemes) },
  };
  await writeFile(providerFile, JSON.stringify(document));
  return loadContract(contract.service, { providerFile });
};
const REQUIREMENT = "card-enrollment.response.json-body";

/** A secret that nobody configured: the credential that a client sends in recorded traffic. */
const isForeign = ({ setting, isConfigured, field }: Example): boolean =>
  field === undefined && !isConfigured && !/[\n{]/.test(setting.value);

const example = fc.record({
  setting: fc.oneof(headerForms, otherForms),
  which: fc.nat(),
  encode: encodings,
  place: fc.constantFrom(...Object.keys(PLACES)),
  filler: FILLERS,
  isText: fc.boolean(),
  // The keys of clients in recorded traffic are not configured.
  isConfigured: fc.boolean(),
  // The value of a secret field is not configured: only its exchange shows it.
  field: fc.option(fields, { nil: undefined }),
});
type Example = typeof example extends fc.Arbitrary<infer One> ? One : never;

const secretOf = ({ setting, which, field }: Example): string =>
  sayable(setting.secrets[which % setting.secrets.length] ?? "", field?.notation ?? "");

const saidIn = (drawn: Example): string => `${"x ".repeat(drawn.filler / 2)}${drawn.encode(secretOf(drawn))}`;

const exchangeOf = (drawn: Example): Exchange => {
  const said = saidIn(drawn);
  const line = said.replaceAll(/\s+/g, " ");
  const json = PLACES[drawn.place]?.(said);
  const { name = "", notation = "", isSent } = drawn.field ?? {};
  const named = NOTATIONS[notation]?.(name, secretOf(drawn));
  const answer = drawn.isText ? `<p>${said}</p>` : JSON.stringify(json);
  const body = Buffer.from(isSent === false ? (named ?? "") : answer);
  return {
    id: "w0-1",
    service: contract.service,
    operationId: "EnrollCard",
    request: {
      method: "POST",
      url: `https://example.com/${encodeURIComponent(line)}/cards?said=${encodeURIComponent(line)}`,
      headers: {
        "x-said": line,
        [`x-${line.toLowerCase()}`]: "1",
        ...(isForeign(drawn) && { [RENAMED.toLowerCase()]: drawn.setting.value }),
        ...(!isForeign(drawn) && drawn.field === undefined && { authorization: line }),
      },
      body: (isSent === true ? named : undefined) ?? JSON.stringify(json),
    },
    requestJson: isSent === true ? undefined : json,
    response: {
      status: 400,
      headers: {
        "content-type": drawn.isText ? "text/html" : "application/json",
        "x-said": line,
        [line]: "1",
      },
      body,
      ...jsonOf(body),
    },
    startedAt: new Date(0),
    durationMs: 1,
  };
};

/** Returns everything that is written about an exchange. */
const writtenAbout = async (drawn: Example, given: Exchange, renamed: Contract): Promise<string> => {
  const isKnown = !isForeign(drawn) && drawn.field === undefined;
  const values = isKnown ? { CARD_ENROLLMENT_API_KEY: drawn.setting.value } : {};
  const redactor = createRedactor(values, [renamed]);
  const capture = createCapture([renamed], { [renamed.service]: "https://example.com" }, redactor);
  const captured = capture({ exchange: given, address: "", exercises: [] });
  const exchange = (isForeign(drawn) && captured?.exchange) || given;
  const recorder = createRecorder(redactor);
  // The data of persons that a run invents is not secret. One place of a request names it too: an ssn.
  const isInvented = drawn.field?.isSent === true || (drawn.field !== undefined && drawn.place === "number");
  if (!isInvented) recorder.see(exchange);
  const observer = createObserver(contract, "a trial", recorder);
  const judge = createJudge(contract, { id: "a trial", service: contract.service }, recorder, observer);
  const said = saidIn(drawn);
  const result = violation({
    pointer: `/${said}`,
    message: `the server said ${said}`,
    expected: JSON.stringify(exchange.requestJson ?? {}),
    actual: JSON.stringify({ said }),
  });
  judge.count(exchange, "probe");
  judge.record(REQUIREMENT, result, [exchange]);
  const told = drawn.field === undefined ? said : "";
  judge.observe("404 and 503", "EnrollCard", `probe: ${told}`);
  judge.blocked("card-enrollment.auth.api-key-in-header", because("not-shown", told));
  const path = join(await temporary(), "traffic.ndjson");
  const log = openLog(path, { target: "mine", baseUrls: {}, startedAt: "" }, redactor);
  const seen = {
    exchange,
    service: contract.service,
    client: "client 1",
    marks: {},
    exercises: [],
    opened: {},
  };
  log.add(seen as unknown as Seen, [{ requirement: REQUIREMENT, result }]);
  log.close();
  const recorded = recorder.record(exchange);
  const crash = { message: told, stack: `Error: ${told}` };
  redactError(crash, redactor);
  const all = [judge.result(), crash].map((one) => JSON.stringify(one));
  return [...all, readFileSync(path, "utf8"), harOf([recorded])].join("\n");
};

test("no secret is written in any form, at any place and before any cut", PROOF, async () => {
  test.setTimeout(3_600_000);
  const renamed = await withRenamed();
  await fc.assert(
    fc.asyncProperty(example, async (drawn) => {
      const exchange = exchangeOf(drawn);
      const text = await writtenAbout(drawn, exchange, renamed);
      const leaks = runsOf([...drawn.setting.secrets, secretOf(drawn)])({ path: "written", text });
      expect(leaks, `${drawn.setting.form} at ${drawn.place}, ${JSON.stringify(drawn.field)}`).toEqual([]);
      const { response } = createRecorder(createRedactor({}, [])).record(exchange);
      // Two redacted names may be equal, and parsed JSON has one of them.
      if (
        !drawn.isText &&
        drawn.place !== "name" &&
        drawn.field?.isSent !== false &&
        response?.body.includes("‹cut here") === false
      )
        expect(kindsOf(JSON.parse(response.body))).toBe(kindsOf(exchange.response?.json));
    }),
    { seed: 1, numRuns: sizeInLane({ sample: 400, full: 3_000 }) },
  );
});

/** The kinds of the values of JSON, in order. */
const kindsOf = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return typeof value;
  return `{${Object.values(value).map(kindsOf).join()}}`;
};
