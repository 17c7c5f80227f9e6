/** Writes HTML such that what comes from outside stays text: only what this template made is taken as markup. */

export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

/** Everything that is put in is escaped, unless it is `Html`; lists are joined, and `false` and `null` are left out. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => {
  let markup = strings[0] ?? "";
  parts.forEach((part, index) => {
    markup += markupOf(part) + (strings[index + 1] ?? "");
  });
  return { markup };
};

/** For text of our own files that is markup, style or script already. */
export const verbatim = (markup: string): Html => ({ markup });

const markupOf = (part: Part): string => {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string") return escaped(part);
  if (typeof part === "number") return String(part);
  return "markup" in part ? part.markup : part.map(markupOf).join("");
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
