/** Reads accept lists: known violations with an owner, a reason and an expiry date. */
import { type Document, isMap, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";
import { dayOf } from "../contract/day.ts";
import { ConfigurationError, readGiven } from "../target/load-target.ts";
import type { Acceptance, AcceptList } from "./acceptance.ts";

/**
 * Reads a YAML list of acceptances.
 * @param isFingerprint whether a text is a valid fingerprint
 * @throws ConfigurationError with file and line
 */
export const readAcceptList = (file: string, isFingerprint: (text: string) => boolean): AcceptList => ({
  file,
  entries: parseAcceptList(readGiven(`The accept list ${file}`, file, MOST_MB), file, isFingerprint),
});

/** A list of this size has thousands of entries, and is read in seconds. */
const MOST_MB = 16;

/** @throws ConfigurationError with `name` and line */
export const parseAcceptList = (
  text: string,
  name: string,
  isFingerprint: (text: string) => boolean,
): Acceptance[] => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true });
  const at = (offset: number | undefined): string => `${name}:${lines.linePos(offset ?? 0).line}`;
  const [broken] = document.errors;
  if (broken) throw new ConfigurationError(`${at(broken.pos[0])}: ${broken.message.split("\n", 1)[0]}`);
  if (document.contents === null) return [];
  if (!isSeq(document.contents)) throw new ConfigurationError(`${at(0)}: ${SHAPE}`);
  const entries = document.contents.items.map((item) => {
    const place = at((item as { range?: [number, number, number] }).range?.[0]);
    if (!isMap(item)) throw new ConfigurationError(`${place}: ${SHAPE}`);
    return { place, entry: acceptanceOf(contentOf(item, document, place), place, isFingerprint) };
  });
  const seen = new Map<string, string>();
  for (const { place, entry } of entries) {
    const before = seen.get(entry.fingerprint);
    if (before) throw new ConfigurationError(`${place}: ${entry.fingerprint} is accepted at ${before} too.`);
    seen.set(entry.fingerprint, place);
  }
  return entries.map(({ entry }) => entry);
};

/** @throws ConfigurationError for aliases that stand for nothing, or for too much */
const contentOf = (item: YAMLMap, document: Document, place: string): Readonly<Record<string, unknown>> => {
  try {
    return item.toJS(document) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new ConfigurationError(`${place}: ${(error as Error).message}.`);
  }
};

const FIELDS = ["fingerprint", "owner", "reason", "expires"] as const;

const SHAPE = `write a list of entries, each with ${FIELDS.join(", ")}.`;

const acceptanceOf = (
  row: Readonly<Record<string, unknown>>,
  place: string,
  isFingerprint: (text: string) => boolean,
): Acceptance => {
  const unknown = Object.keys(row).find((key) => !FIELDS.some((field) => field === key));
  if (unknown !== undefined) {
    throw new ConfigurationError(`${place}: unknown field "${unknown}": use ${FIELDS.join(", ")}.`);
  }
  const text = (field: (typeof FIELDS)[number]): string => {
    const value = row[field];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    throw new ConfigurationError(`${place}: the entry has no ${field}: ${NEEDED[field]}.`);
  };
  const entry = {
    fingerprint: text("fingerprint"),
    owner: text("owner"),
    reason: text("reason"),
    expires: text("expires"),
  };
  if (dayOf(entry.expires) !== entry.expires) {
    throw new ConfigurationError(`${place}: "${entry.expires}" is not a date: write expires as 2026-12-31.`);
  }
  if (!isFingerprint(entry.fingerprint)) {
    throw new ConfigurationError(
      `${place}: "${entry.fingerprint}" is not a fingerprint: copy it from the report of the finding or change.`,
    );
  }
  return entry;
};

const NEEDED: Readonly<Record<(typeof FIELDS)[number], string>> = {
  fingerprint: "copy it from the report of the finding or change",
  owner: "name the responsible person or team",
  reason: "state why it is accepted",
  expires: "give the last day on which it is accepted, as 2026-12-31",
};
