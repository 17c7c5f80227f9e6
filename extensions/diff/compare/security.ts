/** Compares the credentials that operations accept. */
import { isSame, type Json } from "../../../helpers/contract/json.ts";
import { withoutDocumentation } from "../document/documentation.ts";
import type { ApiOperation, Both, Credential, Security } from "../document/model.ts";
import { isEnough } from "../document/security-schemes.ts";
import { ownerOf, recordChange, type SchemaLocation } from "./found.ts";

/** @param schemes the security schemes of both documents, by name */
export const compareSecurity = (
  location: SchemaLocation,
  pair: Both<ApiOperation>,
  schemes: Both<Readonly<Record<string, Json>>>,
): void => {
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
  for (const { scheme, wire } of schemesOnlyIn(base, revision)) {
    const other = schemesOnlyIn(revision, base).find((one) => one.wire === wire)?.scheme;
    const [was, is] = [schemes.old[scheme], schemes.new[other ?? ""]].map((one) => withoutDocumentation(one));
    const isRenamed = !(scheme in schemes.new || (other ?? "") in schemes.old) && isSame(was, is);
    if (other === undefined || isRenamed) continue;
    const change = { rule: "securityScheme", action: "changed", place: "credentials", drafts: [] } as const;
    const owner = ownerOf(base, revision, pair);
    recordChange({ ...location, owner }, { ...change, old: scheme, new: other });
  }
};

/** Returns the credentials whose scheme the other side does not name. */
const schemesOnlyIn = (side: Security, { alternatives }: Security): Credential[] =>
  side.alternatives.flat().filter(({ scheme }) => !alternatives.flat().some((one) => one.scheme === scheme));

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
