/** Deterministic identifiers and digits: the same seed and parts give the same values. */
import { createHash } from "node:crypto";

export const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

export type Identifiers = ReturnType<typeof identifiersOf>;

export const identifiersOf = (seed: number) => {
  const digest = (parts: readonly unknown[]) => sha256(JSON.stringify([seed, ...parts]));
  return {
    /** Returns a lower-case UUID, version 4. */
    uuid: (...parts: readonly unknown[]): string => {
      const hex = digest(parts).toString("hex");
      return uuidOf(hex, "89ab"[Number.parseInt(hex.charAt(16), 16) % 4] ?? "");
    },
    /** Returns decimal digits, at most 32. */
    digits: (count: number, ...parts: readonly unknown[]): string =>
      Array.from(digest(parts).subarray(0, count), (byte) => byte % 10).join(""),
    /** Returns base64url text of 32 characters. */
    key: (...parts: readonly unknown[]): string => digest(parts).toString("base64url").slice(0, 32),
  };
};

/** @param hex 32 digits or more */
export const uuidOf = (hex: string, variant: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

/** Returns the first id that is free, so that a new resource does not replace one whose id a user chose. */
export const freeId = (make: () => string, isTaken: (id: string) => boolean): string => {
  let id = make();
  while (isTaken(id)) id = make();
  return id;
};

/** Counts each kind of resource from 1. */
export const counter = (): Counter => {
  const counts = new Map<string, number>();
  const next = (kind: string): number => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count;
  };
  return Object.assign(next, { counts });
};

/** Returns the next number of the kind. `counts`: the last number of each kind. */
export type Counter = ((kind: string) => number) & { readonly counts: Map<string, number> };

/** Returns `true` if clients can get the id of the resource as it is, or else the form that the contract demands. */
export type Allows = (resource: string, id: string) => true | string;
