/** The words and signs that the parts of the page share. */
import type { Verdict } from "../../../helpers/trials/ledger.ts";
import type { Certificate } from "../../certificate/certificate.ts";
import type { Outcome } from "../../certificate/outcome.ts";
import { counted } from "../../text.ts";
import { html, type Markup } from "../markup.ts";

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  certified: "Certified",
  violations: "Violations found",
  incomplete: "Incomplete",
};

/** `Certified, partial` */
export const outcomeWords = ({ outcome, partial }: Pick<Certificate, "outcome" | "partial">): string =>
  `${OUTCOMES[outcome]}${partial ? ", partial" : ""}`;

/** Renders the sign of a verdict. It is hidden from screen readers, because a word next to it says the same. */
export const sign = (verdict: Verdict): Markup =>
  html`<svg class="sign ${verdict}" viewBox="0 0 16 16" aria-hidden="true"><use href="#sign-${verdict}"/></svg>`;

export const hidden = (text: string): Markup => html`<span class="unseen">${text}</span>`;

export const tag = (text: string): Markup => html` <span class="tag">${text}</span>`;

export const linkToRequirement = (id: string, name?: string): Markup =>
  html`<a class="id" href="#requirement-${encodeURIComponent(id)}">${name ?? breakable(id)}</a>`;

/** Allows line breaks after the separators of a long name. */
export const breakable = (text: string): Markup =>
  html`${text.split(/(?<=[./_&?=])/).map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;

/** Renders a section of the page with a heading. */
export const section = (id: string, title: string, body: Markup): Markup =>
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body}</section>`;

/**
 * Renders the first items of a list, and folds the others, if they are many.
 * @param noun in singular and plural
 * @param list renders a part of the items
 */
export const foldedRest = (
  items: readonly Markup[],
  most: number,
  [one, several]: readonly [string, string],
  list: (items: readonly Markup[]) => Markup,
): Markup =>
  items.length <= most + FEW
    ? list(items)
    : html`${list(items.slice(0, most))}<details class="rest"><summary>${counted(items.length - most, `more ${one}`, `more ${several}`)}</summary>${list(items.slice(most))}</details>`;

/** So few items are shorter than a line that folds them. */
const FEW = 2;

/** Renders a part with a heading that is folded if it is long. */
export const foldable = (
  heading: Markup,
  amount: string,
  isLong: boolean,
  body: Markup | readonly Markup[],
): Markup =>
  html`<details class="fold" ${!isLong && "open"}><summary>${heading} <span class="amount">${amount}</span></summary>${body}</details>`;

/** Returns the first of several sections; the page lists a requirement there. */
export const firstOf = (sections: string): string => sections.split("; ")[0] ?? "";
