/** Makes texts of others harmless: what they contain is shown as text, and nothing that reads it obeys. */

/**
 * Control characters except line feed and tab, and characters that reorder or hide text: soft hyphen, Arabic letter
 * mark, zero-width and bidirectional marks, line separators, byte order mark, interlinear marks and tags.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\udb40][\udc00-\udc7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** `\u001b` */
const escaped = (hidden: string): string =>
  [...Array(hidden.length).keys()]
    .map((at) => `\\u${hidden.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");

/**
 * The commands that build servers look for in a log: at the start of a line after spaces (`::error::`), or anywhere
 * (`##[error]`, `##vso[`, `##teamcity[`).
 */
const COMMAND = /^(\s*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))/gm;

/** Returns the text with visible escapes in place of hidden characters. JSON with such escapes has the same meaning. */
export const visible = (text: string): string => text.replaceAll(HIDDEN, escaped);

/** The same for a log that a build server reads: a space divides the start of its commands. */
export const loggable = (text: string): string =>
  visible(text).replaceAll(COMMAND, (sign, before: string | undefined) =>
    before === undefined ? "# " : `${sign} `,
  );

/** Returns JSON of a value in which nothing is hidden, and which no build server obeys. It has the same meaning. */
export const jsonText = (value: unknown, indent?: number): string =>
  visible(JSON.stringify(value, null, indent)).replaceAll(/#(?=#)/g, "\\u0023");

/** Returns a value whose texts, names included, are changed. */
export const mapTexts = <Value>(value: Value, change: (text: string) => string): Value => {
  if (typeof value === "string") return change(value) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [change(name), mapTexts(child as unknown, change)]),
  ) as Value;
};
