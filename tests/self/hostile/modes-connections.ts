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
  raw,
  VIOLATIONS,
} from "./mode.ts";

/** A server may close a connection at any time (RFC 9112, 9.5). */
const RIGHTFUL: readonly Mode[] = [
  {
    about: "a connection that ends after each answer",
    misbehave: every(1, "close-after"),
    quick: true as const,
  },
  { about: "a connection that ends after every second answer", misbehave: every(2, "close-after") },
  { about: "a reset before 1 % of the answers", misbehave: every(100, "reset-before"), quick: true as const },
  { about: "a reset within 1 % of the answers", misbehave: every(100, "reset-within") },
  { about: "a reset before 5 % of the answers", misbehave: every(20, "reset-before") },
  {
    about: "a connection that ends instead of a second answer",
    misbehave: changing(
      () => ({ end: "reset-before" }),
      ({ earlier }) => earlier > 0,
    ),
    quick: true as const,
  },
].map((mode) => ({ flow: "cards", ends: CERTIFIED, ...mode }));

const LOST: readonly Mode[] = [
  { about: "a reset before each answer", misbehave: every(1, "reset-before"), quick: true as const },
  { about: "a reset within each answer", misbehave: every(1, "reset-within") },
  { about: "no answer at all", misbehave: every(1, "hang-before"), says: /no answer/ },
  { about: "half of each answer, and then nothing", misbehave: every(1, "hang-within"), says: /no answer/ },
  { about: "a byte now and then", misbehave: every(1, "drip"), says: /no answer/ },
  { about: "nothing, and a closed connection", misbehave: raw() },
].map((mode) => ({ flow: "cards", ends: INCOMPLETE, failsNothing: true, passesNothing: true, ...mode }));

const OK = "HTTP/1.1 200 OK\r\n";
const MB = Buffer.alloc(1 << 20, "x");

const NO_HTTP: readonly Mode[] = [
  { about: "a mail server", parts: ["220 mail.example.com ready\r\n"], quick: true as const },
  { about: "bytes that are no text", parts: [Buffer.from([0, 1, 255, 254, 128])] },
  { about: "a status of four digits", parts: ["HTTP/1.1 2000 OK\r\n\r\n"] },
  { about: "a status that is no number", parts: ["HTTP/1.1 abc OK\r\n\r\n"] },
  { about: "HTTP 9.9", parts: ["HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\n{}"] },
  {
    about: "10 MB of headers",
    parts: [
      OK,
      ...Array<Buffer>(10).fill(Buffer.concat([Buffer.from("x-a: "), MB, Buffer.from("\r\n")])),
      "\r\n",
    ],
  },
  { about: "100,000 headers", parts: [OK, "x-a: 1\r\n".repeat(100_000), "\r\n"] },
  { about: "a header without end", parts: [`${OK}x-a: `, ...Array<Buffer>(3).fill(MB)] },
  { about: "NUL in a header", parts: [`${OK}x-a: a\0b\r\ncontent-length: 2\r\n\r\n{}`] },
  { about: "two different lengths", parts: [`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`] },
  { about: "a negative length", parts: [`${OK}content-length: -1\r\n\r\n{}`] },
  { about: "a length that is no number", parts: [`${OK}content-length: many\r\n\r\n{}`] },
  { about: "a length beyond the body", parts: [`${OK}content-length: 1000\r\n\r\n{}`] },
  {
    about: "a chunk of a length that is no number",
    parts: [`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
  },
  { about: "a chunk of 10^15 bytes", parts: [`${OK}transfer-encoding: chunked\r\n\r\nfffffffffffff\r\n{}`] },
  { about: "chunks without an end", parts: [`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`] },
  {
    about: "an upgrade that nobody asked for",
    parts: ["HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  },
  { about: "a status line only", parts: ["HTTP/1.1 200 OK\r\n"] },
].map(({ parts, ...mode }) => ({
  flow: "cards",
  misbehave: raw(...parts),
  ends: INCOMPLETE,
  failsNothing: true,
  passesNothing: true,
  ...mode,
}));

const INTERIM = "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n";

/** Answers in unusual but right forms, each of them an undocumented body. */
const UNUSUAL: readonly Mode[] = [
  { about: "100 interim answers", parts: [INTERIM.repeat(100), `${OK}content-length: 2\r\n\r\n{}`] },
  {
    about: "a second answer after the first",
    parts: [`${OK}content-length: 2\r\n\r\n{}${OK}content-length: 2\r\n\r\n[]`],
  },
  { about: "a body until the connection ends", parts: [`${OK}\r\n{}`] },
].map(({ parts, ...mode }) => ({
  flow: "cards",
  misbehave: raw(...parts),
  ends: VIOLATIONS,
  passesNothing: true,
  ...mode,
}));

const HUGE: Mode = {
  about: "a body of 30 MB",
  flow: "cards",
  misbehave: changing((reply) =>
    isSuccess(reply) ? { body: `${" ".repeat(30_000_000)}${reply.body}` } : {},
  ),
  ends: INCOMPLETE,
  failsNothing: true,
  says: /too long/,
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
