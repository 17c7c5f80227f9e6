/** Why no response came, in words that say what to do about it. */
import type { Exchange, TransportFailure } from "./exchange.ts";

type Failure = NonNullable<Exchange["failure"]>;

/** The response was not complete in time. */
export class TimeLimitError extends Error {
  readonly code = "TIME_LIMIT";
  constructor(limitMs: number, status: number) {
    const got =
      status === 0 ? "not even a status line came" : `only status ${status} and a part of the body came`;
    super(`${got} within ${limitMs / 1000} s`);
  }
}

export function failureOf(error: Error, origin: string): Failure {
  // undici's parser gives its errors no code, only a name.
  const code = codeOf(error) || error.name;
  const text = error.message || code;
  const row = ROWS.find(({ when }) => when.test(`${code} ${text}`)) ?? LOST;
  return {
    kind: row.kind,
    message: `${origin} ${row.says} (${code && !text.includes(code) ? `${code}: ` : ""}${text})`,
  };
}

/** Whether the request itself is at fault, not the network or the server. */
export const isUnsendable = (error: Error): boolean =>
  /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/.test(codeOf(error));

interface Row {
  /** Matched against the error's code and message. */
  readonly when: RegExp;
  readonly kind: TransportFailure;
  readonly says: string;
}

const LOST: Row = {
  when: /^/,
  kind: "connection-lost",
  says: "closed the connection before the response was complete",
};

const ROWS: readonly Row[] = [
  {
    when: /^(TIME_LIMIT|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b/,
    kind: "timeout",
    says: "took too long",
  },
  {
    when: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)\b/,
    kind: "connection-refused",
    says: "takes no connections; is the server running, and is the base URL right?",
  },
  {
    when: /^(ENOTFOUND|EAI_\w+)\b/,
    kind: "connection-refused",
    says: "is no known host; is the base URL right?",
  },
  {
    when: /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|\w*CERT\w*|UNABLE_TO_\w+)\b/,
    kind: "connection-refused",
    says: "offers no TLS connection that can be trusted; are scheme, port and certificate right?",
  },
  {
    when: /^UND_ERR_RES_EXCEEDED_MAX_SIZE\b/,
    kind: "body-too-large",
    says: "sent a longer body than is read",
  },
  {
    when: /^(HPE_\w+|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)\b|^UND_ERR_SOCKET bad (response|upgrade)/,
    kind: "malformed-response",
    says: "answered something that is no HTTP response",
  },
];

const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? "";
