/** Formats text for all renderings: amounts, long texts, blocks of lines, colours. */
import { styleText } from "node:util";
import type { Acceptance } from "../helpers/accept/acceptance.ts";
import { ours, withoutOurs } from "./print.ts";

/** `1,234` */
export const count = (value: number): string => value.toLocaleString("en-US");

/** `1 finding`, `1,234 findings`, `2 businesses`, `2 entries` */
export const counted = (value: number, one: string, several = pluralOf(one)): string =>
  `${count(value)} ${value === 1 ? one : several}`;

/** Returns the regular plural of a noun, which may be the name of a resource in a contract. */
const pluralOf = (noun: string): string => {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
};

/** `48 %`: rounded, but 0 % only of nothing and 100 % only of everything. */
export const percent = (part: number, all: number): string => {
  if (part === 0 || part === all) return part === 0 ? "0 %" : "100 %";
  return `${Math.min(99, Math.max(1, Math.round((100 * part) / all)))} %`;
};

/** `provider 1.42.0, contract 1.35.0`: the version that was certified. */
export const certifiedVersion = ({
  version,
  provider,
}: {
  readonly version: string;
  readonly provider: { readonly version: string } | null;
}): string => (provider === null ? version : `provider ${provider.version}, contract ${version}`);

/** Cuts a text to `most` characters and adds an ellipsis. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

/** Returns the reason of a verdict as a sentence of its own. */
export const asSentence = (reason: string): string =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}`;

/** `not-tried` -> `not tried` */
export const spaced = (name: string): string => name.replaceAll("-", " ");

/** `by Anna Moreau until 2026-12-31: fixed in the next release` */
export const acceptedBy = ({ owner, expires, reason }: Omit<Acceptance, "fingerprint">): string =>
  `by ${owner} until ${expires}: ${reason}`;

export interface TerminalOptions {
  readonly color: boolean;
  /** Path of the complete result. */
  readonly path: string;
}

export type Style = Parameters<typeof styleText>[0];

/** Gives a text a colour or weight, which `colored` may remove. */
export const paint = (style: Style, text: string): string => {
  const [on = "", off = ""] = styleText(style, BETWEEN, { validateStream: false }).split(BETWEEN);
  return `${ours(on)}${text}${ours(off)}`;
};

const BETWEEN = "|";

/** Returns a text with its colours, or without them. */
export const colored = (text: string, color: boolean): string => (color ? text : withoutOurs(text));

/** Joins blocks of lines with empty lines, and omits empty blocks. The text ends with a line feed. */
export const inBlocks = (blocks: readonly (readonly string[])[]): string =>
  `${blocks
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;

/** Adds up what is counted in several places: `3 reports, 1 customer`. */
export const countedTogether = (rows: readonly (readonly [amount: number, what: string])[]): string => {
  const amounts = new Map<string, number>();
  for (const [amount, what] of rows) amounts.set(what, (amounts.get(what) ?? 0) + amount);
  return [...amounts].map(([what, amount]) => counted(amount, what)).join(", ");
};
