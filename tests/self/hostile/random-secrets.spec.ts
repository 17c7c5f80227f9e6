/** Random secrets at random places: nothing that is written contains eight or more characters of one in a row. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { createObserver } from "../../../helpers/behaviour/observer.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { violation } from "../../../helpers/exchange/check-result.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { configuration } from "../../../helpers/target/names.ts";
import { createCapture } from "../../../helpers/traffic/capture.ts";
import { harOf } from "../../../helpers/traffic/har-writer.ts";
import { openLog } from "../../../helpers/traffic/log.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { createJudge } from "../../../helpers/trials/judge.ts";
import { type Command, run, temporary } from "../support/command.ts";
import { LONG, PROOF, sizeInLane } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { environmentFor, openToOthers, written } from "./canary-secrets.ts";
import { hostileServer, type Misbehave } from "./hostile-server.ts";
import { encodings, headerForms, otherForms, runsOf, type SecretSetting } from "./random-secrets.ts";

test.afterEach(closeAll);

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

/** A text in which something is said, in a body of JSON. */
type Place = (said: string) => unknown;

const PLACES: Readonly<Record<string, Place>> = {
  value: (said) => ({ message: said, n: 1 }),
  "value of a secret field": (said) => ({ token: said, ssn: [said] }),
  name: (said) => ({ [said]: true, [`${said}Token`]: "abc" }),
  "nested JSON": (said) => ({ details: JSON.stringify({ said: [said], password: said }) }),
  list: (said) => [1, said, null, { a: [said] }],
  number: (said) => (/^[1-9]\d{0,14}$/.test(said) ? { n: Number(said), ssn: Number(said) } : { n: said }),
};

const before = (cut: number): fc.Arbitrary<number> => fc.integer({ min: cut - 60, max: cut + 5 });

/** A secret that nobody configured: the credential that a client sends in recorded traffic. */
const isForeign = ({ setting, isConfigured }: Example): boolean =>
  !isConfigured && !/[\n{]/.test(setting.value);

/** The lengths of texts before a secret, near the places where something cuts. */
const FILLERS = fc.oneof(
  { arbitrary: fc.constant(0), weight: 10 },
  ...[80, 200, 400, 1_000, 4_096].map((cut) => ({ arbitrary: before(cut), weight: 5 })),
  { arbitrary: before(262_144), weight: 1 },
);

const example = fc.record({
  setting: fc.oneof(headerForms, otherForms),
  which: fc.nat(),
  encode: encodings,
  place: fc.constantFrom(...Object.keys(PLACES)),
  filler: FILLERS,
  isText: fc.boolean(),
  // The keys of clients in recorded traffic are not configured.
  isConfigured: fc.boolean(),
});
type Example = typeof example extends fc.Arbitrary<infer One> ? One : never;

const saidIn = ({ setting, which, encode, filler }: Example): string =>
  `${"x ".repeat(filler / 2)}${encode(setting.secrets[which % setting.secrets.length] ?? "")}`;

const exchangeOf = (drawn: Example): Exchange => {
  const said = saidIn(drawn);
  const line = said.replaceAll(/\s+/g, " ");
  const json = PLACES[drawn.place]?.(said);
  const body = Buffer.from(drawn.isText ? `<p>${said}</p>` : JSON.stringify(json));
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
        ...(isForeign(drawn) ? { [RENAMED.toLowerCase()]: drawn.setting.value } : { authorization: line }),
      },
      body: JSON.stringify(json),
    },
    requestJson: json,
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
  const values = isForeign(drawn) ? {} : { CARD_ENROLLMENT_API_KEY: drawn.setting.value };
  const redactor = createRedactor(values, [renamed]);
  const capture = createCapture([renamed], { [renamed.service]: "https://example.com" }, redactor);
  const captured = capture({ exchange: given, address: "", exercises: [] });
  const exchange = (isForeign(drawn) && captured?.exchange) || given;
  const recorder = createRecorder(redactor);
  recorder.see(exchange);
  const observer = createObserver(contract, "a trial", recorder);
  const judge = createJudge(contract, { id: "a trial", service: contract.service }, recorder, observer);
  const said = saidIn(drawn);
  const result = violation({
    pointer: `/${said}`,
    message: `the server said ${said}`,
    expected: JSON.stringify(exchange.requestJson),
    actual: JSON.stringify({ said }),
  });
  judge.count(exchange, "probe");
  judge.record(REQUIREMENT, result, [exchange]);
  judge.observe("404 and 503", "EnrollCard", `probe: ${said}`);
  judge.blocked("card-enrollment.auth.api-key-in-header", said);
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
  log.close({});
  const recorded = recorder.record(exchange);
  return [JSON.stringify(judge.result()), readFileSync(path, "utf8"), harOf([recorded])].join("\n");
};

test("no secret is written in any form, at any place and before any cut", PROOF, async () => {
  test.setTimeout(3_600_000);
  const renamed = await withRenamed();
  await fc.assert(
    fc.asyncProperty(example, async (drawn) => {
      const exchange = exchangeOf(drawn);
      const text = await writtenAbout(drawn, exchange, renamed);
      const leaks = runsOf(drawn.setting.secrets)({ path: "written", text });
      expect(leaks, `${drawn.setting.form} at ${drawn.place}`).toEqual([]);
      const { response } = createRecorder(createRedactor({}, [])).record(exchange);
      // Two redacted names may be equal, and parsed JSON has one of them.
      if (!drawn.isText && drawn.place !== "name" && response?.body.includes("‹cut here") === false)
        expect(kindsOf(JSON.parse(response.body))).toBe(kindsOf(exchange.response?.json));
    }),
    { seed: 1, numRuns: sizeInLane({ sample: 25, full: 2_000 }) },
  );
});

/** The kinds of the values of JSON, in order. */
const kindsOf = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return typeof value;
  return `{${Object.values(value).map(kindsOf).join()}}`;
};

/** The settings of a run with random secrets, and all of the secrets. */
const settingsFor = (
  seed: number,
): { readonly environment: Record<string, string>; readonly secrets: string[] } => {
  const names = configuration()
    .filter(({ name, secret }) => secret && !/PASSWORD|PROXY|CONSUMER/.test(name))
    .map(({ name }) => name);
  const forms = fc.sample(headerForms, { numRuns: names.length, seed });
  const [headers, address] = ["headers", "URL"].map(
    (form) =>
      fc.sample(
        otherForms.filter((one) => one.form === form),
        { numRuns: 1, seed },
      )[0],
  ) as [SecretSetting, SecretSetting];
  const given = [
    ...names.map((name, index) => [name, name.endsWith("_HEADERS") ? headers : forms[index]] as const),
    ["HTTP_PROXY", address] as const,
  ] as (readonly [string, SecretSetting])[];
  return {
    environment: {
      ...Object.fromEntries(given.map(([name, { value }]) => [name, value])),
      NO_PROXY: "127.0.0.1",
    },
    secrets: given.flatMap(([, { secrets }]) => secrets),
  };
};

/** Repeats one secret in each answer, at another place each time. */
const repeating = (
  secrets: readonly string[],
  seed: number,
  onArguments: (text: string) => void,
): Misbehave => {
  const drawn = fc.sample(
    fc.record({
      secret: fc.constantFrom(...secrets),
      encode: encodings,
      place: fc.constantFrom(...Object.keys(PLACES)),
      filler: FILLERS.filter((length) => length < 10_000),
      isText: fc.boolean(),
      status: fc.constantFrom(200, 201, 400, 401, 404, 500),
    }),
    { numRuns: 500, seed },
  );
  return ({ index }) => {
    const { secret, encode, place, filler, isText, status } = drawn[
      index % drawn.length
    ] as (typeof drawn)[number];
    if (index % 40 === 0) onArguments(argumentsOfAll());
    const said = `${"x ".repeat(filler / 2)}${encode(secret)}`;
    const isName = /^[\w-]+$/.test(secret);
    return {
      status,
      headers: {
        "content-type": isText ? "text/html" : "application/json",
        "x-said": encode(secret).replaceAll("\n", " "),
        ...(isName && { [`x-${secret}`]: "1" }),
      },
      body: isText ? `<p>${said}</p>` : JSON.stringify(PLACES[place]?.(said)),
    };
  };
};

/** Returns the arguments of all processes of this machine, where it shows them. */
const argumentsOfAll = (): string => {
  if (!existsSync("/proc/self/cmdline")) return "";
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");
};

/** A client that sends each secret at several places. Its file names the secrets. */
const clientOf = (secrets: readonly string[]): string => `
const base = process.env.CARD_ENROLLMENT_BASE_URL;
for (const said of ${JSON.stringify(secrets)})
  await fetch(base + "/cards?said=" + encodeURIComponent(said), {
    method: "POST",
    headers: { authorization: "Bearer " + said, "x-said": said, "content-type": "application/json" },
    body: JSON.stringify({ token: said, [said]: said, note: "says " + said }),
  });
`;

for (const [index, service] of services().entries()) {
  test(`no command writes a part of a secret: ${service}`, index === 0 ? PROOF : LONG, async () => {
    test.setTimeout(900_000);
    const seed = 11 + index;
    const { environment: own, secrets } = settingsFor(seed);
    const processes: string[] = [];
    const origin = await hostileServer(
      "http://127.0.0.1:9",
      repeating(secrets, seed, (text) => processes.push(text)),
    );
    const environment = { ...environmentFor(origin), ...own };
    const [out, recorded, judged, listened] = await Promise.all([
      temporary(),
      temporary(),
      temporary(),
      temporary(),
    ]);
    const runsIn = runsOf(secrets);
    const target = ["--target", "random", "--service", service];
    const client = join(await temporary(), "client.mjs");
    await writeFile(client, clientOf(secrets));
    const rows: readonly (readonly [Command, readonly string[], string])[] = [
      ["doctor", ["--target", "random"], out],
      ["certify", [...target, "--depth", "quick", "--sarif", "--out", out], out],
      ["replay", [join(out, "certificate.json"), "f-1", "--target", "random"], out],
      ["proxy", [...target, "--har", "--out", recorded, "--", process.execPath, client], recorded],
      ["judge", [recorded, "--service", service, "--out", judged], judged],
      ["certify", ["--listener", `${origin}/hook`, "--kind", "webhook", "--out", listened], listened],
    ];
    for (const [command, given, folder] of rows) {
      const [log] = (await readdir(recorded)).filter((name) => name.endsWith(".ndjson"));
      const args = command === "judge" ? [join(recorded, log ?? ""), ...given.slice(1)] : given;
      const ended = await run(command, args, environment);
      const artifacts = await written(folder, ended);
      expect(artifacts.flatMap(runsIn), `${command} ${ended.stderr.slice(0, 300)}`).toEqual([]);
      expect(await openToOthers(folder), command).toEqual([]);
    }
    expect(processes.flatMap((text) => runsIn({ path: "arguments", text }))).toEqual([]);
  });
}
