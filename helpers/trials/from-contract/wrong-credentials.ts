/** Calls with wrong keys of a service about which only its OpenAPI document is known. */
import type { Operation } from "../../contract/contract.ts";
import { requirementOf } from "../../contract/lookups.ts";
import type { SecurityScheme } from "../../contract/security-scheme.ts";
import { isClientError } from "../../exchange/exchange.ts";
import type { Call } from "../call.ts";
import { placeOfKey, schemesFor } from "../credentials.ts";
import type { TrialContext } from "../trial.ts";
import type { Subject } from "./operation-trial.ts";
import { CREDENTIAL_SLIPS, similarTo } from "./similar-credentials.ts";

/** A call with other credentials than the operation needs. */
export interface WrongCredentials {
  readonly what: string;
  readonly credentials: NonNullable<Call["credentials"]>;
  readonly statuses: readonly number[];
  readonly requirements: readonly string[];
}

/** Returns the id of the requirement that wrong credentials are refused. Only services from a document have it. */
export const wrongCredentialsId = ({ contract: { service }, operation }: Subject): string =>
  `${service}.${operation.operationId}.wrong-credentials`;

/**
 * Returns calls with an unknown value of each key, with a similar one, and without one of several keys; and with an unknown
 * value of each key that may take their place. No document says with which status such a call is refused.
 */
export const wrongCredentials = (context: TrialContext, subject: Subject): WrongCredentials[] => {
  const { contract, operation } = subject;
  const requirement = wrongCredentialsId(subject);
  if (requirementOf(contract, requirement) === undefined) return [];
  const schemes = schemesFor(contract, operation, context.target);
  const turn = contract.operations.indexOf(operation);
  const common = { statuses: refusalsOf(operation), requirements: [requirement] };
  const variant = ({ name }: SecurityScheme, value: string | null, what: string): WrongCredentials => ({
    ...{ what, credentials: { [name]: value }, ...common },
  });
  const replaced = Object.fromEntries(schemes.map(({ name }) => [name, null]));
  const alternatives = contract.securitySchemes.filter(
    (one) => operation.security.includes(one.name) && !schemes.includes(one),
  );
  const unused = alternatives.map((scheme): WrongCredentials => {
    const what = `a call with only an unknown value of the ${placeOfKey(scheme)} (${scheme.name})`;
    const { credentials, ...unknown } = variant(scheme, unknownKey("", { prefix: startOf(scheme) }), what);
    return { ...unknown, credentials: { ...replaced, ...credentials } };
  });
  const used = schemes.flatMap((scheme): WrongCredentials[] => {
    const value =
      scheme.configuration === undefined ? "" : (context.target.values[scheme.configuration] ?? "");
    const slips = CREDENTIAL_SLIPS.filter(({ mayBeSame }) => !mayBeSame);
    const [similar] = similarTo(value, [slips[turn % slips.length] ?? []].flat());
    if (similar !== undefined) context.learn(similar.value, `similar-${scheme.name}`);
    const place = placeOfKey(scheme);
    const alike = `a call with the value of the ${place} ${similar?.what}`;
    return [
      variant(scheme, unknownKey(value, scheme), `a call with an unknown value of the ${place}`),
      ...(similar === undefined ? [] : [variant(scheme, similar.value, alike)]),
      ...(schemes.length > 1 ? [variant(scheme, null, `a call without the ${place}`)] : []),
    ];
  });
  return [...used, ...unused];
};

/** Returns the usual start of a value that nobody configured (RFC 7617, RFC 6750). */
const startOf = ({ name, header, prefix = "" }: SecurityScheme): string => {
  if (prefix !== "" || header.toLowerCase() !== "authorization") return prefix;
  return /basic/i.test(name) ? "Basic " : "Bearer ";
};

/** The statuses of a refused credential (RFC 9110, 15.5), and those that the operation documents. */
const refusalsOf = ({ responses }: Operation): number[] => [
  ...new Set([400, 401, 403, 404, ...Object.keys(responses).map(Number).filter(isClientError)]),
];

/** Returns a value that nobody has, in the form of the right one (RFC 7617, RFC 6750). */
const unknownKey = (value: string, { prefix }: Pick<SecurityScheme, "prefix">): string => {
  const [, scheme = prefix ?? ""] = /^(\w+ )\S/.exec(value) ?? [];
  return `${scheme}${/^basic /i.test(scheme) ? Buffer.from(`${NOBODY}:${NOBODY}`).toString("base64") : NOBODY}`;
};

const NOBODY = "unknown-0000000000";
