/** The values of secret fields in exchanges, which a server may repeat elsewhere, and the ids that its answers show. */
import { isCardNumber } from "./card-numbers.ts";
import type { Exchange } from "./exchange.ts";
import { isCredentialHeader, isSecretName } from "./shapes.ts";

export interface SecretFields {
  /** The names of the fields, by value. */
  readonly values: ReadonlyMap<string, string>;
  /** The ids that look like card numbers. */
  readonly ids: ReadonlySet<string>;
}

export const secretFieldsOf = (exchanges: readonly Exchange[]): SecretFields => {
  const values = new Map<string, string>();
  const ids = new Set<string>();
  const add = (name: string, value: string): void => {
    if (value !== "" && !value.includes("‹")) values.set(value, name);
  };
  for (const { request, requestJson, response } of exchanges) {
    for (const [name, value] of headersOf(request.headers, response?.headers))
      if (isCredentialHeader(name)) for (const part of [value, ...value.split(" ").slice(1)]) add(name, part);
    for (const [name, value] of parametersOf(request.url)) if (isSecretName(name)) add(name, value);
    visitJson(requestJson, (name, value) => isSecretName(name) && add(name, value));
    visitJson(response?.json, (name, value) => {
      if (isSecretName(name)) add(name, value);
      else if (IS_ID.test(name) && isCardNumber(value)) ids.add(value);
    });
  }
  return { values, ids };
};

/** `id`, `accountId`, `account_ids` */
const IS_ID = /^ids?$|[_-]ids?$|[a-z\d]I[dD]s?$/;

const headersOf = (...all: readonly (Readonly<Record<string, string>> | undefined)[]): [string, string][] =>
  all.flatMap((headers) => Object.entries(headers ?? {}));

const parametersOf = (url: string): Iterable<[string, string]> =>
  URL.canParse(url) ? new URL(url).searchParams : [];

/** Visits the texts and numbers of JSON, each with the name of the member that it belongs to. */
export const visitJson = (value: unknown, see: (name: string, value: string) => void, name = ""): void => {
  if (typeof value === "string" || typeof value === "number") see(name, String(value));
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) for (const item of value) visitJson(item, see, name);
  else for (const [own, child] of Object.entries(value)) visitJson(child, see, own);
};
