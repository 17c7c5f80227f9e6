/** Hostile modes of flows over several calls: tokens, polling of reports, webhooks and paging. */
import http from "node:http";
import type { Outcome } from "../../../reports/certificate/outcome.ts";
import type { Misbehave, Received, Reply } from "./hostile-server.ts";
import {
  ANY,
  CERTIFIED,
  changing,
  INCOMPLETE,
  isSuccess,
  JSON_TYPE,
  type Mode,
  modes,
  VIOLATIONS,
  WRONG,
} from "./mode.ts";

const isLogIn = ({ path }: Received): boolean => path.includes("/partners/authentication");

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

const UNUSABLE = { ends: INCOMPLETE, failsNothing: true } as const;

const token = (value: unknown): Misbehave => answering({ token: value }, isLogIn);

const TOKENS: readonly Mode[] = modes({ flow: "token", ends: WRONG }, [
  ["no token", answering({}, isLogIn), { ...UNUSABLE, says: /shows no token/, quick: true }],
  [
    "a token that can't be told from another text",
    answering({ data: { session: "first-token-17", tenant: "second-token-18" } }, isLogIn),
    UNUSABLE,
  ],
  ["an empty token", token("")],
  ["a token that is a number", token(17), UNUSABLE],
  ["a token that is an object", token({ token: { token: {} } }), UNUSABLE],
  ["a token that is null", token(null), UNUSABLE],
  ["a token with a line break and a header", token("abcdefgh\r\nx-admin: 1")],
  ["a token with NUL", token("abcdefgh\0")],
  ["a token outside ASCII", token("ünïcödé-tökèn-💥")],
  ["a token of 5 MB", token("t".repeat(5_000_000))],
  ["a token that nobody knows", token("unknown-token-17")],
  [
    "a list of tokens",
    answering(["first-token", "second-token"], isLogIn),
    { ends: UNKNOWN, failsNothing: true },
  ],
  ["a page instead of a token", answering("<p>Log in</p>", isLogIn, { "content-type": "text/html" })],
  [
    "a token that has always ended",
    changing(
      () => ({ status: 401, headers: JSON_TYPE, body: '{"code":10022,"message":"The token has ended."}' }),
      (request) => !isLogIn(request),
    ),
    { passesNothing: true },
  ],
  ["a log-in that never ends", changing(() => ({ end: "hang-before" }), isLogIn), { ends: INCOMPLETE }],
  [
    "a log-in that asks to wait for an hour",
    changing(() => ({ status: 429, headers: { "retry-after": "3600" }, body: "" }), isLogIn),
    { ends: INCOMPLETE, says: /asks to wait 3,600 s/ },
  ],
]);

const isReport = ({ method, path }: Received): boolean => method === "GET" && /\/reports\//.test(path);

const status = (value: (request: Received) => unknown): Misbehave =>
  changing((reply, request) => {
    if (!isSuccess(reply)) return {};
    return { body: JSON.stringify({ ...JSON.parse(reply.body.toString()), status: value(request) }) };
  }, isReport);

const POLLING: readonly Mode[] = modes({ flow: "polling", ends: ANY }, [
  ["a report that is in progress for ever", status(() => "inProgress"), { ends: VIOLATIONS }],
  [
    "a status that goes back and forth",
    status(({ index }) => (index % 2 ? "success" : "inProgress")),
    { ends: VIOLATIONS },
  ],
  ["an unknown status", status(() => "exploded"), { ends: VIOLATIONS }],
  ["a status that is a number", status(() => 7)],
  ["a status that is an object", status(() => ({ is: "success" }))],
  ["a status named constructor", status(() => "constructor"), { ends: VIOLATIONS }],
  ["no status", status(() => undefined)],
  ["a status of 1 MB", status(() => "s".repeat(1_000_000))],
  ["reports that are never found", changing(() => ({ status: 404, body: "{}" }), isReport)],
  ["reports with 202 for ever", changing(() => ({ status: 202, body: "{}" }), isReport)],
  [
    "reports elsewhere, for ever",
    changing((_, { path }) => ({ status: 302, headers: { location: path }, body: "" }), isReport),
  ],
  ["reports that hang", changing(() => ({ end: "hang-before" }), isReport)],
]);

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

const WEBHOOKS: readonly Mode[] = modes({ flow: "webhook", ends: CERTIFIED }, [
  ["500 deliveries that nobody expects", bothering((url) => times(500, () => post(url, '{"a":1}')))],
  ["deliveries that are not JSON", bothering((url) => times(20, () => post(url, "\0\u0001{")))],
  ["a delivery of 100,000 levels", bothering((url) => post(url, "[".repeat(100_000) + "]".repeat(100_000)))],
  ["a delivery of 20 MB", bothering((url) => post(url, Buffer.alloc(20_000_000, "x")))],
  [
    "deliveries with other methods",
    bothering((url) => times(4, (at) => post(url, "", ["HEAD", "OPTIONS", "GET", "PUT"][at]))),
  ],
  [
    "deliveries to other addresses",
    bothering((url) => times(50, (at) => post(new URL(`/${at}`, url), "{}"))),
  ],
  [
    "deliveries to addresses that are no text",
    bothering((url) => times(3, () => post(new URL("/%ff%00/%c0%80", url), "{}"))),
  ],
]);

const isList = ({ method, path }: Received): boolean => method === "GET" && /\/transactions(\?|$)/.test(path);

const page = (change: (body: Record<string, unknown>) => Record<string, unknown>): Misbehave =>
  changing((reply) => {
    if (!isSuccess(reply)) return {};
    return { body: JSON.stringify(change(JSON.parse(reply.body.toString()) as Record<string, unknown>)) };
  }, isList);

const SAME = '{"found":3,"displaying":1,"moreAvailable":"true","transactions":[]}';

/** The names and the form of pages are assumed, so that no server fails because of them. */
const PAGING: readonly Mode[] = modes({ flow: "paging", ends: ANY, failsNothing: true }, [
  ["a further page for ever", page((body) => ({ ...body, moreAvailable: "true" }))],
  ["no further page, ever", page((body) => ({ ...body, moreAvailable: "false" }))],
  ["the same page for ever", changing(() => ({ body: SAME }), isList)],
  [
    "10^15 transactions, found but not shown",
    page((body) => ({ ...body, found: 1e15, moreAvailable: "true" })),
  ],
  ["a negative count", page((body) => ({ ...body, found: -1, displaying: -1 }))],
  ["counts that are texts", page((body) => ({ ...body, found: "many", displaying: "some" }))],
  ["transactions that are no list", page((body) => ({ ...body, transactions: { "0": {} } }))],
]);

/** Lists that break a promise: the documents name their statuses, and the fields of transactions. */
const WRONG_PAGES: readonly Mode[] = modes({ flow: "paging", ends: VIOLATIONS }, [
  [
    "no pages at all",
    changing(() => ({ status: 204, body: "" }), isList),
    { says: /undocumented status 204/ },
  ],
  [
    "100,000 transactions on a page",
    page((body) => ({
      ...body,
      transactions: Array.from({ length: 100_000 }, (_, id) => ({ id })),
    })),
    { says: /must have required property 'amount'/ },
  ],
  [
    "transactions of null",
    page((body) => ({ ...body, transactions: [null, null] })),
    { says: /transactions\/0 must be object/, ends: ANY },
  ],
]);

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
