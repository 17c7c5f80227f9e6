/** The values of secret fields in exchanges, which a server may repeat elsewhere, and the ids that its answers show. */
import { isCardNumber } from "./card-numbers.ts";
import type { Exchange } from "./exchange.ts";
import type { SecretNames } from "./secret-names.ts";
import { partsOfSecret } from "./secret-parts.ts";

export const secretFieldsOf = (
  exchanges: readonly Exchange[],
  { isHeader, isParameter, isMember }: SecretNames,
): { readonly values: ReadonlyMap<string, string>; readonly ids: ReadonlySet<string> } => {
  const values = new Map<string, string>();
  const ids = new Set<string>();
  const add = (name: string, value: string): void => {
    if (value !== "" && !value.includes("‹")) values.set(value, name);
  };
  for (const { request, requestJson, response } of exchanges) {
    for (const [name, value] of headersOf(request.headers, response?.headers))
      if (isHeader(name)) for (const part of credentialsIn(name, value)) add(name, part);
    for (const [name, value] of parametersOf(request.url)) if (isParameter(name)) add(name, value);
    visitJson(requestJson, (name, value) => isMember(name) && add(name, value));
    visitJson(response?.json, (name, value) => {
      if (isMember(name)) add(name, value);
      else if (IS_ID.test(name) && isCardNumber(value)) ids.add(value);
    });
  }
  return { values, ids };
};

/** Returns the value of a credential header, and what a server may repeat of it. */
const credentialsIn = (name: string, value: string): string[] => {
  // The attributes of a new cookie are not secret.
  const secret = name === "set-cookie" ? (value.split(";", 1)[0] ?? "") : value;
  return [value, ...partsOfSecret(secret)];
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
