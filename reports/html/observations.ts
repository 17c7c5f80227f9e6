/** What the target did where the documents are silent. */
import type { Certificate } from "../certificate.ts";
import { html, type Markup } from "../markup.ts";
import { grouped } from "../order.ts";
import { counted } from "../text.ts";
import { section } from "./words.ts";

export const observationsPart = ({ observations }: Certificate): Markup => {
  const intro =
    observations.length === 0
      ? "None."
      : `What the target did in ${counted(observations.length, "place")} that the documents leave open. It is told, and never held against the target.`;
  const services = grouped(observations, ({ service }) => service).map(
    ({ title, items }) => html`<div class="service"><h3>${title}</h3>${items.map(observationView)}</div>`,
  );
  return section("observations", "Observations", html`\n<p class="intro">${intro}</p>\n${services}`);
};

const observationView = ({ subject, gap, observed }: Certificate["observations"][number]): Markup =>
  html`<div class="observation"><h4>${subject}</h4>${gap !== null && html`<p class="gap-words">${gap}</p>`}<ul>${observed.map(
    (one) => html`<li>${one}</li>`,
  )}</ul></div>`;
