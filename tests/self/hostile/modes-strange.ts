/** Hostile modes: messages at the edge of HTTP, answers that belong to others, and values of absurd size. */
import { STATUS_CODES } from "node:http";
import type { Outcome } from "../../../reports/certificate/outcome.ts";
import type { Misbehave, Received, Reply } from "./hostile-server.ts";
import {
  always,
  CERTIFIED,
  changing,
  INCOMPLETE,
  isSuccess,
  JSON_TYPE,
  type Mode,
  raw,
  sending,
  VIOLATIONS,
} from "./mode.ts";

const WRONG: readonly Outcome[] = ["violations", "incomplete"];
const ANY: readonly Outcome[] = ["certified", "violations", "incomplete"];

const headersOf = ({ headers }: Reply): string =>
  Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`))
    .join("");

const startOf = (reply: Reply, version = "1.1"): string =>
  `HTTP/${version} ${reply.status} ${STATUS_CODES[reply.status]}\r\n${headersOf(reply)}`;

const bytesOf = ({ body }: Reply): Buffer => Buffer.from(body);

const plain = (reply: Reply, version?: string): string =>
  `${startOf(reply, version)}content-length: ${bytesOf(reply).length}\r\n\r\n`;

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

const chunked = (reply: Reply, chunks: readonly Buffer[], trailers = ""): (Buffer | string)[] => [
  `${startOf(reply)}transfer-encoding: chunked\r\n\r\n`,
  Buffer.concat(chunks.filter(({ length }) => length > 0).map(chunk)),
  `0\r\n${trailers}\r\n`,
];

const single = (bytes: Buffer): Buffer[] => Array.from(bytes, (byte) => Buffer.from([byte]));

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/** Unusual messages that HTTP permits. */
const RIGHT_HTTP: readonly Mode[] = [
  {
    about: "interim answers 100 and 103 before each answer",
    misbehave: sending((reply) => [
      ...[CONTINUE, CONTINUE, "HTTP/1.1 103 Early Hints\r\n\r\n", plain(reply), bytesOf(reply)],
    ]),
    quick: true as const,
  },
  { about: "HTTP 1.0", misbehave: sending((reply) => [plain(reply, "1.0"), bytesOf(reply)]) },
  {
    about: "trailers",
    misbehave: sending((reply) =>
      chunked(reply, [bytesOf(reply)], "x-sum: 1\r\ncontent-type: text/html\r\n"),
    ),
  },
  { about: "chunks of one byte", misbehave: sending((reply) => chunked(reply, single(bytesOf(reply)))) },
  {
    about: "headers named like members of objects",
    misbehave: changing(({ headers }) => ({
      headers: { ...headers, ["__proto__"]: "a", constructor: "b", "has-own-property": "c", tostring: "d" },
    })),
  },
  {
    about: "a date of the year 275760",
    misbehave: changing(({ headers }) => ({
      headers: { ...headers, date: "Sat, 13 Sep 275760 00:00:00 GMT" },
    })),
  },
  {
    about: "a date that is none",
    misbehave: changing(({ headers }) => ({ headers: { ...headers, date: "yesterday" } })),
  },
  {
    about: "a cookie with our key, and a link with it",
    misbehave: changing(({ headers }, { headers: sent }) => {
      const key = sent["x-openapi-clientid"] ?? "none";
      return {
        headers: {
          ...headers,
          "set-cookie": [`key=${encodeURIComponent(key)}`],
          link: `</?key=${encodeURIComponent(key)}>`,
        },
      };
    }),
  },
  {
    about: "white space around the JSON",
    misbehave: changing(({ body }) => ({ body: body.length > 0 ? `\r\n\t ${body}\r\n\t ` : body })),
  },
].map((mode) => ({ flow: "cards", ends: CERTIFIED, ...mode }));

const OK = "HTTP/1.1 200 OK\r\n";

const WRONG_HTTP: readonly Mode[] = [
  {
    about: "a length and chunks that contradict each other",
    parts: [`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
  },
  { about: "line feeds without carriage returns", parts: ["HTTP/1.1 200 OK\ncontent-length: 2\n\n{}"] },
  { about: "the status 099", parts: ["HTTP/1.1 099 Low\r\ncontent-length: 2\r\n\r\n{}"] },
  { about: "the status 000", parts: ["HTTP/1.1 000 None\r\ncontent-length: 2\r\n\r\n{}"] },
].map(({ parts, ...mode }) => ({
  flow: "cards",
  misbehave: raw(...parts),
  ends: INCOMPLETE,
  failsNothing: true,
  passesNothing: true,
  ...mode,
}));

/** Answers the previous request, or the first one, instead of the present one. */
const late = (kept: "first" | "previous"): Misbehave => {
  let known: Reply | undefined;
  return async (_, correct) => {
    const own = await correct();
    const answer = known ?? own;
    known = kept === "previous" ? own : answer;
    return answer;
  };
};

const UNRELATED: readonly Mode[] = (
  [
    {
      about: "the body of the request",
      misbehave: ({ body }) => ({ status: 200, headers: JSON_TYPE, body }),
      ends: VIOLATIONS,
      // It returns the correlation identifier, which is a string.
      passesNothing: /string-type-by-default|srcCorrelationId\.echoed/,
    },
    {
      about: "the body and the headers of the request",
      misbehave: ({ body, headers }) => ({
        status: 200,
        headers: { ...JSON_TYPE, "x-sent": JSON.stringify(headers) },
        body: JSON.stringify({ headers, body: body.toString() }),
      }),
      ends: VIOLATIONS,
    },
    {
      about: "a redirection in a circle",
      misbehave: ({ path }) => ({ status: 307, headers: { location: path }, body: "" }),
      ends: WRONG,
    },
    {
      about: "a redirection to another origin with our key",
      misbehave: ({ headers }) => ({
        status: 308,
        headers: {
          location: `http://127.0.0.1:9/?key=${encodeURIComponent(headers["x-openapi-clientid"] ?? "")}`,
        },
        body: "",
      }),
      ends: WRONG,
    },
    { about: "the status 600", misbehave: always(600, "{}"), ends: WRONG },
    { about: "the status 999", misbehave: always(999, "{}"), ends: WRONG },
    {
      about: "a refusal before the body was read",
      misbehave: always(400, "{}"),
      early: () => ({
        status: 413,
        headers: { ...JSON_TYPE, connection: "close" },
        body: "{}",
        end: "close-after",
      }),
      ends: WRONG,
    },
    {
      about: "a 204 with a body",
      misbehave: raw("HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}"),
      ends: WRONG,
    },
    {
      about: "20,000 chunks of one byte",
      misbehave: raw(
        `${OK}transfer-encoding: chunked\r\n\r\n`,
        "1\r\n \r\n".repeat(20_000),
        "2\r\n{}\r\n0\r\n\r\n",
      ),
      ends: VIOLATIONS,
    },
    // The body ends with the connection (RFC 9112, 6.3), and is not as documented.
    {
      about: "a coding of the transfer that nobody knows",
      misbehave: raw(`${OK}transfer-encoding: magic\r\n\r\n{}`),
      ends: WRONG,
    },
  ] as readonly Omit<Mode, "flow">[]
).map((mode) => ({ flow: "cards", passesNothing: true, ...mode }));

const MIXED_UP: readonly Mode[] = [
  { about: "the first answer again and again", misbehave: late("first") },
  { about: "the answer to the request before", misbehave: late("previous") },
  {
    about: "success and failure in turns",
    misbehave: ({ index }: Received) => ({ status: index % 2 ? 500 : 200, headers: JSON_TYPE, body: "{}" }),
  },
].map((mode) => ({ flow: "cards", ends: WRONG, ...mode }));

/** Replaces texts in the successful answers to some requests. */
const replacing = (
  pattern: RegExp,
  text: string,
  applies: (request: Received) => boolean = () => true,
): Misbehave =>
  changing(
    (reply) => (isSuccess(reply) ? { body: reply.body.toString().replaceAll(pattern, text) } : {}),
    applies,
  );

const isToken = ({ path }: Received): boolean => path.includes("/partners/authentication");

const ABSURD: readonly Mode[] = [
  {
    about: "a token of 5 MB",
    flow: "token",
    misbehave: changing(
      (reply) => (isSuccess(reply) ? { body: JSON.stringify({ token: "t".repeat(5_000_000) }) } : {}),
      isToken,
    ),
  },
  {
    about: "ids of 1 MB",
    flow: "token",
    misbehave: replacing(/"id":\s*"[^"]*"/g, `"id":"${"7".repeat(1_000_000)}"`),
  },
  {
    about: "ids that climb",
    flow: "token",
    misbehave: replacing(/"id":\s*"[^"]*"/g, '"id":"../../../admin?x=1#"'),
  },
  {
    about: "reports with ids that climb",
    flow: "polling",
    misbehave: replacing(/"id":\s*"[^"]*"/g, '"id":"../../../../etc/passwd"'),
  },
  {
    about: "reports with ids with line breaks",
    flow: "polling",
    misbehave: replacing(/"id":\s*"[^"]*"/g, '"id":"a\\r\\nx-admin: 1\\r\\n\\r\\nGET / HTTP/1.1"'),
  },
  {
    about: "reports of the year 275760",
    flow: "polling",
    misbehave: replacing(/("\w*[dD]ate"):\s*\d+/g, "$1:8640000000000"),
  },
  {
    about: "transactions after the last date",
    flow: "paging",
    misbehave: replacing(/("\w*[dD]ate"):\s*\d+/g, "$1:8640000000001"),
  },
  {
    about: "transactions of the year -271821",
    flow: "paging",
    misbehave: replacing(/("\w*[dD]ate"):\s*\d+/g, "$1:-8640000000000"),
  },
  { about: "amounts of 10^308", flow: "paging", misbehave: replacing(/("amount"):\s*-?[\d.]+/g, "$1:1e308") },
].map((mode) => ({ ends: ANY, ...mode }) as Mode);

export const STRANGE_MODES: readonly Mode[] = [
  ...RIGHT_HTTP,
  ...WRONG_HTTP,
  ...UNRELATED,
  ...MIXED_UP,
  ...ABSURD,
];
