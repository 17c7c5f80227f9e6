/** Places the keys of a call where the security schemes of its operation have them: in headers, cookies or the query. */
import type { Contract, Operation } from "../contract/contract.ts";
import type { SecurityScheme } from "../contract/security-scheme.ts";
import { isFromDocument } from "../contract/services.ts";
import { because, type Reason } from "../reasons/reason.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";

/**
 * Returns the security schemes that calls of an operation use: of several alternatives, the first whose keys are all
 * configured, or else the first.
 */
export const schemesFor = (
  { securitySchemes }: Pick<Contract, "securitySchemes">,
  { security, securityAlternatives = [security] }: Operation,
  { values }: Pick<Target, "values">,
): SecurityScheme[] => {
  const sets = securityAlternatives.map((names) =>
    securitySchemes.filter(({ name }) => names.includes(name)),
  );
  const isReady = ({ configuration }: SecurityScheme): boolean =>
    configuration === undefined || values[configuration] !== undefined;
  return sets.find((schemes) => schemes.every(isReady)) ?? sets[0] ?? [];
};

export const placedKeys = (
  contract: Contract,
  operation: Operation,
  target: Target,
  { credentials = {} }: Call,
): {
  readonly headers: Readonly<Record<string, string | null>>;
  readonly query: Readonly<Record<string, string>>;
} => {
  const headers: Record<string, string | null> = {};
  const query: Record<string, string> = {};
  const cookies: string[] = [];
  const usual = schemesFor(contract, operation, target);
  // A call may state a key of another alternative.
  const stated = contract.securitySchemes.filter(
    (one) => typeof credentials[one.name] === "string" && !usual.includes(one),
  );
  for (const scheme of [...usual, ...stated]) {
    const { name, header, place, configuration } = scheme;
    const configured = configuration === undefined ? undefined : target.values[configuration];
    const value = name in credentials ? credentials[name] : configured;
    if (value === null && place === undefined) headers[header.toLowerCase()] = null;
    if (typeof value !== "string") continue;
    if (place === undefined) headers[header.toLowerCase()] = value;
    else if (place.in === "query") query[place.name] = value;
    else cookies.push(`${place.name}=${value}`);
  }
  if (cookies.length > 0) headers.cookie = cookies.join("; ");
  return { headers, query };
};

/** Returns the cookies of the keys and of the call in one header (RFC 6265, 5.4). */
export const withCookies = (
  { headers }: Pick<ReturnType<typeof placedKeys>, "headers">,
  own: NonNullable<Call["headers"]> = {},
): Record<string, string | null> => {
  const cookies = [headers.cookie, own.cookie].filter((one) => typeof one === "string");
  return { ...headers, ...own, ...(cookies.length > 1 && { cookie: cookies.join("; ") }) };
};

/** Names the place of a key: `header X-Key`, `parameter apikey`, `cookie session`. */
export const placeOfKey = ({ header, place }: SecurityScheme): string =>
  place === undefined ? `header ${header}` : `${place.in === "query" ? "parameter" : "cookie"} ${place.name}`;

/** Returns the option of `--document` that gives a key. */
export const optionForKey = ({ name, header, place }: SecurityScheme): string =>
  place === undefined ? `--header '${header}: …'` : `--key '${name}=…'`;

/** Returns why a call of a service from a document may be refused: its user gave no key. */
export const lackOfKey = (contract: Contract, operation: Operation, target: Target): Reason | undefined => {
  if (!isFromDocument()) return undefined;
  const missing = schemesFor(contract, operation, target).filter(
    ({ configuration }) => configuration !== undefined && target.values[configuration] === undefined,
  );
  return missing.length === 0
    ? undefined
    : because("lacks-given", "a key", missing.map(optionForKey).join(" and "));
};
