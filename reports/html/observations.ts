/** What the target did where the documents are silent. */
import type { Certificate } from "../certificate.ts";
import { type Html, html } from "./html.ts";
import { bySection } from "./sections.ts";
import { counted } from "./words.ts";

export const observationsPart = ({ observations }: Certificate): Html =>
  html`<section id="observations" aria-labelledby="observations-title"><h2 id="observations-title">Observations</h2>
<p class="intro">${
    observations.length === 0
      ? "None."
      : `What the target did in ${counted(observations.length, "place")} that the documents leave open. It is told, and never held against the target.`
  }</p>
${bySection(observations, ({ service }) => service).map(
  ({ title, items }) =>
    html`<div class="service"><h3>${title}</h3>${items.map(
      ({ subject, gap, observed }) =>
        html`<div class="observation"><h4>${subject}</h4>${gap !== null && html`<p class="gap-words">${gap}</p>`}<ul>${observed.map(
          (one) => html`<li>${one}</li>`,
        )}</ul></div>`,
    )}</div>`,
)}</section>`;
