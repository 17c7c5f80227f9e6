/** Writes HTML and XML. Escapes values as text; only the result of a template counts as markup. */
import { visible } from "../helpers/exchange/visible.ts";

export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | number | false | null | undefined | readonly Part[];

/** Makes a template that escapes values other than `Markup`, joins lists, and omits `false` and `null`. */
const template = (escaped: (text: string) => string) => {
  const markupOf = (part: Part): string => {
    if (part === null || part === undefined || part === false) return "";
    if (typeof part !== "object") return escaped(String(part));
    return "markup" in part ? part.markup : part.map(markupOf).join("");
  };
  return (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
    markup: String.raw({ raw: strings }, ...parts.map(markupOf)),
  });
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const html = template((text) =>
  visible(text).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign),
);

export const xml = template((text) => visible(text).replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign));

/** Marks text from this project as markup, style or script. */
export const verbatim = (markup: string): Markup => ({ markup });
