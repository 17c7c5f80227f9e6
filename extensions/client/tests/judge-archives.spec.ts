/** `npm run judge`: HTTP archives of right and wrong clients, as tools write them: whole, masked or with odd members. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import { ROOT, temporary } from "../../../tests/self/support/command.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { common } from "../subjects/card-enrollment/client.ts";
import { CONSUMER } from "../subjects/financial-data/scenes.ts";
import { purchaseOf } from "../subjects/installments/client.ts";
import { judged, judgedBy, SERVICE, violated } from "./judging.ts";

const ROWS = parse(readFileSync(join(ROOT, "extensions/client/tests/archives.yaml"), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
>;

const CARD_CLIENT = {
  CARD_ENROLLMENT_SRC_CLIENT_ID: "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9",
  CARD_ENROLLMENT_SERVICE_ID: "PROGRAM_0009",
};

const BODIES: Readonly<Record<string, unknown>> = {
  CARD: { ...common({ environment: CARD_CLIENT }, 0), encryptedCard: "eyJhbGciOiJSU0EifQ.a.b.c.d" },
  CONSUMER,
  OFFERS: purchaseOf("list-1"),
};

const named = (name: string, value: string) => ({ name, value });
const TOKEN = "Partner-App-Token";
const KEYS = ["Partner-App-Key", "X-OpenAPI-ClientId", "Authorization"].map((name) => named(name, "k"));
const API = "https://api.example.com";

const LINE = /^(?:\+(\d+) )?([A-Z]+) (\S+)(?: (.+?))? -> (\d+)(?: (.+))?$/;

/** Returns the entries of an archive, by the lines of `archives.yaml`. */
const entriesOf = (...lines: readonly string[]) => {
  let start = Date.UTC(2026, 0, 2);
  return lines.map((line) => {
    const [, pause = "5", method = "", path, sent, status, text = ""] = LINE.exec(line) ?? [];
    start += Number(pause) * 1000;
    const body = sent !== undefined && sent in BODIES ? JSON.stringify(BODIES[sent]) : sent;
    return {
      startedDateTime: new Date(start).toISOString(),
      time: 5,
      request: {
        ...{ method, url: `${API}${path}`, headers: [...KEYS, named(TOKEN, "t")] },
        ...(body !== undefined && { postData: { mimeType: "application/json", text: body } }),
      },
      response: {
        ...{ status: Number(status), headers: [named("Content-Type", "application/json")] },
        content: { size: text.length, text },
      },
    };
  });
};

type Entry = ReturnType<typeof entriesOf>[number];

const archive = async (entries: readonly unknown[]): Promise<string> => {
  const path = join(await temporary(), "page.har");
  await writeFile(path, JSON.stringify({ log: { version: "1.2", pages: [], entries } }));
  return path;
};

/** What tools leave out of an archive, or write in its place. */
const DAMAGES: Readonly<Record<string, (entry: Entry) => object>> = {
  "no times": ({ startedDateTime: _, time: __, ...rest }) => rest,
  "times that are null": (entry) => ({ ...entry, startedDateTime: null, time: "5" }),
  "no answers": ({ response: _, ...rest }) => rest,
  "no bodies of answers": (entry) => answering(entry, { content: { size: -1 } }),
  "undecodable base64": (entry) => answering(entry, { content: { text: "e30=!", encoding: "base64" } }),
  "headers that are null": (entry) =>
    asking(answering(entry, { headers: [null, { name: 1 }] }), { headers: null }),
  "bodies cut off": (entry) => asking(entry, { bodySize: 900, postData: { text: '{"a":' } }),
  "masked values": (entry) =>
    JSON.parse(
      JSON.stringify(entry)
        .replaceAll(/:\\"[^"\\]*\\"/g, ':\\"***\\"')
        .replaceAll('"value":"k"', '"value":"[REDACTED]"'),
    ) as object,
};

const answering = (entry: Entry, more: object) => ({ ...entry, response: { ...entry.response, ...more } });
const asking = (entry: Entry, more: object) => ({ ...entry, request: { ...entry.request, ...more } });

/** Returns what an archive shows of its caller: `failed caller.documented-operations`. */
const foundIn = async (service: string, entries: readonly object[]): Promise<readonly string[]> => {
  const target = targetOf("archive", { [baseUrlName(service)]: API }, false);
  const { caller } = await judgedBy([await loadContract(service)], [await archive(entries)], { target });
  return caller.requirements.flatMap(({ id, verdict }) =>
    ["failed", "advisory"].includes(verdict) ? [`${verdict} ${id.slice(service.length + 1)}`] : [],
  );
};

/** Rules of forms, and refusals of any kind, are for other tests. */
const OF_FORM = /\.shape$| caller\.requests-accepted$/;

for (const [service, rows] of Object.entries(ROWS)) {
  for (const [row, lines] of Object.entries(rows)) {
    const [name = "", violation] = row.split(" / ");
    test(`${service}: ${name}`, async () => {
      const found = await foundIn(service, entriesOf(...lines));
      const shown = found.filter((one) => one === violation || !OF_FORM.test(one));
      expect(shown).toEqual(violation === undefined ? [] : [violation]);
    });
  }

  test(`${service}: no damage to an archive convicts anybody of more than the whole one`, async () => {
    const entries = entriesOf(...Object.values(rows).flat());
    const whole = await foundIn(service, entries);
    for (const [name, damaged] of Object.entries(DAMAGES)) {
      const found = await foundIn(service, entries.map(damaged));
      const more = found.filter((one) => !whole.includes(one));
      expect(more, name).toEqual([]);
    }
  });
}

const withoutToken = (entry: Entry) =>
  asking(entry, { headers: entry.request.headers.filter(({ name }) => name !== TOKEN) });

const LIST = "/aggregation/v1/customers";
const [LISTED] = entriesOf(`GET ${LIST} -> 200 {}`) as [Entry];

test("masked values are told", async () => {
  const { caller } = await judged(await archive([DAMAGES["masked values"]?.(LISTED)]));
  expect(caller.traffic?.notes).toContainEqual(expect.stringContaining("1 exchange with masked values"));
});

test("foreign hosts, missing times and unreadable entries are counted and told", async () => {
  const har = await archive([
    LISTED,
    asking(LISTED, { url: "https://cdn.example.com/logo.png" }),
    asking(LISTED, { url: "https://cdn.example.com/app.js" }),
    { ...LISTED, startedDateTime: undefined },
    { request: {} },
    null,
    asking(LISTED, { method: "PUT;touch X;" }),
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
  const by = (agent: string) => asking(LISTED, { headers: [...KEYS, named("User-Agent", agent)] });
  const { caller } = await judged(await archive(["shop/1.0", "app/2.0", "shop/1.0", "batch/1.1"].map(by)));
  expect(caller.traffic?.clients.map(({ exchanges }) => exchanges)).toEqual([2, 1, 1]);
});

test("the entries of an archive are judged in order of time, also the newest first", QUICK, async () => {
  const report = (status: string) =>
    `+22 GET /decisioning/v3/customers/5/reports/r-1 -> 200 {"id":"r-1","status":"${status}"}`;
  const entries = entriesOf(...["inProgress", "inProgress", "inProgress", "success"].map(report));
  for (const one of [entries, entries.toReversed()]) {
    const { caller } = await judged(await archive(one));
    expect(violated(caller)).toEqual([]);
    const passed = caller.requirements.flatMap(({ id, verdict }) => (verdict === "passed" ? [id] : []));
    expect(passed.filter((id) => id.includes("reports.poll"))).toHaveLength(2);
  }
});

const logIn = (postData: object, content: object) =>
  asking(answering(withoutToken(LISTED), { headers: [], content: { size: 18, ...content } }), {
    ...{ method: "POST", url: `${API}/aggregation/v2/partners/authentication`, bodySize: 48 },
    postData: { mimeType: "application/json", ...postData },
  });

/** What a right client may do, and what services may answer. */
const RIGHT_REQUESTS = entriesOf(
  `GET ${LIST}?search=rob&start=1&limit=5 -> 200 {"found":9,"displaying":5,"moreAvailable":true,"customers":[]}`,
  `GET ${LIST}?start=1&limit=5 -> 200 {"found":9,"displaying":5,"moreAvailable":"false","customers":[]}`,
  "POST /aggregation/v1/customers/5/accounts/6/transactions/historic -> 204",
  'POST /connect/v2/generate/lite {"partnerId":"2445","customerId":"5","institutionId":9007199254740993} -> 200 {}',
  `POST /aggregation/v1/partners/accessKey {"customerId":"5","partnerId":"2445","thirdPartyPartnerId":"2446","products":[{"product":"accountOwner","accessPeriod":{"type":"timeframe","startTime":"2026-01-02T03:00:00Z","endTime":"2026-07-02T03:00:00Z"},"accountId":"6","maxCalls":${"9".repeat(400)}}]} -> 200 {}`,
);

test("nobody is advised or convicted for what is usual, cut off or left out", async () => {
  // No request has the header of the token, as if a tool had removed it, and the client goes on.
  const others = entriesOf(...[1, 2, 3, 4].map((id) => `GET /institution/v2/institutions/${id} -> 200 {}`));
  const cut = {
    ...logIn({ text: '{"partnerId":"2445' }, {}),
    response: { status: 200, headers: [], content: {} },
  };
  const har = await archive([...[...RIGHT_REQUESTS, ...others].map(withoutToken), cut]);
  const { caller, service } = await judged(har);
  expect(violated(caller)).toEqual([]);
  expect(violated(service).filter((id) => id.includes("GetCustomers"))).toEqual([]);
  expect(caller.traffic?.notes).toEqual([
    expect.stringContaining("2 bodies not whole"),
    expect.stringContaining("No request in the archive has partner-app-token"),
  ]);
  const shown = await archive([...others.slice(0, 1).map(withoutToken), LISTED]);
  expect(violated((await judged(shown)).caller)).toEqual([`${SERVICE}.auth.token-needed-on-all-other-calls`]);
});

test("a refused request convicts the caller, never the server", async () => {
  const refused = `GET ${LIST}?limit=many -> 400 {"code":10001,"message":"The limit is no number."}`;
  const { caller, service } = await judged(await archive(entriesOf(refused)));
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
  const read = (response: object) => {
    const one = asking(LISTED, { url: `${API}${LIST}/5` });
    return { ...one, response: { status: 200, headers: [], ...response } };
  };
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
