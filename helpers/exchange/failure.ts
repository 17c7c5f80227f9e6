/** Describes transport failures, with advice for the user. */
import type { Exchange, TransportFailure } from "./exchange.ts";

type Failure = NonNullable<Exchange["failure"]>;

/** An error for a response that was not complete in time. */
export class TimeLimitError extends Error {
  readonly code = "TIME_LIMIT";
  constructor(limitMs: number, status: number) {
    const got =
      status === 0 ? "no status line arrived" : `only status ${status} and a part of the body arrived`;
    super(`${got} within ${limitMs / 1000} s`);
  }
}

/** An error for a response in a content coding that the client can't decode. */
export class UnknownCodingError extends Error {
  readonly code = "UNKNOWN_CODING";
  constructor(coding: string) {
    super(coding.slice(0, 40));
  }
}

/** An error for a request that HTTP can't express, for example with a line break in a header. */
export class UnsendableError extends Error {}

/** @param proxy the address of the proxy through which the request was sent */
export function failureOf(error: Error, origin: string, proxy?: string): Failure {
  // Errors of undici's parser have a name but no code.
  const code = codeOf(error) || error.name;
  const text = error.message || code;
  if (proxy !== undefined) {
    const atProxy = failureAtProxy(code, text, origin, proxy);
    if (atProxy !== undefined) return atProxy;
  }
  const [, kind, says] = isHttp2(error)
    ? ([/^/, "unsupported", HTTP_2] as const)
    : (ROWS.find(([when]) => when.test(`${code} ${text}`)) ?? LOST);
  return {
    kind,
    message: `${origin} ${says} (${code && !text.includes(code) ? `${code}: ` : ""}${text})`,
  };
}

/** Returns a failure in the words of its error, for exchanges between others: no advice about a configuration fits. */
export const failureBetweenOthers = (error: Error): Failure => {
  const code = codeOf(error);
  const kind =
    code === "ECONNREFUSED" ? "connection-refused" : /TIMEOUT/.test(code) ? "timeout" : "connection-lost";
  return { kind, message: error.message };
};

/** Whether the parser met the frame with which a server of HTTP/2 begins (RFC 9113, 3.4 and 6.5). */
const isHttp2 = (error: Error): boolean => {
  const { data } = error as { readonly data?: unknown };
  return typeof data === "string" && data.startsWith("\0\0") && data.charCodeAt(3) === SETTINGS;
};

/** The type of the frame. */
const SETTINGS = 4;

/** Behind a proxy, only the proxy itself is connected to by name. Its own answer tells what it could not do. */
const failureAtProxy = (code: string, text: string, origin: string, proxy: string): Failure | undefined => {
  const { host } = new URL(proxy);
  const [, status] = /Proxy response \((\d+)\)/.exec(text) ?? [];
  if (status === "407") {
    return { kind: "refused-by-proxy", message: `the proxy ${host} refuses our credentials (407)` };
  }
  if (status !== undefined) {
    return {
      kind: "connection-refused",
      message: `the proxy ${host} can't connect to ${origin} (${status})`,
    };
  }
  return /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT)$/.test(code)
    ? {
        kind: "connection-refused",
        message: `the proxy ${host} can't be reached; is its address right? (${text})`,
      }
    : undefined;
};

/** Whether the request itself caused the failure, and not the network or the server. */
export const isUnsendable = (error: Error): boolean =>
  /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/.test(codeOf(error));

const NO_TLS = "does not speak TLS; is https in the base URL right?";

/** Whether the server speaks plain HTTP at an https address. */
export const isWithoutTls = ({ message }: Failure): boolean => message.includes(NO_TLS);

const LOST = [/^/, "connection-lost", "closed the connection before the response was complete"] as const;

const HTTP_2 = "speaks only HTTP/2; the run needs HTTP/1.1";

/** `when` is matched against the error's code and message. */
const ROWS: readonly (readonly [when: RegExp, kind: TransportFailure, says: string])[] = [
  [/NO_APPLICATION_PROTOCOL/, "unsupported", HTTP_2],
  [/^(TIME_LIMIT|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b/, "timeout", "took too long"],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)\b/,
    "connection-refused",
    "refuses connections; is the server running, and is the base URL right?",
  ],
  [/^(ENOTFOUND|EAI_\w+)\b/, "connection-refused", "is an unknown host; is the base URL right?"],
  [
    /^\w*(CERTIFICATE_REQUIRED|ALERT_(BAD|UNKNOWN|UNSUPPORTED|EXPIRED|REVOKED)_C\w+|ALERT_UNKNOWN_CA|ALERT_CERTIFICATE_\w+)\b/,
    "refused-certificate",
    "does not accept our client certificate, or asks for one that is not configured",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID\b/,
    "connection-refused",
    "has a certificate for another host name; is the host in the base URL right?",
  ],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)\b/,
    "connection-refused",
    "has a certificate of an authority that is not known here; is it a private CA?",
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)\b/,
    "connection-refused",
    "has a certificate that is not valid now; is the clock of this machine right?",
  ],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)\b/, "connection-refused", NO_TLS],
  [
    /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|\w*CERT\w*|UNABLE_TO_\w+)\b/,
    "connection-refused",
    "has no trusted TLS connection; are scheme, port and certificate right?",
  ],
  [
    /^(UND_ERR_RES_EXCEEDED_MAX_SIZE|ERR_BUFFER_TOO_LARGE)\b/,
    "body-too-large",
    "sent a body that is too long",
  ],
  [/^UNKNOWN_CODING\b/, "unsupported", "sent a body in a content coding that was not asked for"],
  [
    /^(HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)\b/,
    "unsupported",
    "sent longer headers than the run reads",
  ],
  // RFC 9110, 15.2, permits it. A proxy between shows it to the client.
  [
    /^UND_ERR_SOCKET bad response/,
    "unsupported",
    "sent 100 Continue, which the run does not read behind a proxy",
  ],
  [/^UND_ERR_RES_CONTENT_LENGTH/, "malformed-response", "sent a wrong Content-Length, or several lengths"],
  [
    /^(HPE_\w+|HTTPParserError|ERR_ASSERTION)\b|^UND_ERR_SOCKET bad upgrade/,
    "malformed-response",
    "sent an invalid HTTP response",
  ],
];

const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? "";
