/** Checks that hold for the requests of any service. */
import { headerOf } from "../../../helpers/contract/lookups.ts";
import { isCardNumber } from "../../../helpers/exchange/card-numbers.ts";
import { checkThat, HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { statusOf } from "../../../helpers/exchange/exchange.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { isLeftOut, ofRequest, type RequestCheck, suspected } from "./check.ts";
import { kindOf } from "./plain-secrets.ts";

/** Each request of the service is an occasion. */
const ofAnyRequest = (check: RequestCheck["check"]) => ofRequest("a request to the service", check);

/** Checks that the contract has an operation with this method and path. */
export const callsKnownOperations = ofAnyRequest(({ operation, exchange, path, query }) => {
  // Browsers ask for permission before a call (Fetch, CORS-preflight fetch), and people open pages.
  const isOfBrowser = exchange.request.method === "OPTIONS" || isPage(exchange);
  if (operation === undefined && isOfBrowser) return undefined;
  const inPath = Object.entries(path).find(([, value]) => isNoValue(value));
  const absent = inPath ?? [...query].find(([, value]) => isNoValue(value) && !WORD.test(value.trim()));
  if (absent !== undefined) {
    const [name, value] = absent;
    return violation({
      pointer: name,
      message: `the ${inPath ? "path" : "query"} of a request has no ${name}`,
      ...{ expected: `${name} with a value`, actual: `the text ${value}` },
    });
  }
  if (operation?.outbound === true)
    return violation({
      message: `a client called ${operation.operationId}, which the service itself calls`,
      expected: "an operation that the service offers",
      actual: `${operation.method} ${operation.path}`,
    });
  return checkThat(operation !== undefined, {
    message: "a request has a method and a path that no operation has",
    expected: "an operation of the contract",
    actual: `${exchange.request.method} ${pathOf(exchange.request.url)}`,
  });
});

/** Whether a text is what programs make of a value that they do not have. */
const isNoValue = (text: string): boolean =>
  /^(undefined|null|none|nan|\[object \w+\]|\$?\{\{?[\w.]*\}?\})$/i.test(text.trim());

/** A person may have this name, and a search may look for it. */
const WORD = /^(null|none|nan)$/i;

/** Whether the service answered with a page for people, whose address no document lists. */
const isPage = ({ response }: Seen["exchange"]): boolean =>
  response !== undefined &&
  (/text\/html/.test(response.headers["content-type"] ?? "") || [302, 303].includes(response.status));

/** Replaces the segments with digits, which differ from call to call. */
const pathOf = (url: string): string =>
  (URL.canParse(url) ? new URL(url).pathname : url).replaceAll(/[^/]*\d{3}[^/]*/g, "…");

/** Checks that a client calls no operation that is deprecated, or that another operation replaces. */
export const callsNoDeprecatedOperation = ofAnyRequest(({ operation }) => {
  if (operation === undefined) return undefined;
  const { operationId, deprecated, legacy } = operation;
  return checkThat(!(deprecated || legacy), {
    message: `${operationId} was called, which ${deprecated ? "is deprecated" : "is replaced by another operation"}`,
    ...{ expected: "the operation that replaces it", actual: operationId },
  });
});

const SECRET_NAME = /token|secret|password|passwd|api-?_?key|app-?_?key|authorization|signature/i;

/** Begins like the number of a card, and not like a time in microseconds (ISO/IEC 7812-1). */
const LIKE_A_CARD = /^(?:4|5[1-5]|2[2-7]|3[47]|6)\d{13,}$/;

/** @param isDeclared whether the operation has a parameter of this name, which may be a long number */
const isPlainSecret = (name: string, value: string, isDeclared: boolean): boolean => {
  const kind = kindOf(name);
  const isCard = isCardNumber(value.replaceAll(/[ -]/g, ""));
  if (kind === "a card number") return isCard;
  return (kind !== undefined && value !== "") || (!isDeclared && isCard && LIKE_A_CARD.test(value));
};

/** Checks that no secret is a part of a URL, because logs and proxies store URLs. */
export const sendsNoSecretInUrl = ofAnyRequest(({ query, exchange, operation }) => {
  const isDeclared = (key: string): boolean =>
    operation?.parameters.some((one) => one.in === "query" && one.name === key) === true;
  const [name] =
    [...query].find(([key, value]) => SECRET_NAME.test(key) || isPlainSecret(key, value, isDeclared(key))) ??
    [];
  const [, placeholder] = /‹([A-Z][A-Z_]+|[^›]*(?:token|secret|key)[^›]*)›/.exec(exchange.request.url) ?? [];
  const found = name ?? placeholder;
  return checkThat(found === undefined, {
    message: "a URL contains a secret",
    ...{ expected: "secrets in headers or in the body", actual: `${found}` },
  });
});

/** Headers that only browsers send (Fetch Metadata Request Headers). */
const BROWSER_ONLY = ["sec-fetch-mode", "sec-fetch-site", "sec-ch-ua"];

/** Suspects that a call comes from a browser instead of a server. */
export const comesFromServer = ofAnyRequest(({ exchange: { request } }) => {
  const found = BROWSER_ONLY.find(
    (name) => request.headers[name] !== undefined && !isFetchOfNode(request.headers),
  );
  if (found === undefined && !/^Mozilla\//.test(request.headers["user-agent"] ?? "")) return HOLDS;
  return suspected({
    pointer: found ?? "user-agent",
    message: "a call has the headers of a browser",
    ...{ expected: "a call from server to server", actual: found ?? "a browser's User-Agent" },
  });
});

/** The `fetch` of Node sends `sec-fetch-mode` too, but no other header of a browser. */
const isFetchOfNode = (headers: Seen["exchange"]["request"]["headers"]): boolean =>
  headers["sec-fetch-site"] === undefined && headers["sec-ch-ua"] === undefined;

/** Checks that calls have their credentials. @param scheme the name of the security scheme */
export const sendsCredential = (scheme: string) =>
  ofAnyRequest((seen) => {
    const { operation, exchange } = seen;
    if (operation?.security.includes(scheme) !== true) return undefined;
    const header = headerOf(seen, scheme);
    if (isLeftOut(seen, header)) return undefined;
    const value = exchange.request.headers[header];
    const isDocument = value !== undefined && isJsonOf(value);
    if (value !== undefined && value !== "" && !isNoValue(value) && !isDocument) return HOLDS;
    const wrong = value === "" ? "an empty value" : isDocument ? "a JSON document" : `the text ${value}`;
    return violation({
      pointer: header,
      message: isDocument
        ? `the header ${header} of ${operation.operationId} is a JSON document, and not the key itself`
        : `a call of ${operation.operationId} has no header ${header}`,
      expected: `${header} with a value`,
      actual: value === undefined ? "no such header" : `${wrong}, answered with ${statusOf(exchange)}`,
    });
  });

/** Whether a text is a JSON object, list or string, which no key is. */
const isJsonOf = (text: string): boolean =>
  /^\s*[[{"]/.test(text) && jsonOf(Buffer.from(text)).json !== undefined;
