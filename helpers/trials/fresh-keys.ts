/** Gives each call its own idempotency key: a server may answer a known key with its first answer, or refuse other content. */
import { randomInt } from "node:crypto";
import type { Contract, Operation } from "../contract/contract.ts";
import { validatorOf } from "../contract/schemas/schema-validator.ts";
import type { Call } from "./call.ts";

/**
 * Returns the headers of a call, with a new value of each that holds a key, if it has a valid one and its schema allows another.
 * The value does not follow from the seed, because a server may know the keys of earlier runs.
 */
export const withFreshKeys = (
  contract: Contract,
  { parameters }: Operation,
  { headers = {} }: Call,
): NonNullable<Call["headers"]> => {
  const fresh = parameters.flatMap(({ name: header, in: place, schema }): [string, string][] => {
    const given = headers[header];
    if (place !== "header" || !KEYS.test(header) || typeof given !== "string") return [];
    const other = another(given);
    const isValid = [given, other].every((one) => validatorOf(contract).validate(schema, one).length === 0);
    return isValid ? [[header, other]] : [];
  });
  return { ...headers, ...Object.fromEntries(fresh) };
};

const KEYS = /^(?:x-)?idempotency/i;

/** The names of headers by which a server knows a repeated call. */
export const KEY_NAME = /^(?:x-)?idempotency[-_]?key$/i;

/** Replaces letters and digits at the end by others of their kind. */
const another = (text: string): string => {
  const start = Math.max(0, text.length - MOST_CHANGED);
  const changed = [...text.slice(start)].map((sign) => {
    const kind = KINDS.find((one) => one.includes(sign)) ?? sign;
    return kind[randomInt(kind.length)];
  });
  return `${text.slice(0, start)}${changed.join("")}`;
};

/** The last group of a UUID. */
const MOST_CHANGED = 12;

/** Letters of hexadecimal numbers stay such letters. */
const KINDS = ["0123456789", "abcdef", "ABCDEF", "ghijklmnopqrstuvwxyz", "GHIJKLMNOPQRSTUVWXYZ"];
