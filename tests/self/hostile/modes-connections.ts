/** Hostile modes: connections that end, messages that are not HTTP, answers that never come, and waits. */
import {
  always,
  CERTIFIED,
  changing,
  every,
  INCOMPLETE,
  isSuccess,
  JSON_TYPE,
  type Mode,
  modes,
  raw,
  VIOLATIONS,
} from "./mode.ts";

/** A server may close a connection at any time (RFC 9112, 9.5). */
const RIGHTFUL: readonly Mode[] = modes({ flow: "cards", ends: CERTIFIED }, [
  ["a connection that ends after each answer", every(1, "close-after"), { quick: true }],
  ["a connection that ends after every second answer", every(2, "close-after")],
  ["a reset before 1 % of the answers", every(100, "reset-before"), { quick: true }],
  ["a reset within 1 % of the answers", every(100, "reset-within")],
  ["a reset before 5 % of the answers", every(20, "reset-before")],
  [
    "a connection that ends instead of a second answer",
    changing(
      () => ({ end: "reset-before" }),
      ({ earlier }) => earlier > 0,
    ),
    { quick: true },
  ],
]);

const LOST: readonly Mode[] = modes(
  { flow: "cards", ends: INCOMPLETE, failsNothing: true, passesNothing: true },
  [
    ["a reset before each answer", every(1, "reset-before"), { quick: true }],
    ["a reset within each answer", every(1, "reset-within")],
    ["no answer at all", every(1, "hang-before"), { says: /no answer/ }],
    ["half of each answer, and then nothing", every(1, "hang-within"), { says: /no answer/ }],
    ["a byte now and then", every(1, "drip"), { says: /no answer/ }],
    ["nothing, and a closed connection", raw()],
  ],
);

const OK = "HTTP/1.1 200 OK\r\n";
const MB = Buffer.alloc(1 << 20, "x");

const NO_HTTP: readonly Mode[] = modes(
  { flow: "cards", ends: INCOMPLETE, failsNothing: true, passesNothing: true },
  [
    [
      "a mail server",
      raw("220 mail.example.com ready\r\n"),
      { says: /sent an invalid HTTP response/, quick: true },
    ],
    ["bytes that are no text", raw(Buffer.from([0, 1, 255, 254, 128]))],
    ["a status of four digits", raw("HTTP/1.1 2000 OK\r\n\r\n")],
    ["a status that is no number", raw("HTTP/1.1 abc OK\r\n\r\n")],
    ["HTTP 9.9", raw("HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\n{}")],
    [
      "10 MB of headers",
      raw(
        OK,
        ...Array<Buffer>(10).fill(Buffer.concat([Buffer.from("x-a: "), MB, Buffer.from("\r\n")])),
        "\r\n",
      ),
    ],
    ["100,000 headers", raw(OK, "x-a: 1\r\n".repeat(100_000), "\r\n")],
    ["a header without end", raw(`${OK}x-a: `, ...Array<Buffer>(3).fill(MB))],
    ["NUL in a header", raw(`${OK}x-a: a\0b\r\ncontent-length: 2\r\n\r\n{}`)],
    ["two different lengths", raw(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`)],
    ["a negative length", raw(`${OK}content-length: -1\r\n\r\n{}`)],
    ["a length that is no number", raw(`${OK}content-length: many\r\n\r\n{}`)],
    ["a length beyond the body", raw(`${OK}content-length: 1000\r\n\r\n{}`)],
    ["a chunk of a length that is no number", raw(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`)],
    ["a chunk of 10^15 bytes", raw(`${OK}transfer-encoding: chunked\r\n\r\nfffffffffffff\r\n{}`)],
    ["chunks without an end", raw(`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`)],
    ["an upgrade that nobody asked for", raw("HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n")],
    ["a status line only", raw("HTTP/1.1 200 OK\r\n")],
  ],
);

const INTERIM = "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n";

/** Answers in unusual but right forms, each of them an undocumented body. */
const UNUSUAL: readonly Mode[] = modes({ flow: "cards", ends: VIOLATIONS, passesNothing: true }, [
  ["100 interim answers", raw(INTERIM.repeat(100), `${OK}content-length: 2\r\n\r\n{}`)],
  [
    "a second answer after the first",
    raw(`${OK}content-length: 2\r\n\r\n{}${OK}content-length: 2\r\n\r\n[]`),
  ],
  ["a body until the connection ends", raw(`${OK}\r\n{}`)],
]);

const HUGE: Mode = {
  about: "a body of 30 MB",
  flow: "cards",
  misbehave: changing((reply) =>
    isSuccess(reply) ? { body: `${" ".repeat(30_000_000)}${reply.body}` } : {},
  ),
  ends: INCOMPLETE,
  failsNothing: true,
  says: /too long/,
  quick: true,
};

const tooMany = (retryAfter: string | undefined, status = 429) =>
  always(status, "{}", { ...JSON_TYPE, ...(retryAfter !== undefined && { "retry-after": retryAfter }) });

const FAR = new Date(Date.now() + 86_400_000).toUTCString();

const WAITS: readonly Mode[] = [
  {
    about: "an hour",
    misbehave: tooMany("3600"),
    says: /asks to wait 3,600 s/,
    examined: /asks to wait 3,600 s/,
    quick: true as const,
  },
  { about: "31 seconds", misbehave: tooMany("31"), says: /asks to wait 31 s/ },
  { about: "a day, as a date", misbehave: tooMany(FAR), says: /asks to wait/ },
  { about: "10^20 seconds", misbehave: tooMany("1".padEnd(21, "0")), says: /for decades/ },
  { about: "an hour, with 503", misbehave: tooMany("3600", 503), says: /asks to wait 3,600 s/ },
  { about: "20 seconds, again and again", misbehave: tooMany("20"), says: /again and again/ },
  { about: "no time", misbehave: tooMany("0"), says: /again and again/ },
  { about: "a negative time", misbehave: tooMany("-5"), says: /again and again/ },
  { about: "a time in words", misbehave: tooMany("soon"), says: /again and again/ },
  { about: "an unknown time", misbehave: tooMany(undefined), says: /again and again/ },
].map((mode) => ({
  flow: "cards",
  ends: INCOMPLETE,
  failsNothing: true,
  passesNothing: true,
  ...mode,
  about: `a request to wait: ${mode.about}`,
}));

export const CONNECTION_MODES: readonly Mode[] = [
  ...RIGHTFUL,
  ...LOST,
  ...NO_HTTP,
  ...UNUSUAL,
  HUGE,
  ...WAITS,
  {
    about: "an answer of 429 to the first two requests, with a short wait",
    flow: "cards",
    misbehave: async (request, correct) => (request.index < 2 ? tooMany("1")(request, correct) : correct()),
    ends: CERTIFIED,
    quick: true,
  },
  {
    about: "an answer of 503 to the first two requests",
    flow: "cards",
    misbehave: async (request, correct) =>
      request.index < 2 ? tooMany(undefined, 503)(request, correct) : correct(),
    ends: CERTIFIED,
    quick: true,
  },
  {
    about: "an answer of 429 now and then, with a short wait",
    flow: "cards",
    misbehave: async (request, correct) =>
      request.index % 200 === 199 ? tooMany("1")(request, correct) : correct(),
    ends: CERTIFIED,
  },
];
