/** Hostile modes: servers that answer everything alike, and servers whose JSON or coding is unusual or wrong. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import {
  adding,
  always,
  CERTIFIED,
  changing,
  INCOMPLETE,
  isSuccess,
  JSON_TYPE,
  type Mode,
  rewriting,
  VIOLATIONS,
} from "./mode.ts";

const error = (code: number): string => JSON.stringify({ code, status: "X", message: "No.", details: [] });

/** Statuses that every request gets, with a body of the right form for errors, and without one. */
const ALWAYS: readonly Mode[] = [200, 201, 204, 301, 400, 401, 403, 404, 405, 418, 500, 502].flatMap(
  (status) =>
    [error(status), ""].map(
      (body): Mode => ({
        about: `${status} for all, ${body === "" ? "without a body" : "with JSON"}`,
        flow: "cards",
        misbehave: always(status, status === 204 ? "" : body),
        ends: [401, 403].includes(status) && body !== "" ? INCOMPLETE : ["violations", "incomplete"],
        passesNothing: true,
        ...([200, 401, 404].includes(status) && body !== "" && { quick: true }),
      }),
    ),
);

const PAGE = "<!doctype html><title>Welcome</title><p>Log in to the Wi-Fi</p>";

const PAGES: readonly Mode[] = [
  { about: "an HTML page for all", body: PAGE, headers: { "content-type": "text/html" } },
  { about: "an HTML page as JSON for all", body: PAGE, headers: JSON_TYPE },
  { about: "{} for all", body: "{}", headers: JSON_TYPE },
  { about: "[] for all", body: "[]", headers: JSON_TYPE },
  { about: "null for all", body: "null", headers: JSON_TYPE },
  { about: "an empty string for all", body: '""', headers: JSON_TYPE },
].map(({ about, body, headers }) => ({
  about,
  flow: "cards",
  misbehave: always(200, body, headers),
  ends: VIOLATIONS,
  passesNothing: true,
}));

const HTML = { "content-type": "text/html" };

/** Firewalls in front of the service, which refuse requests. */
const FIREWALLS: readonly Mode[] = [
  {
    about: "a firewall that refuses requests without a User-Agent",
    flow: "cards",
    misbehave: async (request, correct) =>
      request.headers["user-agent"] === undefined ? { status: 403, headers: HTML, body: PAGE } : correct(),
    ends: CERTIFIED,
    quick: true,
  },
  {
    about: "an HTML page with 403 for all",
    flow: "cards",
    misbehave: always(403, PAGE, HTML),
    ends: ["violations", "incomplete"],
    says: /something before the service refuses/,
    examined: /something before the service refuses/,
    passesNothing: true,
    quick: true,
  },
];

/** A refused log-in of such a firewall shows nothing about the credentials. */
const REFUSED_LOG_IN: Mode = {
  about: "an HTML page with 401 for each log-in",
  flow: "token",
  misbehave: changing(
    () => ({ status: 401, headers: HTML, body: PAGE }),
    ({ path }) => path.endsWith("/authentication"),
  ),
  ends: ["violations", "incomplete"],
  says: /something before the service refuses/,
  examined: /something before the service refuses/,
};

const deep = (levels: number): string => `"deep":${"[".repeat(levels)}${"]".repeat(levels)}`;

/** Additions that no promise forbids. */
const ODD_JSON: readonly Mode[] = [
  {
    about: "JSON of 100,000 nested lists",
    member: deep(100_000),
    says: /values below 200 levels/,
    quick: true as const,
  },
  { about: "JSON of 1,000 nested lists", member: deep(1_000), says: /values below 200 levels/ },
  {
    about: "JSON of 100,000 nested objects",
    member: `"deep":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
    says: /values below 200 levels/,
  },
  { about: "a number of 10^400", member: '"much":1e400', quick: true as const },
  { about: "a negative number of 10^400", member: '"little":-1E+400' },
  { about: "an integer of 1,000 digits", member: `"long":${"9".repeat(1_000)}` },
  { about: "a number of 10^-400", member: '"small":1e-400' },
  { about: "a name twice", member: '"twice":1,"twice":2', says: /a name twice/, quick: true as const },
  { about: "a name twice, escaped", member: '"twice":1,"tw\\u0069ce":2', says: /a name twice/ },
  { about: "a member __proto__", member: '"__proto__":{"polluted":true}', quick: true as const },
  { about: "a member constructor", member: '"constructor":{"prototype":{"polluted":true}}' },
  { about: "a member toString", member: '"toString":"x","hasOwnProperty":1,"valueOf":null' },
  { about: "a name of 100,000 characters", member: `"${"n".repeat(100_000)}":1` },
  {
    about: "100,000 further members",
    member: Array.from({ length: 100_000 }, (_, at) => `"m${at}":1`).join(","),
  },
  { about: "a text of 5 MB", member: `"text":"${"x".repeat(5_000_000)}"` },
  { about: "an unpaired surrogate", member: '"half":"\\ud800"' },
  { about: "NUL in a text", member: '"nul":"a\\u0000b"' },
].map(({ member, ...mode }) => ({ flow: "cards", misbehave: adding(member), ends: CERTIFIED, ...mode }));

const WRONG_JSON: readonly Mode[] = [
  { about: "NaN", misbehave: adding('"nan":NaN'), quick: true as const },
  { about: "Infinity", misbehave: adding('"inf":Infinity') },
  { about: "a comma at the end", misbehave: rewriting((text) => text.replace(/\}\s*$/, ",}")) },
  { about: "a comment", misbehave: rewriting((text) => `/* ok */${text}`) },
  { about: "single quotes", misbehave: rewriting((text) => text.replaceAll('"', "'")) },
  { about: "half of the JSON", misbehave: rewriting((text) => text.slice(0, text.length / 2)) },
  { about: "the JSON twice", misbehave: rewriting((text) => `${text}${text}`) },
  { about: "a line break in a text", misbehave: adding('"line":"a\nb"') },
  {
    about: "UTF-16 with a mark",
    misbehave: rewriting((text) => Buffer.from(`\ufeff${text}`, "utf16le")),
    quick: true as const,
  },
  { about: "UTF-16 without a mark", misbehave: rewriting((text) => Buffer.from(text, "utf16le")) },
  { about: "NUL bytes after the JSON", misbehave: rewriting((text) => `${text}\0\0\0`) },
].map((mode) => ({ flow: "cards", ends: VIOLATIONS, says: /is no JSON/, ...mode }));

const MARKED: Mode = {
  about: "a byte order mark",
  flow: "cards",
  misbehave: rewriting((text) => `\ufeff${text}`),
  ends: CERTIFIED,
  says: /a byte order mark/,
  quick: true,
};

/** The size of a bomb after decoding, in bytes. */
const DECODED = 50_000_000;

const coded = (coding: string, encode: (body: Buffer) => Buffer) =>
  changing((reply) => ({
    body: encode(Buffer.from(reply.body)),
    headers: { ...reply.headers, "content-encoding": coding },
  }));

const CODINGS: readonly Mode[] = [
  { about: "gzip", misbehave: coded("gzip", (body) => gzipSync(body)), quick: true as const },
  { about: "deflate", misbehave: coded("deflate", (body) => deflateSync(body)) },
  { about: "deflate without its header", misbehave: coded("deflate", (body) => deflateRawSync(body)) },
  { about: "br", misbehave: coded("br", (body) => brotliCompressSync(body)) },
  { about: "gzip, in another case", misbehave: coded("GZip", (body) => gzipSync(body)) },
  { about: "gzip twice", misbehave: coded("gzip, gzip", (body) => gzipSync(gzipSync(body))) },
  { about: "identity", misbehave: coded("identity", (body) => body) },
].map((mode) => ({ flow: "cards", ends: CERTIFIED, ...mode, about: `the coding ${mode.about}` }));

const WRONG_CODINGS: readonly Mode[] = [
  { about: "gzip that is none", misbehave: coded("gzip", (body) => body), quick: true as const },
  { about: "br that is none", misbehave: coded("br", (body) => body) },
  { about: "deflate that is none", misbehave: coded("deflate", (body) => body) },
  { about: "half of a gzip", misbehave: coded("gzip", (body) => gzipSync(body).subarray(0, 30)) },
  { about: "gzip once, declared twice", misbehave: coded("gzip, gzip", (body) => gzipSync(body)) },
  { about: "gzip without the declaration", misbehave: changing((reply) => ({ body: gzipSync(reply.body) })) },
].map((mode) => ({ flow: "cards", ends: VIOLATIONS, says: /content coding|is no JSON/, ...mode }));

const bomb = (coding: string, encode: (body: Buffer) => Buffer): Mode["misbehave"] => {
  let body: Buffer | undefined;
  return changing((reply) => {
    if (!isSuccess(reply)) return {};
    // Making a bomb takes seconds.
    body ??= encode(Buffer.alloc(DECODED));
    return { body, headers: { ...reply.headers, "content-encoding": coding } };
  });
};

const BOMBS: readonly Mode[] = [
  { about: "a bomb of gzip", misbehave: bomb("gzip", (body) => gzipSync(body)) },
  { about: "a bomb of br", misbehave: bomb("br", (body) => brotliCompressSync(body)) },
  { about: "a bomb in a bomb", misbehave: bomb("gzip, gzip", (body) => gzipSync(gzipSync(body))) },
].map((mode) => ({
  flow: "cards",
  ends: INCOMPLETE,
  failsNothing: true as const,
  says: /too long/,
  ...mode,
}));

/** Answers that the run does not read, because of its own limits. */
const UNREAD: readonly Mode[] = [
  {
    about: "the coding zstd",
    misbehave: coded("zstd", (body) => body),
    says: /was not asked for/,
    quick: true as const,
  },
  {
    about: "refusals of 21 MB",
    misbehave: changing((reply) => (isSuccess(reply) ? {} : { body: Buffer.alloc(21_000_000, " ") })),
    says: /too long/,
  },
  {
    about: "refusals with 100 kB of headers",
    misbehave: changing((reply) =>
      isSuccess(reply) ? {} : { headers: { ...reply.headers, "x-long": "x".repeat(100_000) } },
    ),
    says: /longer headers than the run reads/,
  },
].map((mode) => ({ flow: "cards", ends: INCOMPLETE, failsNothing: true as const, ...mode }));

export const ANSWER_MODES: readonly Mode[] = [
  ...UNREAD,
  ...ALWAYS,
  ...PAGES,
  ...FIREWALLS,
  REFUSED_LOG_IN,
  ...ODD_JSON,
  ...WRONG_JSON,
  MARKED,
  ...CODINGS,
  ...WRONG_CODINGS,
  ...BOMBS,
];
