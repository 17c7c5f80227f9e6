/** Hostile modes: servers that answer everything alike, and servers whose JSON or coding is unusual or wrong. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import {
  adding,
  always,
  CERTIFIED,
  changing,
  INCOMPLETE,
  isSuccess,
  type Mode,
  modes,
  rewriting,
  VIOLATIONS,
  WRONG,
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
        ends: [401, 403].includes(status) && body !== "" ? INCOMPLETE : WRONG,
        passesNothing: true,
        ...([404, 500].includes(status) && { says: new RegExp(`was answered with ${status}`) }),
        ...(status === 500 && { ends: VIOLATIONS }),
        ...(status === 301 && { says: /undocumented status 301/ }),
        ...([200, 401, 404, 500].includes(status) && body !== "" && { quick: true }),
      }),
    ),
);

const PAGE = "<!doctype html><title>Welcome</title><p>Log in to the Wi-Fi</p>";

const HTML = { "content-type": "text/html" };

const PAGES: readonly Mode[] = modes({ flow: "cards", ends: VIOLATIONS, passesNothing: true }, [
  ["an HTML page for all", always(200, PAGE, HTML), { says: /not declared as JSON/, quick: true }],
  ["an HTML page as JSON for all", always(200, PAGE)],
  ["{} for all", always(200, "{}"), { says: /^the body lacks srcCorrelationId$/m }],
  ["[] for all", always(200, "[]")],
  ["null for all", always(200, "null")],
  ["an empty string for all", always(200, '""')],
]);

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
    ends: WRONG,
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
  ends: WRONG,
  says: /something before the service refuses/,
  examined: /something before the service refuses/,
};

const deep = (levels: number): string => `"deep":${"[".repeat(levels)}${"]".repeat(levels)}`;

/** Additions that no promise forbids. */
const ODD_JSON: readonly Mode[] = modes({ flow: "cards", ends: CERTIFIED }, [
  ["JSON of 100,000 nested lists", adding(deep(100_000)), { says: /values below 200 levels/, quick: true }],
  ["JSON of 1,000 nested lists", adding(deep(1_000)), { says: /values below 200 levels/ }],
  [
    "JSON of 100,000 nested objects",
    adding(`"deep":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
    { says: /values below 200 levels/ },
  ],
  ["a number of 10^400", adding('"much":1e400'), { quick: true }],
  ["a negative number of 10^400", adding('"little":-1E+400')],
  ["an integer of 1,000 digits", adding(`"long":${"9".repeat(1_000)}`)],
  ["a number of 10^-400", adding('"small":1e-400')],
  ["a name twice", adding('"twice":1,"twice":2'), { says: /a name twice/, quick: true }],
  ["a name twice, escaped", adding('"twice":1,"tw\\u0069ce":2'), { says: /a name twice/ }],
  ["a member __proto__", adding('"__proto__":{"polluted":true}'), { quick: true }],
  ["a member constructor", adding('"constructor":{"prototype":{"polluted":true}}')],
  ["a member toString", adding('"toString":"x","hasOwnProperty":1,"valueOf":null')],
  ["a name of 100,000 characters", adding(`"${"n".repeat(100_000)}":1`)],
  ["100,000 further members", adding(Array.from({ length: 100_000 }, (_, at) => `"m${at}":1`).join(","))],
  ["a text of 5 MB", adding(`"text":"${"x".repeat(5_000_000)}"`)],
  ["an unpaired surrogate", adding('"half":"\\ud800"')],
  ["NUL in a text", adding('"nul":"a\\u0000b"')],
]);

const WRONG_JSON: readonly Mode[] = modes({ flow: "cards", ends: VIOLATIONS, says: /is no JSON/ }, [
  ["NaN", adding('"nan":NaN'), { quick: true }],
  ["Infinity", adding('"inf":Infinity')],
  ["a comma at the end", rewriting((text) => text.replace(/\}\s*$/, ",}"))],
  ["a comment", rewriting((text) => `/* ok */${text}`)],
  ["single quotes", rewriting((text) => text.replaceAll('"', "'"))],
  ["half of the JSON", rewriting((text) => text.slice(0, text.length / 2))],
  ["the JSON twice", rewriting((text) => `${text}${text}`)],
  ["a line break in a text", adding('"line":"a\nb"')],
  ["UTF-16 with a mark", rewriting((text) => Buffer.from(`\ufeff${text}`, "utf16le")), { quick: true }],
  ["UTF-16 without a mark", rewriting((text) => Buffer.from(text, "utf16le"))],
  ["NUL bytes after the JSON", rewriting((text) => `${text}\0\0\0`)],
]);

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

const WRONG_CODINGS: readonly Mode[] = modes(
  { flow: "cards", ends: VIOLATIONS, says: /content coding|is no JSON/ },
  [
    ["gzip that is none", coded("gzip", (body) => body), { quick: true }],
    ["br that is none", coded("br", (body) => body)],
    ["deflate that is none", coded("deflate", (body) => body)],
    ["half of a gzip", coded("gzip", (body) => gzipSync(body).subarray(0, 30))],
    ["gzip once, declared twice", coded("gzip, gzip", (body) => gzipSync(body))],
    ["gzip without the declaration", changing((reply) => ({ body: gzipSync(reply.body) }))],
  ],
);

const bomb = (coding: string, encode: (body: Buffer) => Buffer): Mode["misbehave"] => {
  let body: Buffer | undefined;
  return changing((reply) => {
    if (!isSuccess(reply)) return {};
    // Making a bomb takes seconds.
    body ??= encode(Buffer.alloc(DECODED));
    return { body, headers: { ...reply.headers, "content-encoding": coding } };
  });
};

const BOMBS: readonly Mode[] = modes(
  { flow: "cards", ends: INCOMPLETE, failsNothing: true, says: /too long/ },
  [
    ["a bomb of gzip", bomb("gzip", (body) => gzipSync(body))],
    ["a bomb of br", bomb("br", (body) => brotliCompressSync(body))],
    ["a bomb in a bomb", bomb("gzip, gzip", (body) => gzipSync(gzipSync(body)))],
  ],
);

/** Answers that the run does not read, because of its own limits. */
const UNREAD: readonly Mode[] = modes({ flow: "cards", ends: INCOMPLETE, failsNothing: true }, [
  ["the coding zstd", coded("zstd", (body) => body), { says: /was not asked for/, quick: true }],
  [
    "refusals of 21 MB",
    changing((reply) => (isSuccess(reply) ? {} : { body: Buffer.alloc(21_000_000, " ") })),
    { says: /too long/ },
  ],
  [
    "refusals with 100 kB of headers",
    changing((reply) =>
      isSuccess(reply) ? {} : { headers: { ...reply.headers, "x-long": "x".repeat(100_000) } },
    ),
    { says: /longer headers than the run reads/ },
  ],
]);

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
