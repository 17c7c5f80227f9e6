/** Knows the headers, parameters and members that hold secrets: by common names, by the documents and by the settings. */
import type { SecretPlace } from "../../contract/security-scheme.ts";
import { fixedHeaders } from "../../target/names.ts";
import rows from "./rows.json" with { type: "json" };

export interface SecretNames {
  isHeader(name: string): boolean;
  isParameter(name: string): boolean;
  /** Whether the values of JSON members with this name are secret. */
  isMember(name: string): boolean;
  /** Whether a field with this name holds a credential: not even an invented one is shown, because a target may accept it. */
  isCredential(name: string): boolean;
}

/** Returns the words of a name, without digits: `X-Api-Key2` and `xApiKey` are `x api key`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/(?<=[A-Z]{2})s(?![a-z])/g, "S")
    .replaceAll(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$& ")
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, " ")
    .trim();

type Row = Pick<(typeof rows.names)[number], "words" | "at">;

/** The words of a row may be written together. Only names that end with the words count, in singular or plural. */
const sourceOf = ({ words, at }: Row): string => {
  const joined = words.replaceAll(" ", " ?");
  if (at === "whole") return `^(?:x |proxy )?${joined}$`;
  const isLong = words.includes(" ") && words.length > LONG_PAIR;
  return `(?:${at === "end" ? "" : "(?:^| )"}${joined}${isLong ? `|${words.replaceAll(" ", "")}` : ""})s?$`;
};

/** A longer pair that is written together counts in any word: `bankaccountnumber`. */
const LONG_PAIR = 8;

const patternOf = (given: readonly Row[]): RegExp => new RegExp(given.map(sourceOf).join("|"));

const SECRET = patternOf(rows.names);
const CREDENTIAL = patternOf(rows.names.filter(({ personal }) => personal !== true));
const OTHER = patternOf(rows.others);

/** Whether a secret name belongs to the data of a person, whose values may be short numbers. */
export const isPersonal = (name: string): boolean => !CREDENTIAL.test(wordsOf(name));

/** Fixed headers that describe a message. Readers of the traffic need them. */
const DESCRIBING = /^(accept|content)(-|$)|^(user-agent|host)$/;

/**
 * @param places where the documents have secrets
 * @param values the settings by name; all fixed headers are secret, because only their owner knows what they are for
 */
export const createSecretNames = (
  places: readonly SecretPlace[],
  values: Readonly<Record<string, string>>,
): SecretNames => {
  const fixed = Object.entries(values)
    .filter(([name]) => name.endsWith("_HEADERS"))
    .flatMap(([, value]) => Object.keys(fixedHeaders(value) ?? {}))
    .filter((name) => !DESCRIBING.test(name));
  const namesIn = (...wanted: readonly SecretPlace["in"][]): string[] =>
    places.flatMap(({ in: place, name, ours }) =>
      wanted.includes(place) && (ours === undefined || ours.some((one) => SECRET.test(wordsOf(one))))
        ? [name]
        : [],
    );
  return {
    isHeader: knownNames(SECRET, [...fixed, ...namesIn("header")]),
    isParameter: knownNames(SECRET, namesIn("query", "cookie")),
    isMember: knownNames(SECRET, namesIn("body")),
    isCredential: knownNames(CREDENTIAL, namesIn("query", "cookie", "header")),
  };
};

/** More names than these are names that a server makes up. */
const MOST_KEPT = 5_000;

/** Returns a function that remembers its answers: the same few names occur in all exchanges. */
const knownNames = (pattern: RegExp, own: readonly string[]): ((name: string) => boolean) => {
  const all = new Set(own.map((name) => name.toLowerCase()));
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const words = wordsOf(name);
    const answer = all.has(name.toLowerCase()) || (pattern.test(words) && !OTHER.test(words));
    if (answers.size < MOST_KEPT) answers.set(name, answer);
    return answer;
  };
};
