/** Redacts known secrets in any notation and encoding. */
import { anyNotation, createEncodedSecrets, SHORTEST_ENCODED } from "../encoded-secrets.ts";

/** Shorter secrets are ignored, because they would match ordinary words. */
const SHORTEST = 4;

/** The number and the length of the texts that are remembered: names, messages and credentials, which are repeated. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 200;

export function createKnownSecrets() {
  const encoded = createEncodedSecrets();
  const nameByValue = new Map<string, string>();
  /** The patterns of short secrets, which only count in their own letter case. */
  const short = new Map<string, RegExp>();
  /** Texts, redacted by the secrets that are known so far. */
  const remembered = new Map<string, string>();

  const redact = (given: string): string => {
    let text = encoded.redact(given);
    for (const [value, pattern] of short) text = text.replaceAll(pattern, `‹${nameByValue.get(value)}›`);
    return text;
  };

  return {
    learn(value: string, name: string): void {
      if (value.length < SHORTEST || nameByValue.has(value)) return;
      remembered.clear();
      nameByValue.set(value, name);
      if (value.length < SHORTEST_ENCODED) short.set(value, anyNotation(value));
      else encoded.learn(value, name);
    },
    knows: (name: string): boolean => [...nameByValue.values()].includes(name),
    /** Replaces each known secret with `‹NAME›`. */
    redact(given: string): string {
      const known = remembered.get(given);
      if (known !== undefined) return known;
      const text = redact(given);
      if (given.length > LONGEST_REMEMBERED) return text;
      if (remembered.size === MOST_REMEMBERED) remembered.clear();
      remembered.set(given, text);
      return text;
    },
  };
}
