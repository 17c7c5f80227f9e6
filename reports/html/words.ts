/** The words and signs that every part of the page shares. */
import type { Verdict } from "../../helpers/trials/ledger.ts";
import { html, type Markup } from "../markup.ts";
import type { Outcome } from "../outcome.ts";

export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  certified: "Certified",
  violations: "Violations found",
  incomplete: "Incomplete",
};

/** A sign beside a word that says the same; on its own it says nothing to a screen reader. */
export const sign = (verdict: Verdict): Markup =>
  html`<svg class="sign ${verdict}" viewBox="0 0 16 16" aria-hidden="true"><use href="#sign-${verdict}"/></svg>`;

export const hidden = (text: string): Markup => html`<span class="unseen">${text}</span>`;

export const tag = (text: string): Markup => html` <span class="tag">${text}</span>`;

export const linkToRequirement = (id: string): Markup =>
  html`<a class="id" href="#requirement-${encodeURIComponent(id)}">${breakable(id)}</a>`;

/** Lets long names break where a reader would break them. */
export const breakable = (text: string): Markup =>
  html`${text.split(/(?<=[./_&?=])/).map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;

/** A part of the page that the contents lead to. */
export const section = (id: string, title: string, body: Markup): Markup =>
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body}</section>`;

/** What several sections of a document speak about stands in the first of them. */
export const firstOf = (sections: string): string => sections.split("; ")[0] ?? "";
