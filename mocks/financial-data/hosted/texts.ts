/** The words of the hosted pages: English, Spanish of the United States and French of Canada. */
import type { Language } from "./sessions.ts";
import texts from "./texts.json" with { type: "json" };

export type Texts = Readonly<Record<keyof typeof texts.en, string>>;

export const TEXTS: Readonly<Record<Language, Texts>> = texts;

/** As browsers are told (RFC 5646). */
export const TAGS: Readonly<Record<Language, string>> = { en: "en", es: "es-US", fr: "fr-CA" };
