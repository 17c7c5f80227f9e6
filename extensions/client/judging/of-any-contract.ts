/** The checks of the callers of a service that has only a contract: what its document says about every call. */

import type { Contract, Operation, Service } from "../../../helpers/contract/contract.ts";
import { covers, essenceOf } from "../../../helpers/contract/media-type.ts";
import type { SecurityScheme } from "../../../helpers/contract/security-scheme.ts";
import { checkThat } from "../../../helpers/exchange/check-result.ts";
import { statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { type CallerPolicy, isLeftOut, isRedacted, ofRequest } from "./check.ts";
import { getsAccepted } from "./refusals.ts";
import { keepsRetryAfter } from "./retry-after.ts";

/** Checks that a call has a key in each place of one of the alternatives; whether it is the right one, the service says. */
const sendsCredentials = ofRequest("a call of an operation that needs credentials", (seen, contract) => {
  const sets = seen.operation === undefined ? undefined : alternativesOf(contract, seen.operation);
  const isUnknown = ({ header, place }: SecurityScheme): boolean =>
    place?.in !== "query" && isLeftOut(seen, header.toLowerCase());
  if (sets === undefined || sets.some((set) => set.some(isUnknown)) || isChallenged(seen)) return undefined;
  const places = sets.map((set) => set.map(placeOf).join(" and "));
  const isComplete = sets.some((set) => set.every((scheme) => isSent(seen, scheme)));
  return checkThat(isComplete, {
    message: `a call of ${seen.operation?.operationId} lacks credentials`,
    ...{ expected: places.join(", or "), actual: "not all of them" },
  });
});

/** @returns `undefined` if the operation needs no credentials, or if the contract does not know the place of one */
const alternativesOf = (
  { securitySchemes }: Contract,
  { security, securityAlternatives = [security] }: Operation,
): SecurityScheme[][] | undefined => {
  const sets = securityAlternatives.map((names) =>
    names.map((name) => securitySchemes.find((scheme) => scheme.name === name)),
  );
  const isOpen = security.length === 0 || sets.some((set) => set.length === 0 || set.includes(undefined));
  return isOpen ? undefined : (sets as SecurityScheme[][]);
};

/** Clients of these schemes may wait for a challenge before they send credentials (RFC 9110, 11.6.1). */
const isChallenged = ({ exchange }: Seen): boolean =>
  statusOf(exchange) === 401 &&
  /\b(?:basic|digest|negotiate|ntlm)\b/i.test(exchange.response?.headers["www-authenticate"] ?? "");

const isSent = ({ exchange, query }: Seen, { header, place }: SecurityScheme): boolean => {
  if (place?.in === "query") return (query.get(place.name) ?? "") !== "";
  const value = exchange.request.headers[header.toLowerCase()] ?? "";
  return place === undefined
    ? value !== ""
    : isRedacted(value) || value.split(";").some((one) => one.trim().startsWith(`${place.name}=`));
};

const placeOf = ({ header, place }: SecurityScheme): string =>
  place === undefined ? `the header ${header}` : `${place.name} in the ${place.in}`;

/** Checks that a body has a media type that the document lists for its operation. All types of JSON are one. */
const sendsListedTypes = ofRequest("a body with its media type", ({ operation, exchange: { request } }) => {
  const listed = Object.keys(operation?.requestBody?.content ?? {}).map(essenceOf);
  const type = essenceOf(request.headers["content-type"] ?? "");
  if ((request.body ?? "") === "" || type === "" || isRedacted(type) || listed.length === 0) return undefined;
  const isListed = listed.some((one) => takes(one, type));
  return checkThat(isListed, {
    pointer: "content-type",
    message: `the body of a ${operation?.operationId} request has another media type`,
    ...{ expected: listed.join(" or "), actual: type },
  });
});

/** Whether a media type or a range of them takes another. All types of JSON are alike. */
export const takes = (range: string, type: string): boolean =>
  covers(range, type) || (JSON_LIKE.test(range) && JSON_LIKE.test(type));

const JSON_LIKE = /[/+]json$/;

/** The requirements are in `../contract/of-any-contract.json`. */
export const policyOfAny = (service: Service): CallerPolicy => ({
  service,
  checks: [
    {
      "caller.credentials": sendsCredentials,
      "caller.media-types": sendsListedTypes,
      "caller.requests-accepted": getsAccepted(() => true),
      "caller.retry-after-kept": keepsRetryAfter,
    },
  ],
  unseen: {},
});
