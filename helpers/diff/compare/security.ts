/** Which credentials an operation takes. */

import type { Credential, Security, Sender } from "../document/model.ts";
import type { Findings, Matched } from "./found.ts";
import { effectOf } from "./rules.ts";

type Alternative = readonly Credential[];

export const compareSecurity = ({ found }: Findings, pair: Matched): void => {
  const [old, fresh] = [pair.old.security, pair.new.security];
  const sender: Sender = pair.new.kind === "call" ? "caller" : "service";
  for (const action of ["removed", "added"] as const) {
    const [has, lacks] = action === "removed" ? [old, fresh] : [fresh, old];
    for (const [index, alternative] of has.alternatives.entries()) {
      if (isEnough(alternative, lacks)) continue;
      found.push({
        change: {
          rule: "credentials",
          action,
          effect: effectOf("credentials", action),
          subject: told(alternative),
        },
        owner: ownerOf(alternative, old, fresh, pair.new.label),
        part: "",
        pointer: "",
        occurrences: [
          { ...pair, message: { sender, place: "credentials" }, drafts: [{ alternative: index }] },
        ],
      });
    }
  }
};

const isEnough = (given: Alternative, { alternatives }: Security): boolean =>
  alternatives.some((wanted) =>
    wanted.every((one) =>
      given.some(
        ({ wire, scopes }) => wire === one.wire && one.scopes.every((scope) => scopes.includes(scope)),
      ),
    ),
  );

const told = (alternative: Alternative): string =>
  alternative.length === 0
    ? "none at all"
    : alternative
        .map(({ wire, scopes }) => (scopes.length > 0 ? `${wire} (${scopes.join(" ")})` : wire))
        .join(" and ");

/** A scheme that both ask for by its name, but that looks different on the wire, is where the change stands. */
const ownerOf = (alternative: Alternative, old: Security, fresh: Security, label: string): string => {
  const [before, after] = [old, fresh].map(
    ({ alternatives }) => new Map(alternatives.flat().map((one) => [one.scheme, one.wire])),
  );
  const changed = alternative.find(
    ({ scheme }) => before?.has(scheme) && after?.has(scheme) && before.get(scheme) !== after.get(scheme),
  );
  if (changed !== undefined) return `security scheme ${changed.scheme}`;
  return old.owner === fresh.owner ? fresh.owner : label;
};
