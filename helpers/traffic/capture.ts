/** Turns exchanges into `Seen`: matches them with operations, and marks their credentials. */
import type { Contract, Service } from "../contract/contract.ts";
import { atPointer } from "../contract/pointer.ts";
import type { SecurityScheme } from "../contract/security-scheme.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import type { Redactor } from "../exchange/redact.ts";
import { newCookiesIn, secretsIn } from "../exchange/secrets/secrets.ts";
import { createMarker, createSorter } from "./clients.ts";
import { isPlaceholder } from "./masks.ts";
import { createMatcher, type Match } from "./match.ts";
import { createSecretsInUrls } from "./secrets-in-urls.ts";
import { MASKED_TOKEN, type Marks, type Seen, seenOf } from "./seen.ts";

/** An exchange as it was observed, before it is matched. `service` and `operationId` are empty. */
export interface Observed extends Pick<Seen, "exercises"> {
  readonly exchange: Exchange;
  readonly address: string;
  readonly opened?: Seen["opened"];
}

/**
 * @param redactor learns the credentials of clients, which nobody configures
 * @returns a function that returns `undefined` for an exchange with another host
 */
export const createCapture = (
  contracts: readonly Contract[],
  baseUrls: Readonly<Record<Service, string>>,
  { learn, names }: Pick<Redactor, "learn" | "names">,
): ((observed: Observed) => Seen | undefined) => {
  const match = createMatcher(contracts, baseUrls);
  const mark = createMarker();
  const clientOf = createSorter();
  const secrets = createSecretsInUrls(learn);
  const schemes = contracts.flatMap(({ securitySchemes }) => securitySchemes);
  return ({ exchange: observed, address, opened = {}, exercises }) => {
    if (!URL.canParse(observed.request.url)) return undefined;
    const { json, numeric } = jsonOf(Buffer.from(observed.request.body ?? ""));
    const body = observed.requestJson ?? json;
    learnCredentials(secrets, schemes, names, observed);
    const exchange = secrets.withoutSecrets(observed);
    const { request } = exchange;
    const url = new URL(request.url);
    const found = match(request.method, url);
    const contract = contracts.find(({ service }) => service === found?.service);
    if (found === undefined || contract === undefined) return undefined;
    const marks = marksOf(contract, found, { ...exchange, requestJson: body }, opened, mark);
    const { token } = found.operation ?? {};
    const issued = token === undefined ? undefined : atPointer(exchange.response?.json, token);
    if (typeof issued === "string") secrets.learn(issued, "ACCESS_TOKEN");
    const operationId = found.operation?.operationId ?? "";
    return seenOf({ ...exchange, service: found.service, operationId, requestJson: body }, found, {
      ...{ marks, opened, exercises, client: clientOf(address, marks, request.headers["user-agent"]) },
      isCredential: secrets.isCredential,
      ...(numeric !== undefined && { numeric }),
    });
  };
};

/** Learns the credentials of a request before its URL is read. */
const learnCredentials = (
  secrets: ReturnType<typeof createSecretsInUrls>,
  schemes: readonly SecurityScheme[],
  names: Redactor["names"],
  { request, response }: Exchange,
): void => {
  for (const [name, value] of Object.entries(request.headers)) {
    const scheme = schemes.find(({ header }) => header.toLowerCase() === name);
    const label = scheme?.configuration ?? (scheme ? "ACCESS_TOKEN" : "SECRET");
    if (names.isHeader(name)) secrets.learn(value, label, scheme !== undefined);
  }
  for (const cookie of newCookiesIn(response?.headers["set-cookie"] ?? ""))
    secrets.learn(cookie, "COOKIE", false);
  const { values } = secretsIn([{ headers: [], texts: [request.body ?? ""], json: undefined }], names);
  for (const [value, name] of values) {
    if (names.isCredential(name)) secrets.learn(value, "SECRET", /secret|password/i.test(name));
    if (/ssn$|social_?security/i.test(name)) secrets.learnPersonal(value, "SOCIAL_SECURITY_NUMBER");
  }
};

const marksOf = (
  { securitySchemes }: Contract,
  { operation }: Match,
  { id, request, requestJson, response }: Exchange,
  opened: Seen["opened"],
  mark: (value: string) => string,
): Marks => {
  const values = (isKey: boolean): string[] =>
    securitySchemes.flatMap(({ header, configuration }) => {
      const value = request.headers[header.toLowerCase()];
      return value !== undefined && value !== "" && (configuration !== undefined) === isKey ? [value] : [];
    });
  const [token] = values(false);
  const keys = values(true);
  const logsIn = operation?.token !== undefined;
  const issued = logsIn ? atPointer(response?.json, operation?.token ?? "") : undefined;
  const account = logsIn ? accountIn(requestJson) : [];
  return {
    ...(token !== undefined && { token: isPlaceholder(token) ? MASKED_TOKEN : mark(token) }),
    ...(typeof issued === "string" && !isPlaceholder(issued) && { issued: mark(issued) }),
    ...(keys.length + account.length > 0 && { key: mark([...keys, ...account].join(" ")) }),
    ...(request.body !== undefined && {
      body: mark(isPlaceholder(request.body) ? id : contentOf(request.body, requestJson, opened)),
    }),
  };
};

/** Names of fields that identify one attempt to send a request. */
const OF_ONE_ATTEMPT = /(correlation|request|trace|attempt)[_-]?id$|^(nonce|time_?stamp)$/i;
const NAMES_ATTEMPT = /(correlation|request|trace|attempt)[_-]?id"|"(nonce|time_?stamp)"/i;

/** Returns what a body says, without what a client makes anew for each attempt: ids, and the cipher text of a value. */
const contentOf = (text: string, json: unknown, opened: Seen["opened"]): string =>
  json === undefined || (Object.keys(opened).length === 0 && !NAMES_ATTEMPT.test(text))
    ? text
    : JSON.stringify(json, (name, value: unknown) =>
        OF_ONE_ATTEMPT.test(name) ? undefined : (opened[`/${name}`] ?? value),
      );

/** Returns the fields of a log-in that identify its account: the first one, because the others are secret. */
const accountIn = (body: unknown): string[] => {
  const [first] = typeof body === "object" && body !== null ? Object.values(body) : [];
  return typeof first === "string" ? [first] : [];
};
