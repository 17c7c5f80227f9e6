/** `npm run judge`: logs and HTTP archives of any quality, both halves. */
import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { writeHar } from "../../../helpers/traffic/har-writer.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { type JudgeOptions, judgeFiles } from "../../../runner/client/judge-files.ts";
import { CLOCK_PATH } from "../../../runner/proxy/control.ts";
import { openRecording } from "../../../runner/proxy/recording.ts";
import { clockAt, sendByFetch } from "../../callers/setting.ts";
import { createClient, type Habits, RIGHT } from "../../financial-data/callers/client.ts";
import * as scenes from "../../financial-data/callers/scenes.ts";
import { upgradedDocuments } from "../diff/bumped-documents.ts";
import { run, temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";

const SERVICE = "financial-data";

/** Records clients one after the other, and returns the paths of the log and of the same as an archive. */
const recorded = async (
  habits: readonly Partial<Habits>[],
): Promise<{ readonly log: string; readonly har: string; readonly secrets: readonly string[] }> => {
  const contract = await loadContract(SERVICE);
  const sandbox = await startSandbox({
    services: [SERVICE],
    port: 0,
    seed: 1,
    faults: [],
    contracts: [contract],
  });
  const target = targetOf("sandbox", sandbox.environment, true);
  const out = await temporary();
  const recording = await openRecording({ target, contracts: [contract], port: 0, out });
  const { environment, log = "", proxy } = recording;
  for (const [index, one] of habits.entries()) {
    const disposable = {
      FINANCIAL_DATA_PARTNER_ID: environment.FINANCIAL_DATA_DISPOSABLE_PARTNER_ID ?? "",
      FINANCIAL_DATA_PARTNER_SECRET: environment.FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET ?? "",
    };
    const own = { ...environment, ...(index > 0 && disposable) };
    const setting = {
      environment: own,
      clock: clockAt(`${proxy.origin}${CLOCK_PATH}`),
      send: sendByFetch,
      callbackUrl: "",
    };
    const client = createClient(setting, { ...RIGHT, ...one });
    await scenes.browse(client, 5);
    await scenes.newCustomer(client);
  }
  await recording.end({});
  await sandbox.close();
  const har = join(out, "traffic.har");
  await writeHar(log, har);
  return {
    log,
    har,
    secrets: [environment.FINANCIAL_DATA_PARTNER_SECRET ?? "", environment.FINANCIAL_DATA_APP_KEY ?? ""],
  };
};

interface Judged {
  readonly code: number;
  readonly caller: Certificate;
  readonly service: Certificate;
}

const judged = (...files: readonly string[]): Promise<Judged> => judgedAs(SERVICE, files);

const judgedAs = async (service: string, files: readonly string[]): Promise<Judged> =>
  judgedBy([await loadContract(service)], files);

const judgedBy = async (
  contracts: readonly (Contract | undefined)[],
  files: readonly string[],
  more: Pick<JudgeOptions, "since" | "uses"> = {},
): Promise<Judged> => {
  const out = await temporary();
  const { exitCode: code } = await judgeFiles({
    files,
    contracts: contracts.filter((one) => one !== undefined),
    target: undefined,
    out,
    baseline: { failOn: "violation" },
    ...more,
  });
  const read = async (path: string) => JSON.parse(await readFile(join(out, path), "utf8")) as Certificate;
  return { code, caller: await read("certificate.json"), service: await read("service/certificate.json") };
};

const violated = ({ requirements }: Certificate): string[] =>
  requirements.filter(({ verdict }) => verdict === "failed" || verdict === "advisory").map(({ id }) => id);

test("a log and its archive give the same verdicts as the recording, compressed or not", async () => {
  const { log, har, secrets } = await recorded([{ logsInPerCall: true }]);
  const byLog = await judged(log);
  expect(violated(byLog.caller)).toEqual([`${SERVICE}.auth.single-token-reused`]);
  expect(violated(byLog.service)).toEqual([]);
  expect(byLog.caller.half).toBe("caller");
  expect(byLog.caller.summary.passed).toBeGreaterThan(5);
  expect(byLog.service.summary.passed).toBeGreaterThan(3);
  expect(byLog.code).toBe(1);
  const zipped = `${har}.gz`;
  await writeFile(zipped, gzipSync(await readFile(har)));
  const byArchive = await judged(zipped);
  expect(violated(byArchive.service)).toEqual([]);
  // The archive contains no tokens, so their use can't be judged.
  expect(violated(byArchive.caller)).toEqual([]);
  for (const secret of secrets) expect(await readFile(har, "utf8")).not.toContain(secret);
});

test("two clients in one log are told apart", async () => {
  const { log } = await recorded([{}, { logsInPerCall: true }]);
  const { caller } = await judged(log);
  expect(caller.traffic?.clients.map(({ name }) => name)).toEqual(["client 1", "client 2"]);
  expect(violated(caller)).toEqual([`${SERVICE}.auth.single-token-reused`]);
});

test("programs with the same credentials are told apart by their User-Agent", QUICK, async () => {
  const by = (agent: string) => {
    const one = listed("?start=1&limit=5", false) as { readonly request: { readonly headers: object[] } };
    const headers = [...one.request.headers, { name: "User-Agent", value: agent }];
    return { ...one, request: { ...one.request, headers } };
  };
  const har = await archive(["shop/1.0", "app/2.0", "shop/1.0", "batch/1.1"].map(by).map(withoutToken));
  const { caller } = await judged(har);
  expect(caller.traffic?.clients.map(({ exchanges }) => exchanges)).toEqual([2, 1, 1]);
});

test("a truncated archive is judged up to its end", async () => {
  const { har } = await recorded([{}]);
  const text = await readFile(har, "utf8");
  await truncate(har, Math.floor(text.length * 0.7));
  const { caller } = await judged(har);
  expect(caller.traffic?.notes).toContainEqual(expect.stringMatching(/ends in the middle of entry \d+/));
  expect(caller.summary.passed).toBeGreaterThan(3);
});

test("a log without an end is judged, also with an incomplete last line", async () => {
  const { log } = await recorded([{}]);
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
  await writeFile(log, `${lines.slice(0, -1).join("\n")}\n`);
  await appendFile(log, '{"id":"p-');
  const { caller } = await judged(log);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("before it could close the log"));
  expect(caller.summary.exchanges).toBe(lines.length - 2);
});

const entry = (url: string, more: object = {}) => ({
  startedDateTime: "2026-01-02T03:04:05.000Z",
  time: 5,
  request: {
    method: "GET",
    url,
    headers: [
      { name: "Partner-App-Key", value: "k" },
      { name: "Partner-App-Token", value: "t" },
    ],
  },
  response: {
    status: 200,
    headers: [{ name: "Content-Type", value: "application/json" }],
    content: { text: "{}" },
  },
  ...more,
});

const archive = async (entries: readonly unknown[]): Promise<string> => {
  const path = join(await temporary(), "page.har");
  await writeFile(
    path,
    JSON.stringify({ log: { version: "1.2", creator: { name: "x", version: "1" }, pages: [], entries } }),
  );
  return path;
};

const API = "https://api.example.com";
const API_LIST = `${API}/aggregation/v1/customers`;

const listed = (query: string, moreAvailable: unknown) =>
  entry(`${API_LIST}${query}`, {
    response: {
      status: 200,
      headers: [{ name: "Content-Type", value: "application/json" }],
      content: { text: JSON.stringify({ found: 9, displaying: 5, moreAvailable, customers: [] }) },
    },
  });

const withoutToken = <Entry extends object>(one: Entry): Entry => {
  const { request } = one as unknown as {
    readonly request: { readonly headers: readonly { readonly name: string }[] };
  };
  const headers = request.headers.filter(({ name }) => name !== "Partner-App-Token");
  return { ...one, request: { ...request, headers } };
};

test("foreign hosts, missing times and unreadable entries are counted and told", QUICK, async () => {
  const har = await archive([
    entry(`${API}/aggregation/v1/customers`),
    entry("https://cdn.example.com/logo.png"),
    entry("https://cdn.example.com/app.js"),
    entry(`${API}/aggregation/v1/customers`, { startedDateTime: undefined }),
    { request: {} },
  ]);
  const { caller, code } = await judged(har);
  expect(caller.traffic).toMatchObject({ foreign: { "https://cdn.example.com": 2 } });
  expect(caller.traffic?.notes).toEqual([
    expect.stringContaining("1 entry can't be read"),
    expect.stringContaining("1 exchange without a time"),
  ]);
  expect(caller.target.baseUrls).toEqual({ [SERVICE]: API });
  expect(code).toBe(0);
});

test("a clock that goes back in a log convicts nobody", async () => {
  const { log } = await recorded([{}]);
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
  const setBack = lines.map((text, index) => {
    const line = JSON.parse(text) as { startedAt?: string; request?: object };
    if (line.request === undefined || index < lines.length / 2) return text;
    return JSON.stringify({ ...line, startedAt: new Date(Date.parse(line.startedAt ?? "") - 7_200_000) });
  });
  await writeFile(log, `${setBack.join("\n")}\n`);
  const { caller } = await judged(log);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("the clock went back once"));
  expect(violated(caller)).toEqual([]);
});

test("the entries of an archive are judged in order of time, also the newest first", QUICK, async () => {
  const report = (startedDateTime: string, status: string) =>
    entry(`${API}/decisioning/v3/customers/5/reports/r-1`, {
      startedDateTime,
      response: {
        status: 200,
        headers: [{ name: "Content-Type", value: "application/json" }],
        content: { text: JSON.stringify({ id: "r-1", status }) },
      },
    });
  const newestFirst = [
    report("2026-01-02T03:01:10.000Z", "success"),
    report("2026-01-02T03:00:50.000Z", "inProgress"),
    report("2026-01-02T03:00:25.000Z", "inProgress"),
    report("2026-01-02T03:00:00.000Z", "inProgress"),
  ];
  for (const entries of [newestFirst, newestFirst.toReversed()]) {
    const { caller } = await judged(await archive(entries));
    expect(violated(caller)).toEqual([]);
    const passed = caller.requirements.flatMap(({ id, verdict }) => (verdict === "passed" ? [id] : []));
    expect(passed.filter((id) => id.includes("reports.poll"))).toHaveLength(2);
  }
});

const logIn = (postData: object, content: object) =>
  entry(`${API}/aggregation/v2/partners/authentication`, {
    request: {
      method: "POST",
      url: `${API}/aggregation/v2/partners/authentication`,
      headers: [{ name: "Partner-App-Key", value: "k" }],
      bodySize: 48,
      postData: { mimeType: "application/json", ...postData },
    },
    response: { status: 200, headers: [], content: { size: 18, ...content } },
  });

/** What a right client may do, and what services may answer: a request that the archive contains, and its answer. */
const RIGHT_REQUESTS: readonly (readonly [string, object])[] = [
  ["the first page of a search", listed("?search=rob&start=1&limit=5", true)],
  ["a list whose answer says as a text that it ends", listed("?start=1&limit=5", "false")],
  [
    "a call without the body that it does not need",
    entry(`${API}/aggregation/v1/customers/5/accounts/6/transactions/historic`, {
      request: {
        method: "POST",
        url: `${API}/aggregation/v1/customers/5/accounts/6/transactions/historic`,
        headers: [{ name: "Partner-App-Key", value: "k" }],
        bodySize: 0,
      },
      response: { status: 204, headers: [], content: {} },
    }),
  ],
  [
    "an identifier of 64 bits in a body",
    entry(`${API}/connect/v2/generate/lite`, {
      request: {
        method: "POST",
        url: `${API}/connect/v2/generate/lite`,
        headers: [{ name: "Partner-App-Key", value: "k" }],
        postData: {
          mimeType: "application/json",
          text: '{"partnerId":"2445","customerId":"5","institutionId":9007199254740993}',
        },
      },
    }),
  ],
  [
    "an integer of 400 digits in a body",
    entry(`${API}/aggregation/v1/partners/accessKey`, {
      request: {
        method: "POST",
        url: `${API}/aggregation/v1/partners/accessKey`,
        headers: [{ name: "Partner-App-Key", value: "k" }],
        postData: {
          mimeType: "application/json",
          text: `{"customerId":"5","partnerId":"2445","thirdPartyPartnerId":"2446","products":[{"product":"accountOwner",
            "accessPeriod":{"type":"timeframe","startTime":"2026-01-02T03:00:00Z","endTime":"2026-07-02T03:00:00Z"},
            "accountId":"6","maxCalls":${"9".repeat(400)}}]}`,
        },
      },
    }),
  ],
  [
    "a body that is cut off",
    { ...logIn({ text: '{"partnerId":"2445' }, {}), response: { status: 200, headers: [], content: {} } },
  ],
];

test("nobody is advised or convicted for what is usual, cut off or left out", QUICK, async () => {
  // No request has the header of the token, as if a tool had removed it, and the client goes on.
  const others = [1, 2, 3, 4].map((id) => withoutToken(entry(`${API}/institution/v2/institutions/${id}`)));
  const har = await archive([...RIGHT_REQUESTS.map(([, one]) => withoutToken(one)), ...others]);
  const { caller, service } = await judged(har);
  expect(violated(caller)).toEqual([]);
  expect(violated(service).filter((id) => id.includes("GetCustomers"))).toEqual([]);
  expect(caller.traffic?.notes).toEqual([
    expect.stringContaining("3 bodies not whole"),
    expect.stringContaining("No request in the archive has partner-app-token"),
  ]);
  const shown = await archive([withoutToken(entry(`${API}/institution/v2/institutions/1`)), entry(API_LIST)]);
  expect(violated((await judged(shown)).caller)).toEqual([`${SERVICE}.auth.token-needed-on-all-other-calls`]);
});

test("a refused request convicts the caller, never the server", QUICK, async () => {
  const har = await archive([
    entry(`${API}/aggregation/v1/customers?limit=999999`, {
      response: {
        status: 400,
        headers: [{ name: "Content-Type", value: "application/json" }],
        content: { text: '{"code":10001,"message":"The limit is too large."}' },
      },
    }),
  ]);
  const { caller, service } = await judged(har);
  expect(violated(caller)).toEqual([
    `${SERVICE}.GetCustomers.parameter.limit.maximum`,
    `${SERVICE}.caller.requests-accepted`,
  ]);
  expect(caller.findings.map(({ message }) => message)).toContain(
    'the service refused 1 of 1 GetCustomers: 400, "The limit is too large."',
  );
  expect(violated(service)).toEqual([]);
});

test(
  "bodies that an archive does not contain convict nobody, and files beside it are read",
  QUICK,
  async () => {
    const bare = await archive([logIn({ text: "" }, {}), logIn({ text: "" }, {})]);
    const { caller, service } = await judged(bare);
    expect(violated(caller)).toEqual([]);
    expect(violated(service)).toEqual([]);
    expect(caller.traffic?.notes).toContainEqual(
      expect.stringContaining("4 bodies not whole in the archive"),
    );
    const attached = await archive([logIn({ text: "", _file: "a.json" }, { _file: "../b.json" })]);
    await writeFile(join(dirname(attached), "a.json"), '{"partnerId":"24"}');
    await writeFile(join(dirname(attached), "b.json"), '{"token":"0123"}');
    const both = await judged(attached);
    expect(violated(both.caller)).toEqual([`${SERVICE}.CreateToken.request.shape`]);
    expect(both.caller.traffic?.notes).toEqual([]);
  },
);

test("values that a tool masked convict nobody", QUICK, async () => {
  const read = (status: number) =>
    entry(`${API}/institution/v2/institutions/5`, {
      request: {
        method: "GET",
        url: `${API}/institution/v2/institutions/5`,
        headers: [
          { name: "Partner-App-Key", value: "[REDACTED]" },
          { name: "Partner-App-Token", value: "*****" },
        ],
      },
      response: { status, headers: [], content: { size: 2, text: "{}" } },
    });
  const body = (partnerId: string) => ({ text: JSON.stringify({ partnerId, partnerSecret: "***" }) });
  const har = await archive([
    logIn(body("24"), { text: '{"token":"<redacted>"}' }),
    read(401),
    read(401),
    read(401),
    read(401),
    read(401),
  ]);
  const { caller } = await judged(har);
  // No tool masks a status.
  expect(violated(caller)).toEqual([`${SERVICE}.caller.requests-accepted`]);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("6 exchanges with masked values"));
});

test("the refusals of the sandbox are judged in recorded traffic too", async () => {
  const service = "card-enrollment";
  const contracts = [await loadContract(service)];
  const sandbox = await startSandbox({ services: [service], port: 0, seed: 1, faults: [], contracts });
  const out = await temporary();
  const target = targetOf("sandbox", sandbox.environment, true);
  const recording = await openRecording({ target, contracts, port: 0, out });
  for (const key of [sandbox.environment.CARD_ENROLLMENT_API_KEY ?? "", "wrong"]) {
    await fetch(`${recording.proxy.baseUrls[service]}/cards`, {
      method: "PUT",
      headers: { "content-type": "application/json", "x-openapi-clientid": key },
      body: "{}",
    });
  }
  await recording.end({});
  await sandbox.close();
  const byLog = await judgedAs(service, [recording.log ?? ""]);
  expect(byLog.service.operations.flatMap(({ statuses }) => statuses.map(({ status }) => status))).toEqual(
    expect.arrayContaining([400, 401]),
  );
  expect(violated(byLog.service)).toEqual([]);
  const reasons = new Map(byLog.service.requirements.map(({ id, reason }) => [id, reason]));
  expect(reasons.get(`${service}.error.builder-returns-sample-shape`)).not.toContain("suite");
});

/** What tools write for members that they do not have: each is as good as absent. */
const ODD_MEMBERS: readonly (readonly [string, object])[] = [
  ["no text of an answer", { response: { status: 200, headers: null, content: { text: null, size: 2 } } }],
  ["no answer", { response: null }],
  ["no members of an answer", { response: { status: 200, headers: [null, { name: 1 }], content: null } }],
  ["no request", { request: null }],
  ["no times", { startedDateTime: null, time: "5" }],
  [
    "undecodable base64",
    { response: { status: 200, headers: [], content: { text: "e30=!", encoding: "base64" } } },
  ],
];

test(
  "members of an archive that are null, or of another type, are stated and convict nobody",
  QUICK,
  async () => {
    const url = `${API}/aggregation/v1/customers`;
    const list = '{"found":0,"displaying":0,"moreAvailable":false,"customers":[]}';
    const response = { status: 200, headers: [], content: { text: list } };
    const odd = ODD_MEMBERS.map(([, more]) => entry(url, { response, ...more }));
    const har = await archive([entry(url, { response }), null, ...odd]);
    const { caller, service, code } = await judged(har);
    expect([code, violated(caller), violated(service)]).toEqual([0, [], []]);
    expect(caller.traffic?.notes).toEqual([
      expect.stringContaining("1 entry can't be read"),
      expect.stringContaining("3 bodies not whole in the archive"),
      expect.stringContaining("1 exchange without a time"),
    ]);
  },
);

test("a compressed log that is cut off is judged up to its end, and a ZIP file is refused", async () => {
  const { log } = await recorded([{}]);
  const zipped = `${log}.gz`;
  const bytes = gzipSync(await readFile(log));
  await writeFile(zipped, bytes.subarray(0, Math.floor(bytes.length * 0.8)));
  const { caller } = await judged(zipped);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("unexpected end of file"));
  expect(caller.summary.exchanges).toBeGreaterThan(2);
  await writeFile(zipped, Buffer.from("PK\u0003\u0004 and more"));
  await expect(judged(zipped)).rejects.toThrow("unzip it");
});

test("traffic is judged by the document that is given, and the changes that refuse calls are named", async () => {
  const { base, revision } = await upgradedDocuments();
  const [before, after] = await Promise.all(
    [base, revision].map((providerFile) => loadContract(SERVICE, { providerFile })),
  );
  const sandbox = await startSandbox({
    services: [SERVICE],
    port: 0,
    seed: 1,
    faults: [],
    contracts: [before as Contract],
  });
  const target = targetOf("sandbox", sandbox.environment, true);
  const recording = await openRecording({
    target,
    contracts: [before as Contract],
    port: 0,
    out: await temporary(),
  });
  const address = recording.proxy.baseUrls[SERVICE];
  const post = (body: object) =>
    fetch(`${address}/connect-components/configurations`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await post({ name: "one" });
  await post({ name: "two" });
  await post({ name: "three", tier: "a", taxId: 12_345_678 });
  await fetch(`${address}/institution/v2/institutions`);
  await fetch(`${address}/aggregation/v1/customers/5`);
  await recording.end({});
  await sandbox.close();
  const { log = "" } = recording;
  const har = log.replace(/ndjson$/, "har");
  await writeHar(log, har);
  const lacksTier = `${SERVICE}.post-configurations.request.shape`;
  for (const file of [log, har]) {
    const now = await judgedBy([after], [file], { since: before, uses: USES });
    expect(violated(now.caller)).toContain(lacksTier);
    expect(now.caller.findings.filter(({ message }) => message.includes("taxId"))).toEqual([]);
    const notes = now.caller.traffic?.notes ?? [];
    expect(notes[0]).toBe("3 of your 5 recorded calls are refused by 2:");
    expect(notes).toContainEqual(
      expect.stringMatching(/d-\w{12} .*\/tier: required property added: 2 calls, first [hp]-\d+ POST/),
    );
    expect(notes).toContainEqual(
      expect.stringMatching(/d-\w{12} .*GetCustomer.*: 1 call, first [hp]-\d+ GET/),
    );
    expect(notes).toContainEqual(
      expect.stringMatching(/d-\w{12} .*found: .*your client reads GetInstitutions \/found/),
    );
  }
});

/** What a client uses, as the proxy writes it. */
const USES = {
  format: "uses/1",
  services: { [SERVICE]: { GetInstitutions: { requests: 1, sent: [], read: ["/found"] } } },
} as const;

test("an archive that is none, and traffic with nobody, are told apart", async () => {
  const out = await temporary();
  const none = join(out, "none.har");
  await writeFile(none, '{"a":1}');
  const judgedNone = await run("judge", [none, "--out", join(out, "a")]);
  expect(judgedNone.code).toBe(3);
  expect(judgedNone.stdout).toContain("this is not an HTTP archive");
  const missing = await run("judge", [join(out, "missing.har"), "--out", join(out, "b")]);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("missing.har can't be read");
});
