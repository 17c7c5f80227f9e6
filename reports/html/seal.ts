/** The seal of a certificate: a rosette whose curve follows from the contracts that were judged by. */
import type { Certificate } from "../certificate.ts";
import { html, type Markup } from "../markup.ts";
import type { Outcome } from "../outcome.ts";

const RADIUS = 62;
const POINTS = 144;
const TURNS = 6;

/** Ornament only: it says nothing that the page does not say in words. */
export const seal = (certificate: Certificate): Markup => {
  const { outcome, contracts, startedAt } = certificate;
  const petals = petalsOf(contracts.map(({ digest }) => digest).join());
  const copies = Array.from({ length: TURNS }, (_, index) => ((360 / petals) * index) / TURNS);
  const words = `ASSAY · ${outcome.toUpperCase()} · ${startedAt.slice(0, 10)} · `;
  return html`<svg class="seal" viewBox="-100 -100 200 200" aria-hidden="true" focusable="false">
<defs><path id="petal" d="${curve(petals)}"/><path id="rim" d="M0 -81.5A81.5 81.5 0 1 1 -.01 -81.5"/></defs>
<circle r="97" class="rim"/><circle r="94.5" class="rim thin"/><circle r="73" class="rim thin"/>
<text class="legend"><textPath href="#rim" textLength="509" lengthAdjust="spacing">${words.repeat(2)}</textPath></text>
<g class="rosette">${copies.map((angle) => html`<use href="#petal" transform="rotate(${angle.toFixed(2)})"/>`)}</g>
<circle r="27" class="heart"/><path class="stroke" d="${STROKES[outcome]}"/></svg>`;
};

const STROKES: Readonly<Record<Outcome, string>> = {
  certified: "M-11 1 -3.5 9 12 -9",
  violations: "M-9 -9 9 9M9 -9 -9 9",
  incomplete: "M-12 0H-11.9M0 0H.1M12 0H12.1",
};

const petalsOf = (digests: string): number =>
  9 + ([...digests].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 6);

const curve = (petals: number): string => {
  const points = Array.from({ length: POINTS }, (_, index) => {
    const angle = (index / POINTS) * 2 * Math.PI;
    const reach = RADIUS * (0.74 + 0.26 * Math.cos(petals * angle));
    return `${(reach * Math.cos(angle)).toFixed(1)} ${(reach * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
};
