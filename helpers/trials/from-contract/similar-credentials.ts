/** Similar credentials: values that differ from a right one in one thing. */

export const CREDENTIAL_SLIPS: readonly {
  /** For example `in another letter case`. */
  readonly what: string;
  /** Returns a similar value; `undefined` if the value stays, or may stay the same for a server. */
  readonly change: (value: string) => string | undefined;
  /** Whether a server about which only its OpenAPI document is known may take it for the same value. */
  readonly mayBeSame?: true;
}[] = [
  {
    what: "in another letter case",
    change: (value) => different(value, inOtherCase(value)),
    mayBeSame: true,
  },
  { what: "without its last characters", change: (value) => different(value, value.slice(0, -4)) },
  { what: "with more characters at its end", change: (value) => `${value}0000`, mayBeSame: true },
  { what: "without its first characters", change: (value) => different(value, value.slice(4)) },
  { what: "with more characters at its beginning", change: (value) => `0000${value}` },
  {
    what: "with another character in its middle",
    change: (value) => different(value, withOtherMiddle(value)),
  },
];

/** A value that HTTP would strip of its blanks in a header, but not in a body. */
export const BLANKS: (typeof CREDENTIAL_SLIPS)[number] = {
  what: "with a blank at its end",
  change: (value) => `${value} `,
};

/**
 * Returns similar values of a credential in a header, after the name of its scheme if it has one (RFC 6750).
 * @param slips the differences to make
 */
export const similarTo = (
  credential: string,
  slips: typeof CREDENTIAL_SLIPS = CREDENTIAL_SLIPS,
): { readonly what: string; readonly value: string }[] => {
  const [, scheme = "", key = ""] = /^(\w+ )?(.*)$/s.exec(credential) ?? [];
  // A part of a shorter key is hardly similar to it, and another password may lock an account.
  if (key.length < SHORTEST || /^basic /i.test(scheme)) return [];
  return slips.flatMap(({ what, change }) => {
    const changed = change(key);
    return changed === undefined ? [] : [{ what, value: scheme + changed }];
  });
};

const SHORTEST = 6;

const different = (value: string, changed: string): string | undefined =>
  changed === value || changed === "" ? undefined : changed;

/** Hexadecimal digits mean the same in either case. */
const inOtherCase = (value: string): string => {
  if (/^[0-9a-f-]*$/i.test(value)) return value;
  return [...value]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join("");
};

const withOtherMiddle = (value: string): string => {
  const middle = Math.floor(value.length / 2);
  const other = value[middle] === "a" ? "b" : "a";
  return `${value.slice(0, middle)}${other}${value.slice(middle + 1)}`;
};
