/** Redacts texts, results of checks and exchanges before they are written: placeholders replace secrets. */
import { isUtf8 } from "node:buffer";
import type { Contract } from "../contract/contract.ts";
import { configuration } from "../target/names.ts";
import type { CheckResult } from "./check-result.ts";
import type { Exchange, ReceivedResponse, RecordedExchange } from "./exchange.ts";
import { type IsKept, placeholder } from "./placeholder.ts";
import {
  createKnownSecrets,
  createSecretNames,
  newCookiesIn,
  partsOfAny,
  partsOfKeyFile,
  partsOfSecret,
  type Readable,
  redactSecrets,
  type SecretNames,
  secretsIn,
} from "./secrets/secrets.ts";

/** Redacts what is written about some exchanges. Redacting a text twice gives the same result. */
export interface Redaction {
  /** JSON stays JSON, and its values keep their kinds. */
  text(text: string): string;
  /** @param name lower-case; the value of a credential header is redacted completely */
  header(name: string, value: string): string;
  /** Redacts a result of a check by its field and by its values, and then cuts long texts. */
  result(result: CheckResult): CheckResult;
}

export interface Redactor extends Redaction {
  /** The names of headers, parameters and members whose values are secret. */
  readonly names: SecretNames;
  /**
   * Also redacts the values of secret fields of these exchanges wherever they are, and keeps the ids in their answers.
   * @param isKept whether a value stays
   */
  about(exchanges: readonly Shown[], isKept?: IsKept): Redaction;
  /**
   * Registers a secret that is not in the configuration, for example a token from the server.
   * @param name its replacement, in the style of an environment variable: `ACCESS_TOKEN`
   */
  learn(value: string, name: string): void;
  /** Registers the cookies that an answer sets. */
  learnCookies(exchange: Pick<Exchange, "response">): void;
  /** Registers an id of the target. It stays readable, even if it looks like a card number. */
  keep(id: string): void;
  /** Whether a secret with this name is known. */
  knows(name: string): boolean;
}

/** An exchange, or only its request. */
type Shown = Pick<Exchange, "request" | "response">;

/**
 * Creates a redactor. It also knows the secrets of the environment: with the embedded sandbox or without a target, a
 * client may still send them.
 * @param values configuration of the target by environment name; the settings state which ones are secret
 * @param contracts the contracts whose exchanges are redacted: their documents may give credentials any name
 */
export function createRedactor(
  values: Readonly<Record<string, string>>,
  contracts: readonly Pick<Contract, "secretPlaces">[],
): Redactor {
  const places = contracts.flatMap(({ secretPlaces }) => secretPlaces);
  const names = createSecretNames(places, values);
  const known = createKnownSecrets();
  const ids = new Set<string>();
  let cookies = 0;
  for (const { name, secret } of configuration()) {
    const given = [values[name], ...(secret ? [process.env[name]] : [])];
    for (const value of given.filter((one) => one !== undefined)) {
      if (secret) known.learn(value, name);
      else ids.add(value);
      const parts = secret ? partsOfSecret(value) : [...partsOfAny(value), ...keysIn(name, value)];
      for (const part of parts) known.learn(part, `part of ${name}`);
    }
  }
  const common = createRedaction(names, known.redact, (digits) => ids.has(digits));
  return {
    ...common,
    names,
    about(exchanges, isKept = () => false) {
      const fields = secretsIn(exchanges.map(readable), names);
      const own = createKnownSecrets();
      const short = new Map<string, string>();
      for (const [value, name] of fields.values) {
        if (ids.has(value) || isKept(value, name)) continue;
        const written = placeholder(common.text(name) === name ? name : UNNAMED, value);
        if (value.length < SHORTEST_ANYWHERE) short.set(value, written);
        else if (known.redact(value) === value) own.learn(value, written.slice(1, -1));
      }
      const isId = (digits: string): boolean =>
        ids.has(digits) || (fields.ids.has(digits) && !fields.values.has(digits));
      const stays: IsKept = (value, name) => isId(value) || isKept(value, name);
      return createRedaction(names, (text) => own.redact(known.redact(text)), stays, short);
    },
    learn: known.learn,
    learnCookies({ response }) {
      const header = response?.headers["set-cookie"];
      for (const cookie of header === undefined ? [] : newCookiesIn(header))
        if (cookies++ < MOST_COOKIES) known.learn(cookie, "set-cookie");
    },
    keep: (id) => void ids.add(id),
    knows: known.knows,
  };
}

/** Each text is searched for all known secrets, and a server may set a cookie with every answer. */
const MOST_COOKIES = 50;

/** The label of a value whose field has a name that is redacted. */
const UNNAMED = "secret";

/** Only these settings may name the file of a private key. */
const keysIn = (name: string, value: string): string[] =>
  /_(KEY|CERTIFICATE)$/.test(name) ? partsOfKeyFile(value) : [];

/** A shorter value of a secret field is redacted only where it is quoted or alone: it may be a word or a status. */
const SHORTEST_ANYWHERE = 6;

/**
 * @param redactKnown replaces known secrets
 * @param short the replacements of short values of secret fields
 */
const createRedaction = (
  names: SecretNames,
  redactKnown: (text: string) => string,
  isKept: IsKept,
  short: ReadonlyMap<string, string> = new Map(),
): Redaction => {
  const text = (given: string): string => redactSecrets(given, names, isKept, redactKnown);
  const labelOf = (name: string): string => (text(name) === name ? name : UNNAMED);
  const unquoted = (given: string): string => {
    let redacted = short.get(given) ?? given;
    for (const [value, written] of short) redacted = redacted.replaceAll(`"${value}"`, () => `"${written}"`);
    return redacted;
  };
  return {
    text,
    header: (name, value) =>
      names.isHeader(name) ? credential(labelOf(name), redactKnown(value)) : text(value),
    result(found) {
      if (found.holds) return found;
      const { pointer, message, expected, actual, promise, keyword, rank } = found;
      const field = pointer
        .split("/")
        .findLast((name) => names.isMember(name) || names.isHeader(name) || names.isParameter(name));
      const shown = (given: string, isActual = false): string =>
        field !== undefined && isActual && /^".*"$/s.test(given)
          ? `"${placeholder(labelOf(field), redactKnown(given.slice(1, -1)))}"`
          : excerpt(unquoted(given), { text }, LONGEST_TEXT);
      return {
        holds: false,
        pointer: text(pointer),
        message: shown(message),
        expected: shown(expected),
        actual: shown(actual, true),
        ...(promise !== undefined && { promise: shown(promise) }),
        ...(keyword !== undefined && { keyword }),
        ...(rank !== undefined && { rank }),
      };
    },
  };
};

/**
 * Records an exchange. A binary body is replaced by its type and length.
 * @param kept the number of characters at which bodies are cut
 */
export function record(exchange: Exchange, redactor: Redactor, kept = KEPT): RecordedExchange {
  const { id, operationId, request, ids = [], response, failure, startedAt, durationMs } = exchange;
  const own = redactor.about([exchange]);
  return {
    id,
    operationId,
    request: {
      method: own.text(request.method),
      url: own.text(request.url),
      headers: headersOf(request.headers, own),
      ...(request.body === undefined ? {} : { body: excerpt(request.body, own, kept) }),
    },
    ...(ids.length > 0 && { ids: ids.map(({ value: _, ...place }) => place) }),
    ...(response && {
      response: {
        status: response.status,
        headers: headersOf(response.headers, own),
        body: bodyOf(response, own, kept),
      },
    }),
    ...(failure && { failure: own.text(`${failure.kind}: ${failure.message}`) }),
    ...(!Number.isNaN(Number(startedAt)) && { startedAt: startedAt.toISOString() }),
    durationMs,
  };
}

/** A known credential that is already replaced by its name, possibly after a scheme (`Bearer`). */
const NAMED_OR_EMPTY = /^$|^(\w+ )?‹[^‹›]*›$/;

const credential = (name: string, value: string): string =>
  NAMED_OR_EMPTY.test(value) ? value : placeholder(name, value);

const headersOf = (headers: Readonly<Record<string, string>>, own: Redaction): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [own.text(name), own.header(name, value)]),
  );

const KEPT = 4096;
/** The longest text in a result or a reason. */
export const LONGEST_TEXT = 1_000;
/** The maximum length to redact, far more than the stored part. */
const READ = 1_000_000;

function bodyOf(response: ReceivedResponse, own: Redaction, most: number): string {
  const { headers, body } = response;
  const text = textOf(response);
  if (text === undefined)
    return `‹${own.text(headers["content-type"] ?? "") || "no content type"}, ${body.length} bytes›`;
  return excerpt(text, own, most, `${body.length} bytes`);
}

/** Returns the start of a body; `undefined` for a binary one. */
function textOf({ headers, body, json }: ReceivedResponse): string | undefined {
  const type = headers["content-type"] ?? "";
  const isText =
    json !== undefined || /json|text|xml|form|script/i.test(type) || (type === "" && isUtf8(body));
  return isText || body.length === 0 ? body.toString("utf8", 0, READ + 1) : undefined;
}

const readable = ({ request, response }: Shown): Readable => ({
  headers: [request.headers, response?.headers ?? {}].flatMap(Object.entries<string>),
  texts: [request.url, request.body?.slice(0, READ), response && textOf(response)].filter(
    (text) => text !== undefined,
  ),
  json: response?.json,
});

/**
 * Returns the start of a text. Redacts the text before cutting it, so that the cut cannot leave an unrecognisable part
 * of a secret.
 */
export function excerpt(
  text: string,
  { text: redact }: Pick<Redaction, "text">,
  most: number,
  size = `${text.length} characters`,
): string {
  const redacted = redact(text.slice(0, READ));
  if (redacted.length <= most && text.length <= READ) return redacted;
  // A longer text is cut before it is redacted: its last characters may be the start of a secret.
  const end = text.length <= READ ? most : Math.min(most, redacted.length - LONGEST_SECRET);
  const kept = redacted.slice(0, end).replace(/(?:‹[^›]{0,200}|[\ud800-\udbff])$/, "");
  return `${kept}‹cut here, ${size} in all›`;
}

/** Longer secrets are rare. */
const LONGEST_SECRET = 20_000;
