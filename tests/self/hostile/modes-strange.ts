/** Hostile modes: messages at the edge of HTTP, answers that belong to others, and values of absurd size. */
import { STATUS_CODES } from "node:http";
import type { Misbehave, Received, Reply } from "./hostile-server.ts";
import {
  ANY,
  always,
  CERTIFIED,
  changing,
  INCOMPLETE,
  isSuccess,
  JSON_TYPE,
  type Mode,
  modes,
  raw,
  sending,
  VIOLATIONS,
  WRONG,
} from "./mode.ts";

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
const RIGHT_HTTP: readonly Mode[] = modes({ flow: "cards", ends: CERTIFIED }, [
  [
    "interim answers 100 and 103 before each answer",
    sending((reply) => [
      ...[CONTINUE, CONTINUE, "HTTP/1.1 103 Early Hints\r\n\r\n", plain(reply), bytesOf(reply)],
    ]),
    { quick: true },
  ],
  ["HTTP 1.0", sending((reply) => [plain(reply, "1.0"), bytesOf(reply)])],
  [
    "trailers",
    sending((reply) => chunked(reply, [bytesOf(reply)], "x-sum: 1\r\ncontent-type: text/html\r\n")),
  ],
  ["chunks of one byte", sending((reply) => chunked(reply, single(bytesOf(reply))))],
  [
    "headers named like members of objects",
    changing(({ headers }) => ({
      headers: { ...headers, ["__proto__"]: "a", constructor: "b", "has-own-property": "c", tostring: "d" },
    })),
  ],
  [
    "a date of the year 275760",
    changing(({ headers }) => ({
      headers: { ...headers, date: "Sat, 13 Sep 275760 00:00:00 GMT" },
    })),
  ],
  ["a date that is none", changing(({ headers }) => ({ headers: { ...headers, date: "yesterday" } }))],
  [
    "a cookie with our key, and a link with it",
    changing(({ headers }, { headers: sent }) => {
      const key = sent["x-openapi-clientid"] ?? "none";
      return {
        headers: {
          ...headers,
          "set-cookie": [`key=${encodeURIComponent(key)}`],
          link: `</?key=${encodeURIComponent(key)}>`,
        },
      };
    }),
  ],
  [
    "white space around the JSON",
    changing(({ body }) => ({ body: body.length > 0 ? `\r\n\t ${body}\r\n\t ` : body })),
  ],
]);

const OK = "HTTP/1.1 200 OK\r\n";

const WRONG_HTTP: readonly Mode[] = modes(
  { flow: "cards", ends: INCOMPLETE, failsNothing: true, passesNothing: true },
  [
    [
      "a length and chunks that contradict each other",
      raw(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    ],
    ["line feeds without carriage returns", raw("HTTP/1.1 200 OK\ncontent-length: 2\n\n{}")],
    ["the status 099", raw("HTTP/1.1 099 Low\r\ncontent-length: 2\r\n\r\n{}")],
    ["the status 000", raw("HTTP/1.1 000 None\r\ncontent-length: 2\r\n\r\n{}")],
  ],
);

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

const UNRELATED: readonly Mode[] = modes({ flow: "cards", ends: WRONG, passesNothing: true }, [
  [
    "the body of the request",
    ({ body }) => ({ status: 200, headers: JSON_TYPE, body }),
    // It returns the correlation identifier, which is a string.
    { ends: VIOLATIONS, passesNothing: /string-type-by-default|srcCorrelationId\.echoed/ },
  ],
  [
    "the body and the headers of the request",
    ({ body, headers }) => ({
      status: 200,
      headers: { ...JSON_TYPE, "x-sent": JSON.stringify(headers) },
      body: JSON.stringify({ headers, body: body.toString() }),
    }),
    { ends: VIOLATIONS },
  ],
  ["a redirection in a circle", ({ path }) => ({ status: 307, headers: { location: path }, body: "" })],
  [
    "a redirection to another origin with our key",
    ({ headers }) => ({
      status: 308,
      headers: {
        location: `http://127.0.0.1:9/?key=${encodeURIComponent(headers["x-openapi-clientid"] ?? "")}`,
      },
      body: "",
    }),
  ],
  ["the status 600", always(600, "{}")],
  ["the status 999", always(999, "{}")],
  [
    "a refusal before the body was read",
    always(400, "{}"),
    {
      early: () => ({
        status: 413,
        headers: { ...JSON_TYPE, connection: "close" },
        body: "{}",
        end: "close-after",
      }),
    },
  ],
  ["a 204 with a body", raw("HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}")],
  [
    "20,000 chunks of one byte",
    raw(`${OK}transfer-encoding: chunked\r\n\r\n`, "1\r\n \r\n".repeat(20_000), "2\r\n{}\r\n0\r\n\r\n"),
    { ends: VIOLATIONS },
  ],
  // The body ends with the connection (RFC 9112, 6.3), and is not as documented.
  ["a coding of the transfer that nobody knows", raw(`${OK}transfer-encoding: magic\r\n\r\n{}`)],
]);

const MIXED_UP: readonly Mode[] = modes({ flow: "cards", ends: WRONG }, [
  ["the first answer again and again", late("first")],
  ["the answer to the request before", late("previous")],
  [
    "success and failure in turns",
    ({ index }: Received) => ({ status: index % 2 ? 500 : 200, headers: JSON_TYPE, body: "{}" }),
  ],
]);

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

const ABSURD: readonly Mode[] = modes({ flow: "token", ends: ANY }, [
  ["ids of 1 MB", replacing(/"id":\s*"[^"]*"/g, `"id":"${"7".repeat(1_000_000)}"`)],
  ["ids that climb", replacing(/"id":\s*"[^"]*"/g, '"id":"../../../admin?x=1#"')],
  [
    "reports with ids that climb",
    replacing(/"id":\s*"[^"]*"/g, '"id":"../../../../etc/passwd"'),
    { flow: "polling" },
  ],
  [
    "reports with ids with line breaks",
    replacing(/"id":\s*"[^"]*"/g, '"id":"a\\r\\nx-admin: 1\\r\\n\\r\\nGET / HTTP/1.1"'),
    { flow: "polling" },
  ],
  [
    "reports of the year 275760",
    replacing(/("\w*[dD]ate"):\s*\d+/g, "$1:8640000000000"),
    { flow: "polling" },
  ],
  [
    "transactions after the last date",
    replacing(/("\w*[dD]ate"):\s*\d+/g, "$1:8640000000001"),
    { flow: "paging" },
  ],
  [
    "transactions of the year -271821",
    replacing(/("\w*[dD]ate"):\s*\d+/g, "$1:-8640000000000"),
    { flow: "paging" },
  ],
  ["amounts of 10^308", replacing(/("amount"):\s*-?[\d.]+/g, "$1:1e308"), { flow: "paging" }],
]);

export const STRANGE_MODES: readonly Mode[] = [
  ...RIGHT_HTTP,
  ...WRONG_HTTP,
  ...UNRELATED,
  ...MIXED_UP,
  ...ABSURD,
];
