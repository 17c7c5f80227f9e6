/** Compares the credentials that operations accept. */
import type { ApiOperation, Both, Credential, Security } from "../document/model.ts";
import { isEnough } from "../document/security-schemes.ts";
import { ownerOf, recordChange, type SchemaLocation } from "./found.ts";

export const compareSecurity = (location: SchemaLocation, pair: Both<ApiOperation>): void => {
  const [base, revision] = [pair.old.security, pair.new.security];
  for (const action of ["removed", "added"] as const) {
    const [has, lacks] = action === "removed" ? [base, revision] : [revision, base];
    for (const [index, alternative] of has.alternatives.entries()) {
      if (isEnough(alternative, lacks)) continue;
      const owner = schemeThatChanged(alternative, base, revision) ?? ownerOf(base, revision, pair);
      const drafts = [{ alternative: index }];
      recordChange(
        { ...location, owner },
        { rule: "credentials", action, place: "credentials", drafts, subject: labelOf(alternative) },
      );
    }
  }
};

const labelOf = (alternative: readonly Credential[]): string =>
  alternative.length === 0
    ? "none at all"
    : alternative
        .map(({ wire, scopes }) => (scopes.length > 0 ? `${wire} (${scopes.join(" ")})` : wire))
        .join(" and ");

/** Returns the scheme that both documents name and that differs on the wire. This scheme is the owner of the change. */
const schemeThatChanged = (
  alternative: readonly Credential[],
  base: Security,
  revision: Security,
): string | undefined => {
  const [before, after] = [base, revision].map(
    ({ alternatives }) => new Map(alternatives.flat().map((one) => [one.scheme, one.wire])),
  );
  const changed = alternative.find(
    ({ scheme }) => before?.has(scheme) && after?.has(scheme) && before.get(scheme) !== after.get(scheme),
  );
  return changed && `security scheme ${changed.scheme}`;
};
