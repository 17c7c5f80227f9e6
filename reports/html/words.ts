/** The words and signs that every part of the page shares. */
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement } from "../certificate.ts";
import type { Outcome } from "../outcome.ts";
import { type Html, html } from "./html.ts";

/** In the order in which verdicts are told. */
export const VERDICTS: readonly {
  readonly verdict: Verdict;
  readonly label: string;
  readonly says: string;
}[] = [
  {
    verdict: "passed",
    label: "passed",
    says: "Tried, and kept. A refusal counts only next to the same request without the fault, which was accepted.",
  },
  { verdict: "failed", label: "failed", says: "Violated. Each finding shows the request that shows it." },
  {
    verdict: "advisory",
    label: "advisory",
    says: "Deviates from what the documents leave open and the suite assumes. Never a failure.",
  },
  {
    verdict: "blocked",
    label: "blocked",
    says: "Should have been tried and could not be. A run with any of these is incomplete.",
  },
  { verdict: "not-tried", label: "not tried", says: "Not judged, with the reason." },
];

export const labelOf = (verdict: Verdict): string =>
  VERDICTS.find((row) => row.verdict === verdict)?.label ?? verdict;

export const OUTCOMES: Readonly<Record<Outcome, { readonly title: string; readonly sign: Verdict }>> = {
  certified: { title: "Certified", sign: "passed" },
  violations: { title: "Violations found", sign: "failed" },
  incomplete: { title: "Incomplete", sign: "blocked" },
};

/** A sign beside a word that says the same; on its own it says nothing to a screen reader. */
export const sign = (verdict: Verdict): Html =>
  html`<svg class="sign ${verdict}" viewBox="0 0 16 16" aria-hidden="true"><use href="#sign-${verdict}"/></svg>`;

export const hidden = (text: string): Html => html`<span class="unseen">${text}</span>`;

export const count = (value: number): string => value.toLocaleString("en-US");

/** `1 finding`, `2 findings`. */
export const counted = (value: number, one: string, several = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : several}`;

export const withVerdict = (certificate: Certificate, verdict: Verdict): CertifiedRequirement[] =>
  certificate.requirements.filter((requirement) => requirement.verdict === verdict);

export const linkToRequirement = (id: string): Html =>
  html`<a class="id" href="#requirement-${encodeURIComponent(id)}">${breakable(id)}</a>`;

/** Lets long names break where a reader would break them. */
export const breakable = (text: string): Html =>
  html`${text.split(/(?<=[./_&?=])/).map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;
