/** Security schemes of a contract with the header names of the provider's document. */
import type { SecurityScheme } from "./contract.ts";

/**
 * Names and configuration stay ours; the header is that of the provider's scheme whose header ends in the most of the
 * same words (`Partner-App-Key`, `X-Acme-App-Key`), each taken once. Schemes without such a one keep their header.
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
    return { ...scheme, header: partner.header };
  });
};

/** How many words the two headers have in common at their ends. */
const likeness = (one: SecurityScheme, other: SecurityScheme): number => {
  const [left, right] = [one, other].map(({ header }) => header.toLowerCase().split(/[-_]/).reverse());
  const differing = (left ?? []).findIndex((word, index) => word !== right?.[index]);
  return differing < 0 ? (left ?? []).length : differing;
};
