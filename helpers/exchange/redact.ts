/** Redacts texts and exchanges before they are written: placeholders replace secrets. */
import { isUtf8 } from "node:buffer";
import { fixedHeaders } from "../gateway/settings.ts";
import { configuration } from "../target/names.ts";
import type { Exchange, ReceivedResponse, RecordedExchange } from "./exchange.ts";
import { createKnownSecrets } from "./known-secrets.ts";
import { placeholder } from "./placeholder.ts";
import { redactShapes } from "./shapes.ts";

/** A redactor. Redacting a text twice gives the same result. */
export interface Redactor {
  text(text: string): string;
  /** @param name lower-case; the value of a credential header is redacted completely */
  header(name: string, value: string): string;
  /**
   * Registers a secret that is not in the configuration, for example a token from the server.
   * @param name its replacement, in the style of an environment variable: `ACCESS_TOKEN`
   */
  learn(value: string, name: string): void;
  /** Registers an id of the target. It stays readable, even if it looks like a card number. */
  keep(id: string): void;
  /** Whether a secret with this name is known. */
  knows(name: string): boolean;
}

/**
 * Creates a redactor. It also knows the secrets of the environment: with the embedded sandbox or without a target, a
 * client may still send them.
 * @param values configuration of the target by environment name; the settings state which ones are secret
 */
export function createRedactor(values: Readonly<Record<string, string>>): Redactor {
  const known = createKnownSecrets();
  const ids = new Set<string>();
  for (const { name, secret } of configuration()) {
    const given = [values[name], ...(secret ? [process.env[name]] : [])];
    for (const value of given.filter((one) => one !== undefined)) {
      if (secret) known.learn(value, name);
      else ids.add(value);
      if (name.endsWith("_HEADERS")) learnHeaders(known, value, name);
    }
  }
  const isId = (digits: string): boolean => ids.has(digits);
  const text = (value: string): string => redactShapes(known.redact(value), isId);
  return {
    text,
    header: (name, value) =>
      CREDENTIAL_HEADER.test(name) ? credential(name, known.redact(value)) : text(value),
    learn: known.learn,
    keep: (id) => void ids.add(id),
    knows: known.knows,
  };
}

const learnHeaders = (
  { learn }: Pick<ReturnType<typeof createKnownSecrets>, "learn">,
  value: string,
  name: string,
): void => {
  for (const header of Object.values(fixedHeaders(value) ?? {}))
    if (header.length >= SHORTEST_HEADER) learn(header, name);
};

/** Shorter values of fixed headers are words, such as the name of an environment. */
const SHORTEST_HEADER = 8;

/**
 * Records an exchange. A binary body is replaced by its type and length.
 * @param kept the number of characters at which bodies are cut
 */
export function record(exchange: Exchange, redactor: Redactor, kept = KEPT): RecordedExchange {
  const { id, operationId, request, response, failure, startedAt, durationMs } = exchange;
  return {
    id,
    operationId,
    request: {
      method: request.method,
      url: redactor.text(request.url),
      headers: headersOf(request.headers, redactor),
      ...(request.body === undefined
        ? {}
        : { body: excerpt(request.body, request.body.length, redactor, kept) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: headersOf(response.headers, redactor),
        body: bodyOf(response, redactor, kept),
      },
    }),
    ...(failure && { failure: redactor.text(`${failure.kind}: ${failure.message}`) }),
    startedAt: startedAt.toISOString(),
    durationMs,
  };
}

const CREDENTIAL_HEADER =
  /^(x-openapi-clientid|(proxy-)?authorization|cookie|set-cookie)$|(^|-)(key|token|secret|password|signature)$/;

/** A known credential that is already replaced by its name, possibly after a scheme (`Bearer`). */
const NAMED_OR_EMPTY = /^$|^(\w+ )?‹[^‹›]*›$/;

const credential = (name: string, value: string): string =>
  NAMED_OR_EMPTY.test(value) ? value : placeholder(name, value);

const headersOf = (headers: Readonly<Record<string, string>>, redactor: Redactor): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactor.header(name, value)]));

const KEPT = 4096;
/** The maximum length to redact, far more than the stored part. */
const READ = 1_000_000;

function bodyOf({ headers, body, json }: ReceivedResponse, redactor: Redactor, most: number): string {
  const type = headers["content-type"] ?? "";
  const isText =
    json !== undefined || /json|text|xml|form|script/i.test(type) || (type === "" && isUtf8(body));
  if (!isText && body.length > 0) return `‹${type || "no content type"}, ${body.length} bytes›`;
  return excerpt(body.toString("utf8", 0, READ), body.length, redactor, most, "bytes");
}

/** Redacts a text before cutting it, so that the cut cannot leave an unrecognisable part of a secret. */
function excerpt(
  text: string,
  length: number,
  redactor: Redactor,
  most: number,
  unit = "characters",
): string {
  const redacted = redactor.text(text.slice(0, READ));
  if (redacted.length <= most && text.length <= READ) return redacted;
  const kept = redacted.slice(0, most).replace(/(?:‹[^›]{0,200}|[\ud800-\udbff])$/, "");
  return `${kept}‹cut here, ${length} ${unit} in all›`;
}
