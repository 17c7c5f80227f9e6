/** The words and signs that every part of the page shares. */
import type { Verdict } from "../../helpers/trials/ledger.ts";
import { html, type Markup, verbatim } from "../markup.ts";
import type { Outcome } from "../outcome.ts";

export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  certified: "Certified",
  violations: "Violations found",
  incomplete: "Incomplete",
};

/** The signs of the verdicts, drawn once for all that use them. */
export const signs = verbatim(`<svg class="unseen" aria-hidden="true" focusable="false"><defs>
<symbol id="sign-passed" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7"/><path d="M4.6 8.3 7 10.7l4.4-5"/></symbol>
<symbol id="sign-failed" viewBox="0 0 16 16"><path class="fill" d="M4.9.9h6.2l4 4v6.2l-4 4H4.9l-4-4V4.9z"/><path class="on" d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2"/></symbol>
<symbol id="sign-advisory" viewBox="0 0 16 16"><path d="M8 1.6 15 14H1z"/><path d="M8 6.2v3.6m0 1.9v.1"/></symbol>
<symbol id="sign-blocked" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7"/><path d="m3.2 12.8 9.6-9.6"/></symbol>
<symbol id="sign-not-tried" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" stroke-dasharray="2.2 2.2"/></symbol>
</defs></svg>`);

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
