/**
 * Words for refusals. Names and values are in quotation marks, so that a reader tells them from the text, and a program
 * can leave them out.
 */
import type { Contract } from "../../helpers/contract/contract.ts";
import { editDistances } from "../../helpers/contract/nearest.ts";
import type { Violation } from "./validators.ts";

/** Violations that a message names; more would hide the first. */
const MOST_NAMED = 5;

/** Returns text like `"consumer.firstName" is missing, "phone" violates the rule "pattern"`. */
export const violationsInWords = (violations: readonly Violation[]): string => {
  const all = [...new Set(violations.map(inWords))];
  const more = all.length > MOST_NAMED ? `, and ${all.length - MOST_NAMED} more` : "";
  return `${all.slice(0, MOST_NAMED).join(", ")}${more}`;
};

const inWords = ({ path, keyword, absent }: Violation): string => {
  const field = path.length === 0 ? "the body" : `"${path.join(".")}"`;
  return absent && keyword === "required" ? `${field} is missing` : `${field} violates the rule "${keyword}"`;
};

/**
 * Tells which header is missing, and which one the client may have sent instead.
 * @param isValue whether a value is the expected one
 */
export const missingHeader = (
  name: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  isValue: (value: string) => boolean,
): string => {
  const similar = Object.entries(headers).find(
    ([other, value]) =>
      other !== name.toLowerCase() &&
      ((typeof value === "string" && isValue(value)) || isSimilar(other, name.toLowerCase())),
  );
  const instead = similar === undefined ? "" : ` The request has "${similar[0]}" instead.`;
  return `The header "${name}" is missing.${instead}`;
};

/** The most characters in which a misspelled name differs. */
const MISSPELLED = 2;

const isSimilar = (one: string, other: string): boolean => {
  const [first, second] = [plain(one), plain(other)];
  return first !== "" && (editDistances(first, second).at(-1) ?? 0) <= MISSPELLED;
};

const plain = (name: string): string => name.replace(/[^a-z0-9]/g, "").replace(/^x/, "");

/** Tells that a path is unknown, and which known one is the nearest. @param path without a query */
export const unknownPath = (contract: Contract, mount: string, path: string): string => {
  const shown = path.slice(0, LONGEST_SHOWN);
  const own = segmentsOf(shown.slice(mount.length));
  const ranked = contract.operations
    .map((operation) => ({ path: operation.path, distance: distanceOf(own, segmentsOf(operation.path)) }))
    .sort((one, other) => one.distance - other.distance);
  const [nearest] = ranked;
  const hint =
    nearest !== undefined && nearest.distance <= 1 ? ` The nearest path is "${mount}${nearest.path}".` : "";
  return `Nothing is served at "${shown}".${hint}`;
};

const LONGEST_SHOWN = 120;

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/** Counts the different segments. A parameter of a template fits any segment. */
const distanceOf = (own: readonly string[], template: readonly string[]): number =>
  Array.from({ length: Math.max(own.length, template.length) }, (_, index) => index).filter(
    (index) => own[index] !== template[index] && !(own[index] && template[index]?.startsWith("{")),
  ).length;

/** Tells which methods a path takes. */
export const unknownMethod = (methods: readonly string[], method: string): string =>
  `This path takes ${[...new Set(methods)].sort().join(" and ")}, but not "${method}".`;
