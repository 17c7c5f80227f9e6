/** Hostile modes of flows over several calls: tokens, polling of reports, webhooks and paging. */
import http from "node:http";
import type { Outcome } from "../../../reports/certificate/outcome.ts";
import type { Misbehave, Received, Reply } from "./hostile-server.ts";
import {
  CERTIFIED,
  changing,
  type Flow,
  INCOMPLETE,
  isSuccess,
  JSON_TYPE,
  type Mode,
  VIOLATIONS,
} from "./mode.ts";

const ANY_WRONG: readonly Outcome[] = ["violations", "incomplete"];

const isLogIn = ({ path }: Received): boolean => path.includes("/partners/authentication");

/** The names and the form of pages are assumed, so that no server fails because of them. */
const ANY: readonly Outcome[] = ["certified", "violations", "incomplete"];

/** A run can't use the answer, although no document forbids it. */
const UNKNOWN: readonly Outcome[] = ["certified", "incomplete"];

/** Replaces the successful answers to some requests. */
const answering = (
  body: unknown,
  applies: (request: Received) => boolean,
  headers: Reply["headers"] = JSON_TYPE,
): Misbehave =>
  changing(
    (reply) =>
      isSuccess(reply) ? { headers, body: typeof body === "string" ? body : JSON.stringify(body) } : {},
    applies,
  );

const token = (value: unknown): Misbehave => answering({ token: value }, isLogIn);

const TOKENS: readonly Mode[] = [
  {
    about: "no token",
    misbehave: answering({}, isLogIn),
    ends: INCOMPLETE,
    failsNothing: true as const,
    says: /shows no token/,
    quick: true as const,
  },
  {
    about: "a token that can't be told from another text",
    misbehave: answering({ data: { session: "first-token-17", tenant: "second-token-18" } }, isLogIn),
    ends: INCOMPLETE,
    failsNothing: true as const,
  },
  { about: "an empty token", misbehave: token(""), ends: ANY_WRONG },
  { about: "a token that is a number", misbehave: token(17), ends: INCOMPLETE, failsNothing: true as const },
  {
    about: "a token that is an object",
    misbehave: token({ token: { token: {} } }),
    ends: INCOMPLETE,
    failsNothing: true as const,
  },
  { about: "a token that is null", misbehave: token(null), ends: INCOMPLETE, failsNothing: true as const },
  {
    about: "a token with a line break and a header",
    misbehave: token("abcdefgh\r\nx-admin: 1"),
    ends: ANY_WRONG,
  },
  { about: "a token with NUL", misbehave: token("abcdefgh\0"), ends: ANY_WRONG },
  { about: "a token outside ASCII", misbehave: token("ünïcödé-tökèn-💥"), ends: ANY_WRONG },
  { about: "a token of 1 MB", misbehave: token("t".repeat(1_000_000)), ends: ANY_WRONG },
  { about: "a token that nobody knows", misbehave: token("unknown-token-17"), ends: ANY_WRONG },
  {
    about: "a list of tokens",
    misbehave: answering(["first-token", "second-token"], isLogIn),
    ends: UNKNOWN,
    failsNothing: true as const,
  },
  {
    about: "a page instead of a token",
    misbehave: answering("<p>Log in</p>", isLogIn, { "content-type": "text/html" }),
    ends: ANY_WRONG,
  },
  {
    about: "a token that has always ended",
    misbehave: changing(
      () => ({ status: 401, headers: JSON_TYPE, body: '{"code":10022,"message":"The token has ended."}' }),
      (request) => !isLogIn(request),
    ),
    ends: ANY_WRONG,
    passesNothing: true as const,
  },
  {
    about: "a log-in that never ends",
    misbehave: changing(() => ({ end: "hang-before" }), isLogIn),
    ends: INCOMPLETE,
  },
  {
    about: "a log-in that asks to wait for an hour",
    misbehave: changing(() => ({ status: 429, headers: { "retry-after": "3600" }, body: "" }), isLogIn),
    ends: INCOMPLETE,
    says: /asks to wait 3,600 s/,
  },
].map((mode) => ({ flow: "token", ...mode }));

const isReport = ({ method, path }: Received): boolean => method === "GET" && /\/reports\//.test(path);

const status = (value: (request: Received) => unknown): Misbehave =>
  changing((reply, request) => {
    if (!isSuccess(reply)) return {};
    return { body: JSON.stringify({ ...JSON.parse(reply.body.toString()), status: value(request) }) };
  }, isReport);

const POLLING: readonly Mode[] = [
  { about: "a report that is in progress for ever", misbehave: status(() => "inProgress"), ends: VIOLATIONS },
  {
    about: "a status that goes back and forth",
    misbehave: status(({ index }) => (index % 2 ? "success" : "inProgress")),
    ends: VIOLATIONS,
  },
  { about: "an unknown status", misbehave: status(() => "exploded"), ends: VIOLATIONS },
  { about: "a status that is a number", misbehave: status(() => 7), ends: ANY },
  { about: "a status that is an object", misbehave: status(() => ({ is: "success" })), ends: ANY },
  { about: "a status named constructor", misbehave: status(() => "constructor"), ends: VIOLATIONS },
  { about: "no status", misbehave: status(() => undefined), ends: ANY },
  { about: "a status of 1 MB", misbehave: status(() => "s".repeat(1_000_000)), ends: ANY },
  {
    about: "reports that are never found",
    misbehave: changing(() => ({ status: 404, body: "{}" }), isReport),
    ends: ANY,
  },
  {
    about: "reports with 202 for ever",
    misbehave: changing(() => ({ status: 202, body: "{}" }), isReport),
    ends: ANY,
  },
  {
    about: "reports elsewhere, for ever",
    misbehave: changing((_, { path }) => ({ status: 302, headers: { location: path }, body: "" }), isReport),
    ends: ANY,
  },
  {
    about: "reports that hang",
    misbehave: changing(() => ({ end: "hang-before" }), isReport),
    ends: ANY,
  },
].map((mode) => ({ flow: "polling", ...mode }));

const RECEIVER = /http:\/\/127\.0\.0\.1:\d+\/[^"\s]*/;

/** Sends requests to the receiver whose address a request contains, before the request is answered. */
const bothering =
  (bother: (address: URL) => Promise<unknown>): Misbehave =>
  async ({ body }, correct) => {
    const [address] = RECEIVER.exec(body.toString()) ?? [];
    if (address !== undefined) await bother(new URL(address));
    return correct();
  };

const post = (url: URL, body: string | Buffer, method = "POST"): Promise<void> =>
  new Promise((resolve) => {
    const request = http.request(url, { method, agent: false }, (response) => {
      response.resume().once("end", resolve);
    });
    request.once("error", () => resolve());
    request.end(body);
  });

const times = (count: number, act: (index: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

const WEBHOOKS: readonly Mode[] = [
  {
    about: "500 deliveries that nobody expects",
    misbehave: bothering((url) => times(500, () => post(url, '{"a":1}'))),
  },
  {
    about: "deliveries that are not JSON",
    misbehave: bothering((url) => times(20, () => post(url, "\0\u0001{"))),
  },
  {
    about: "a delivery of 100,000 levels",
    misbehave: bothering((url) => post(url, "[".repeat(100_000) + "]".repeat(100_000))),
  },
  { about: "a delivery of 20 MB", misbehave: bothering((url) => post(url, Buffer.alloc(20_000_000, "x"))) },
  {
    about: "deliveries with other methods",
    misbehave: bothering((url) => times(4, (at) => post(url, "", ["HEAD", "OPTIONS", "GET", "PUT"][at]))),
  },
  {
    about: "deliveries to other addresses",
    misbehave: bothering((url) => times(50, (at) => post(new URL(`/${at}`, url), "{}"))),
  },
  {
    about: "deliveries to addresses that are no text",
    misbehave: bothering((url) => times(3, () => post(new URL("/%ff%00/%c0%80", url), "{}"))),
  },
].map((mode) => ({ flow: "webhook" as Flow, ends: CERTIFIED, ...mode }));

const isList = ({ method, path }: Received): boolean => method === "GET" && /\/transactions(\?|$)/.test(path);

const page = (change: (body: Record<string, unknown>) => Record<string, unknown>): Misbehave =>
  changing((reply) => {
    if (!isSuccess(reply)) return {};
    return { body: JSON.stringify(change(JSON.parse(reply.body.toString()) as Record<string, unknown>)) };
  }, isList);

const SAME = '{"found":3,"displaying":1,"moreAvailable":"true","transactions":[]}';

const PAGING: readonly Mode[] = [
  { about: "a further page for ever", misbehave: page((body) => ({ ...body, moreAvailable: "true" })) },
  { about: "no further page, ever", misbehave: page((body) => ({ ...body, moreAvailable: "false" })) },
  {
    about: "the same page for ever",
    misbehave: changing(() => ({ body: SAME }), isList),
  },
  {
    about: "10^15 transactions, found but not shown",
    misbehave: page((body) => ({ ...body, found: 1e15, moreAvailable: "true" })),
  },
  { about: "a negative count", misbehave: page((body) => ({ ...body, found: -1, displaying: -1 })) },
  {
    about: "counts that are texts",
    misbehave: page((body) => ({ ...body, found: "many", displaying: "some" })),
  },
  {
    about: "transactions that are no list",
    misbehave: page((body) => ({ ...body, transactions: { "0": {} } })),
  },
].map((mode) => ({ flow: "paging" as Flow, ends: ANY, failsNothing: true as const, ...mode }));

/** Lists that break a promise: the documents name their statuses, and the fields of transactions. */
const WRONG_PAGES: readonly Mode[] = [
  {
    about: "no pages at all",
    misbehave: changing(() => ({ status: 204, body: "" }), isList),
    says: /undocumented status 204/,
  },
  {
    about: "100,000 transactions on a page",
    misbehave: page((body) => ({
      ...body,
      transactions: Array.from({ length: 100_000 }, (_, id) => ({ id })),
    })),
    says: /must have required property 'amount'/,
  },
  {
    about: "transactions of null",
    misbehave: page((body) => ({ ...body, transactions: [null, null] })),
    says: /transactions\/0 must be object/,
    ends: ANY,
  },
].map((mode) => ({ flow: "paging", ends: VIOLATIONS, ...mode }));

/** Lets a customer initiate deposits once a day. */
const onceADay = (initiated = new Set<string>()): Misbehave =>
  changing(
    (reply, { path }) => {
      if (initiated.has(path)) return { status: 429, headers: { "retry-after": "86400" }, body: "" };
      if (isSuccess(reply)) initiated.add(path);
      return {};
    },
    ({ method, path }) => method === "POST" && /\/microentry\/v1\/customers\/\d+$/.test(path),
  );

const DEPOSITS: Mode = {
  about: "deposits that a customer can initiate once a day",
  flow: "deposits",
  misbehave: onceADay(),
  ends: CERTIFIED,
  says: /the server limits repetitions/,
};

export const FLOW_MODES: readonly Mode[] = [
  ...[...TOKENS, ...POLLING, ...WEBHOOKS, ...PAGING, ...WRONG_PAGES],
  DEPOSITS,
];
