/** Writes HTML and XML such that what comes from outside stays text: only what a template made is taken as markup. */

export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | number | false | null | undefined | readonly Part[];

/** Everything that is put in is escaped, unless it is `Markup`; lists are joined, and `false` and `null` left out. */
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

/** Characters that XML 1.0 has no notation for, and halves of a pair that stand alone. */
const UNSPEAKABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be left out.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const html = template((text) => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign));

export const xml = template((text) =>
  text.replaceAll(UNSPEAKABLE, "\ufffd").replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign),
);

/** For text of our own that is markup, style or script already. */
export const verbatim = (markup: string): Markup => ({ markup });
