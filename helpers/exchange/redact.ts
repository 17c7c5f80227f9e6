/** Makes texts and exchanges fit to be written: what is secret gives way to a placeholder that says what stood there. */
import { isUtf8 } from "node:buffer";
import { configuration } from "../target/names.ts";
import type { Exchange, ReceivedResponse, RecordedExchange } from "./exchange.ts";
import { createKnownSecrets } from "./known-secrets.ts";
import { placeholder } from "./placeholder.ts";
import { redactShapes } from "./shapes.ts";

/** What it redacts once, it leaves alone when it meets it again. */
export interface Redactor {
  text(text: string): string;
  /** @param name lower-case; what carries a credential is redacted whole */
  header(name: string, value: string): string;
  /**
   * Makes known a secret that was not configured, such as a token that the server gave.
   * @param name written in its place, in the style of an environment variable: `ACCESS_TOKEN`
   */
  learn(value: string, name: string): void;
  /** Whether a secret of this name is known. */
  knows(name: string): boolean;
}

/** @param values configuration of the target by environment name; the names that hold secrets are known here */
export function createRedactor(values: Readonly<Record<string, string>>): Redactor {
  const known = createKnownSecrets();
  for (const { name, secret } of configuration()) {
    if (secret && values[name] !== undefined) known.learn(values[name], name);
  }
  const text = (value: string): string => redactShapes(known.redact(value));
  return {
    text,
    header: (name, value) =>
      CREDENTIAL_HEADER.test(name) ? credential(name, known.redact(value)) : text(value),
    learn: known.learn,
    knows: known.knows,
  };
}

/** Bodies are cut at 4 KB; a binary one is told by type and length. */
export function record(exchange: Exchange, redactor: Redactor): RecordedExchange {
  const { id, operationId, request, response, failure, startedAt, durationMs } = exchange;
  return {
    id,
    operationId,
    request: {
      method: request.method,
      url: redactor.text(request.url),
      headers: headersOf(request.headers, redactor),
      ...(request.body === undefined ? {} : { body: excerpt(request.body, request.body.length, redactor) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: headersOf(response.headers, redactor),
        body: bodyOf(response, redactor),
      },
    }),
    ...(failure && { failure: redactor.text(`${failure.kind}: ${failure.message}`) }),
    startedAt: startedAt.toISOString(),
    durationMs,
  };
}

const CREDENTIAL_HEADER =
  /^(x-openapi-clientid|(proxy-)?authorization|cookie|set-cookie)$|(^|-)(key|token|secret|password|signature)$/;

/** A scheme (`Bearer`) before the credential is no secret, and a credential that is known has a name. */
const NAMED_OR_EMPTY = /^$|^(\w+ )?‹[^‹›]*›$/;

const credential = (name: string, value: string): string =>
  NAMED_OR_EMPTY.test(value) ? value : placeholder(name, value);

const headersOf = (headers: Readonly<Record<string, string>>, redactor: Redactor): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactor.header(name, value)]));

const KEPT = 4096;
/** More than this is not even looked at: what is kept stands far before its end. */
const READ = 1_000_000;

function bodyOf({ headers, body, json }: ReceivedResponse, redactor: Redactor): string {
  const type = headers["content-type"] ?? "";
  const isText =
    json !== undefined || /json|text|xml|form|script/i.test(type) || (type === "" && isUtf8(body));
  if (!isText && body.length > 0) return `‹${type || "no content type"}, ${body.length} bytes›`;
  return excerpt(body.toString("utf8", 0, READ), body.length, redactor, "bytes");
}

/** Redacted before it is cut, so that the cut leaves no half of a secret that nothing recognises. */
function excerpt(text: string, length: number, redactor: Redactor, unit = "characters"): string {
  const redacted = redactor.text(text.slice(0, READ));
  if (redacted.length <= KEPT && text.length <= READ) return redacted;
  const kept = redacted.slice(0, KEPT).replace(/(?:‹[^›]{0,200}|[\ud800-\udbff])$/, "");
  return `${kept}‹cut here, ${length} ${unit} in all›`;
}
