/** Verifies OAuth 1.0a signatures of requests (RFC 5849) with RSA, SHA-256 and a hash of the body, in each dialect. */
import { constants, createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

export interface SignedRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, as received. */
  readonly target: string;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

/** How far the clock of a client may be wrong, in milliseconds. */
const TOLERANCE_MS = 300_000;

/** RFC 5849 encodes the values of the header; with `single`, they stand there as they are. */
export type Dialect = "rfc" | "single";

type Pair = readonly [name: string, value: string];

/** How a signer makes the text to sign. */
interface Form {
  readonly dialect: Dialect;
  /** Its differences from RFC 5849, besides the dialect. */
  readonly seen: readonly string[];
  /** Reads the pairs of a query. */
  read(query: string): readonly Pair[];
  /** Writes the whole text. */
  write(method: string, url: string, pairs: string): string;
}

/** The paddings of RSA by signature method. */
const METHODS: Readonly<Record<string, object | undefined>> = {
  "RSA-SHA256": {},
  "RSA-PSS": { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO },
};

/**
 * @param only the dialect that is accepted; each one if absent
 * @param now milliseconds since 1970
 * @returns a function that tells why a request is refused, or what was seen of a request in order
 */
export const signatureVerifier = (
  consumers: ReadonlyMap<
    string,
    {
      readonly publicPem: string;
      readonly hasExpired?: true;
    }
  >,
  only?: Dialect,
  now: () => number = Date.now,
) => {
  const nonces = new Set<string>();
  return (request: SignedRequest): { readonly seen: string } | string => {
    if (!/^OAuth\s/i.test(request.authorization ?? "")) return "The request is not signed.";
    const given = parametersIn(request.authorization ?? "");
    const consumer = consumers.get(given.get("oauth_consumer_key") ?? "");
    if (consumer === undefined) return "The consumer key is unknown.";
    if (consumer.hasExpired) return "The consumer key has expired.";
    const method = given.get("oauth_signature_method") ?? "";
    if (METHODS[method] === undefined)
      return `The signature method is not ${Object.keys(METHODS).join(" or ")}.`;
    const time = Number(given.get("oauth_timestamp")) * 1000;
    if (!(Math.abs(now() - time) <= TOLERANCE_MS)) return "The timestamp is too far from the time here.";
    const hash = createHash("sha256").update(request.body).digest("base64");
    if (given.get("oauth_body_hash") !== hash) return "The hash of the body is wrong.";
    const form = formOf(request, given, createPublicKey(consumer.publicPem));
    if (form === undefined) return "The signature is wrong.";
    const { dialect, seen } = form;
    if (only !== undefined && dialect !== only)
      return `The signature has the encoding ${dialect}, and ${only} is required.`;
    const nonce = `${given.get("oauth_timestamp")} ${given.get("oauth_nonce")}`;
    if (nonces.has(nonce)) return "The nonce was used before.";
    nonces.add(nonce);
    return { seen: [`${dialect} encoding`, ...seen, method].join(", ") };
  };
};

const parametersIn = (authorization: string): Map<string, string> =>
  new Map(
    [...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      decodeURIComponent(value),
    ]),
  );

/** Returns the form of a right signature. */
export const formOf = (
  request: Pick<SignedRequest, "method" | "origin" | "target">,
  given: ReadonlyMap<string, string>,
  publicKey: KeyObject,
): Form | undefined => {
  const signature = Buffer.from(given.get("oauth_signature") ?? "", "base64");
  const key = { key: publicKey, ...METHODS[given.get("oauth_signature_method") ?? ""] };
  return FORMS.find((one) => verify("sha256", Buffer.from(textToSign(request, given, one)), key, signature));
};

/** RFC 5849, 3.4.1. */
const textToSign = (
  { method, origin, target }: Pick<SignedRequest, "method" | "origin" | "target">,
  given: ReadonlyMap<string, string>,
  { dialect, read, write }: Form,
): string => {
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  const own = [...given].filter(([name]) => name.startsWith("oauth_") && name !== "oauth_signature");
  const sent = at < 0 ? [] : read(target.slice(at + 1));
  const pairs = [...sent, ...(dialect === "rfc" ? own.map(twice) : own)]
    .sort(([name, value], [other, another]) => (name === other ? order(value, another) : order(name, other)))
    .map((pair) => pair.join("="));
  return write(method, origin + path, pairs.join("&"));
};

const twice = ([name, value]: Pair): Pair => [strict(name), strict(value)];

const decoded = (query: string): readonly Pair[] => [...new URLSearchParams(query)].map(twice);

const withLiteralPlus = (query: string): readonly Pair[] => decoded(query.replaceAll("+", "%2B"));

const raw = (query: string): readonly Pair[] =>
  query.split("&").map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return [name, value];
  });

const rawOnce = (query: string): readonly Pair[] => raw([...new Set(query.split("&"))].join("&"));

/** RFC 5849, 3.6. */
const strictly: Form["write"] = (method, url, pairs) => `${method}&${strict(url)}&${strict(pairs)}`;

/** JavaScript leaves some characters, of which signers replace the first ones only. */
const byComponent: Form["write"] = (method, url, pairs) =>
  `${method}&${encodeURIComponent(url)}&${encodeURIComponent(pairs).replace("*", "%2A")}`.replace("!", "%21");

/** The first form of each dialect reads the query as RFC 5849, 3.4.1.3.1, does. */
const FORMS: readonly Form[] = [
  { dialect: "rfc", seen: [], read: decoded, write: strictly },
  { dialect: "rfc", seen: ["literal +"], read: withLiteralPlus, write: strictly },
  { dialect: "single", seen: [], read: decoded, write: strictly },
  { dialect: "single", seen: ["literal +"], read: withLiteralPlus, write: strictly },
  { dialect: "single", seen: ["raw query"], read: raw, write: strictly },
  { dialect: "single", seen: ["raw query", "encodeURIComponent"], read: raw, write: byComponent },
  { dialect: "single", seen: ["raw query", "equal pairs once"], read: rawOnce, write: byComponent },
];

const order = (one: string, other: string): number => Number(one > other) - Number(one < other);

const strict = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
