/** `npm run judge`: HTTP archives as tools write them, whole, masked or with odd members. */
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";
import { judged, SERVICE, violated } from "./judging.ts";

const JSON_TYPE = [{ name: "Content-Type", value: "application/json" }];
const KEY = { name: "Partner-App-Key", value: "k" };

/** An answer in JSON. */
const answered = (json: unknown, status = 200) => ({
  response: { status, headers: JSON_TYPE, content: { text: JSON.stringify(json) } },
});

const entry = (url: string, more: object = {}) => ({
  startedDateTime: "2026-01-02T03:04:05.000Z",
  time: 5,
  request: { method: "GET", url, headers: [KEY, { name: "Partner-App-Token", value: "t" }] },
  ...answered({}),
  ...more,
});

/** A request without the header of the token. */
const posted = (path: string, request: object, more: object = {}) => {
  const url = `${API}${path}`;
  return entry(url, { request: { method: "POST", url, headers: [KEY], ...request }, ...more });
};

const inJson = (text: string) => ({ postData: { mimeType: "application/json", text } });

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
  entry(`${API_LIST}${query}`, answered({ found: 9, displaying: 5, moreAvailable, customers: [] }));

const withoutToken = <Entry extends object>(one: Entry): Entry => {
  const { request } = one as unknown as {
    readonly request: { readonly headers: readonly { readonly name: string }[] };
  };
  const headers = request.headers.filter(({ name }) => name !== "Partner-App-Token");
  return { ...one, request: { ...request, headers } };
};

test("foreign hosts, missing times and unreadable entries are counted and told", async () => {
  const har = await archive([
    entry(`${API}/aggregation/v1/customers`),
    entry("https://cdn.example.com/logo.png"),
    entry("https://cdn.example.com/app.js"),
    entry(`${API}/aggregation/v1/customers`, { startedDateTime: undefined }),
    { request: {} },
    { ...entry(API_LIST), request: { ...entry(API_LIST).request, method: "PUT;touch X;" } },
  ]);
  const { caller, code } = await judged(har);
  expect(caller.traffic).toMatchObject({ foreign: { "https://cdn.example.com": 2 } });
  expect(caller.traffic?.notes).toEqual([
    expect.stringContaining("2 entries can't be read"),
    expect.stringContaining("1 exchange without a time"),
  ]);
  expect(caller.target.baseUrls).toEqual({ [SERVICE]: API });
  expect(code).toBe(0);
});

test("programs with the same credentials are told apart by their User-Agent", async () => {
  const by = (agent: string) => {
    const one = listed("?start=1&limit=5", false) as { readonly request: { readonly headers: object[] } };
    const headers = [...one.request.headers, { name: "User-Agent", value: agent }];
    return { ...one, request: { ...one.request, headers } };
  };
  const har = await archive(["shop/1.0", "app/2.0", "shop/1.0", "batch/1.1"].map(by).map(withoutToken));
  const { caller } = await judged(har);
  expect(caller.traffic?.clients.map(({ exchanges }) => exchanges)).toEqual([2, 1, 1]);
});

test("the entries of an archive are judged in order of time, also the newest first", QUICK, async () => {
  const report = (startedDateTime: string, status: string) =>
    entry(`${API}/decisioning/v3/customers/5/reports/r-1`, {
      startedDateTime,
      ...answered({ id: "r-1", status }),
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
  posted(
    "/aggregation/v2/partners/authentication",
    { bodySize: 48, postData: { mimeType: "application/json", ...postData } },
    { response: { status: 200, headers: [], content: { size: 18, ...content } } },
  );

/** What a right client may do, and what services may answer: a request that the archive contains, and its answer. */
const RIGHT_REQUESTS: readonly (readonly [string, object])[] = [
  ["the first page of a search", listed("?search=rob&start=1&limit=5", true)],
  ["a list whose answer says as a text that it ends", listed("?start=1&limit=5", "false")],
  [
    "a call without the body that it does not need",
    posted(
      "/aggregation/v1/customers/5/accounts/6/transactions/historic",
      { bodySize: 0 },
      { response: { status: 204, headers: [], content: {} } },
    ),
  ],
  [
    "an identifier of 64 bits in a body",
    posted(
      "/connect/v2/generate/lite",
      inJson('{"partnerId":"2445","customerId":"5","institutionId":9007199254740993}'),
    ),
  ],
  [
    "an integer of 400 digits in a body",
    posted(
      "/aggregation/v1/partners/accessKey",
      inJson(`{"customerId":"5","partnerId":"2445","thirdPartyPartnerId":"2446","products":[{"product":"accountOwner",
            "accessPeriod":{"type":"timeframe","startTime":"2026-01-02T03:00:00Z","endTime":"2026-07-02T03:00:00Z"},
            "accountId":"6","maxCalls":${"9".repeat(400)}}]}`),
    ),
  ],
  [
    "a body that is cut off",
    { ...logIn({ text: '{"partnerId":"2445' }, {}), response: { status: 200, headers: [], content: {} } },
  ],
];

test("nobody is advised or convicted for what is usual, cut off or left out", async () => {
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

test("a refused request convicts the caller, never the server", async () => {
  const har = await archive([
    entry(`${API}/aggregation/v1/customers?limit=many`, {
      ...answered({ code: 10001, message: "The limit is no number." }, 400),
    }),
  ]);
  const { caller, service } = await judged(har);
  expect(violated(caller)).toEqual([
    `${SERVICE}.GetCustomers.parameter.limit.type`,
    `${SERVICE}.caller.requests-accepted`,
  ]);
  expect(caller.findings.map(({ message }) => message)).toContain(
    'the service refused 1 of 1 GetCustomers: 400, "The limit is no number."',
  );
  expect(violated(service)).toEqual([]);
});

test("bodies that an archive does not contain convict nobody, and files beside it are read", async () => {
  const bare = await archive([logIn({ text: "" }, {}), logIn({ text: "" }, {})]);
  const { caller, service } = await judged(bare);
  expect(violated(caller)).toEqual([]);
  expect(violated(service)).toEqual([]);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("4 bodies not whole in the archive"));
  const attached = await archive([logIn({ text: "", _file: "a.json" }, { _file: "../b.json" })]);
  await writeFile(join(dirname(attached), "a.json"), '{"partnerId":"24"}');
  await writeFile(join(dirname(attached), "b.json"), '{"token":"0123"}');
  const both = await judged(attached);
  expect(violated(both.caller)).toEqual([`${SERVICE}.CreateToken.request.shape`]);
  expect(both.caller.traffic?.notes).toEqual([]);
});

test("an answer convicts for its empty body only if nothing says that a tool left the body out", async () => {
  const read = (response: object) =>
    entry(`${API}/aggregation/v1/customers/5`, { response: { status: 200, headers: [], ...response } });
  const left = [
    { content: { size: -1 } },
    { content: { size: -1, text: "" } },
    { bodySize: 30, content: { size: 0 } },
    { headers: [{ name: "Content-Length", value: "30" }], content: { size: 0, text: "" } },
  ];
  expect(violated((await judged(await archive(left.map(read)))).service)).toEqual([]);
  const empty = await judged(await archive([read({ bodySize: 0, content: { size: 0 } })]));
  expect(violated(empty.service)).toEqual([`${SERVICE}.bodies.json`]);
});

test("values that a tool masked convict nobody", async () => {
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
    ...[1, 2, 3, 4, 5].map(() => read(401)),
  ]);
  const { caller } = await judged(har);
  // No tool masks a status.
  expect(violated(caller)).toEqual([`${SERVICE}.caller.requests-accepted`]);
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("6 exchanges with masked values"));
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

test("members of an archive that are null, or of another type, are stated and convict nobody", async () => {
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
});
