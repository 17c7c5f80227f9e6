/** Writes HTML and XML. Escapes values as text; only the result of a template counts as markup. */
import { visible } from "../../helpers/exchange/visible.ts";

export interface Markup {
  readonly markup: string;
}

type TemplateValue = Markup | string | number | false | null | undefined | readonly TemplateValue[];

/** Makes a template that escapes values other than `Markup`, joins lists, and omits `false` and `null`. */
const template = (written: (text: string) => string) => {
  const markupOf = (part: TemplateValue): string => {
    if (part === null || part === undefined || part === false) return "";
    if (typeof part !== "object") return written(String(part));
    return "markup" in part ? part.markup : part.map(markupOf).join("");
  };
  return (strings: TemplateStringsArray, ...parts: readonly TemplateValue[]): Markup => ({
    markup: String.raw({ raw: strings }, ...parts.map(markupOf)),
  });
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  ":": "&#58;",
  "#": "&#35;",
};

/** Signs with a meaning in markup, and signs that start a command for a build server that reads the markup as text. */
const SIGNS = /[&<>"]|(?<=^\s*):(?=:)|#(?=#)/gm;

const escaped = (text: string): string => visible(text).replaceAll(SIGNS, (sign) => ENTITIES[sign] ?? sign);

export const xml = template(escaped);

export const html = template((text) => escaped(text).replaceAll("'", "&#39;"));

/** Marks text from this project as markup, style or script. */
export const verbatim = (markup: string): Markup => ({ markup });
