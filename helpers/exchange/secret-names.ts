/** Knows the headers, parameters and members that hold secrets: by common names, by the documents and by the settings. */
import type { SecretPlace } from "../contract/security-scheme.ts";
import { fixedHeaders } from "../target/names.ts";

export interface SecretNames {
  isHeader(name: string): boolean;
  isParameter(name: string): boolean;
  /** Whether the values of JSON members with this name are secret. */
  isMember(name: string): boolean;
  /** Whether a field with this name holds a credential: not even an invented one is shown, because a target may accept it. */
  isCredential(name: string): boolean;
}

/** In any letter case. */
const MEMBER = new RegExp(
  `^(?:${[
    "[\\w-]{0,40}(?:token|secret|ssn|password|passphrase|passcode)",
    "(?:api|app|access|client|private|secret|signing|x-api|partner-app)[_-]?key",
    "authorization|signature|cvv2?|cvc2?|(?:card[_-]?)?security[_-]?code",
    "encryptedCard|(?:primary[_-]?|real[_-]?)?account[_-]?number|(?:card|cc)[_-]?number|f?pan",
    "tax[_-]?id|social[_-]?security[_-]?number",
  ].join("|")})$`,
  "i",
);

const HEADER =
  /^(x-openapi-clientid|(proxy-)?authorization|cookie|set-cookie)$|(^|-)(key|token|secret|password|signature)$/;

const CREDENTIAL = /token|secret|pass(?:word|phrase|code)|key|authorization|signature/i;

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
  const namesIn = (wanted: SecretPlace["in"]): string[] =>
    places.flatMap(({ in: place, name, ours }) =>
      place === wanted && (ours === undefined || ours.some((one) => MEMBER.test(one))) ? [name] : [],
    );
  const isHeader = knownNames(HEADER, [...fixed, ...namesIn("header")]);
  const isParameter = knownNames(MEMBER, namesIn("query"));
  return {
    isHeader: (name) => isHeader(name.toLowerCase()),
    isParameter,
    isMember: knownNames(MEMBER, namesIn("body")),
    isCredential: knownNames(CREDENTIAL, namesIn("query")),
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
    const answer = pattern.test(name) || all.has(name.toLowerCase());
    if (answers.size < MOST_KEPT) answers.set(name, answer);
    return answer;
  };
};
