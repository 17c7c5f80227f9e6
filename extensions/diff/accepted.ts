/** Marks the changes of a diff that the user's accept list contains, by fingerprint. */
import {
  type Acceptance,
  type AcceptanceState,
  type AcceptList,
  isExpired,
} from "../../helpers/accept/acceptance.ts";
import type { Diff, Entry } from "./entry.ts";

export const isDiffFingerprint = (text: string): boolean => /^d-[\da-f]{12}$/.test(text);

/** @param on the current date; an entry is valid up to and including its last day */
export const acceptChanges = (diff: Diff, { file, entries }: AcceptList, on: Date): Diff => {
  const changes = new Set(diff.entries.map(({ fingerprint }) => fingerprint));
  const stateOf = (entry: Acceptance): Exclude<AcceptanceState, "not-tried"> => {
    if (!changes.has(entry.fingerprint)) return "stale";
    return isExpired(entry, on) ? "expired" : "in-force";
  };
  const used = entries.map((entry) => ({ ...entry, state: stateOf(entry) }));
  const inForce = new Map(
    used.filter(({ state }) => state === "in-force").map((entry) => [entry.fingerprint, entry]),
  );
  return {
    ...diff,
    entries: diff.entries.map((entry): Entry => {
      const accepted = inForce.get(entry.fingerprint);
      if (accepted === undefined) return entry;
      const { owner, reason, expires } = accepted;
      return { ...entry, accepted: { owner, reason, expires } };
    }),
    accepted: { file, entries: used },
  };
};

/** Whether the accept list contains an entry that matches no change. */
export const hasStaleAcceptance = ({ accepted }: Diff): boolean =>
  accepted?.entries.some(({ state }) => state === "stale") ?? false;
