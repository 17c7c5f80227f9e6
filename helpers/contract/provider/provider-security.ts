/** Joins security schemes: names and configuration from the contract, headers from the provider's document. */
import type { Contract, Operation } from "../contract.ts";
import type { SecurityScheme } from "../security-scheme.ts";

/** Returns an operation that only the provider has, with the contract's names for security schemes. */
export const ownNames = (
  operation: Operation,
  ours: Pick<Contract, "securitySchemes">,
  schemes: Contract["securitySchemes"],
): Operation => {
  const joined = joinSecuritySchemes(ours.securitySchemes, schemes);
  // A document that describes no security leaves open that its operations need the usual credentials.
  if (schemes.length === 0) return { ...operation, security: joined.map(({ name }) => name) };
  const security = operation.security.flatMap((name) => {
    const header = schemes.find((scheme) => scheme.name === name)?.header;
    return joined.filter((scheme) => scheme.header === header).map((scheme) => scheme.name);
  });
  return { ...operation, security };
};

/**
 * Joins security schemes. Names and configuration come from the contract. The header comes from the provider's scheme
 * whose last words match best (`Partner-App-Key`, `X-Acme-App-Key`); each provider scheme is used once. A scheme
 * without a match keeps its header.
 */
export const joinSecuritySchemes = (
  ours: readonly SecurityScheme[],
  theirs: readonly SecurityScheme[],
): SecurityScheme[] => {
  const only = ours.length === 1 && theirs.length === 1 ? theirs[0] : undefined;
  const free = new Set(theirs);
  return ours.map((scheme) => {
    const [best] = [...free].sort((one, other) => likeness(other, scheme) - likeness(one, scheme));
    const partner = best && likeness(best, scheme) > 0 ? best : only;
    if (partner === undefined) return scheme;
    free.delete(partner);
    return { ...scheme, header: partner.header, ...(partner.place && { place: partner.place }) };
  });
};

/** Returns how many words the two headers share at their ends. */
const likeness = (one: SecurityScheme, other: SecurityScheme): number => {
  const [left, right] = [one, other].map(({ header }) => header.toLowerCase().split(/[-_]/).reverse());
  const differing = (left ?? []).findIndex((word, index) => word !== right?.[index]);
  return differing < 0 ? (left ?? []).length : differing;
};
