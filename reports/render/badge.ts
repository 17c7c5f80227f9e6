/** Renders a certificate as a badge: the outcome, and how many of the requirements were tried. */
import type { Certificate } from "../certificate/certificate.ts";
import type { Outcome } from "../certificate/outcome.ts";
import { count } from "../text.ts";
import { type Markup, xml } from "./markup.ts";
import { reportOf } from "./report.ts";

const COLORS: Readonly<Record<Outcome, string>> = {
  certified: "#2a6b3c",
  violations: "#a3271f",
  incomplete: "#7a5600",
};

/** Estimated for Verdana at 11 pixels; `textLength` makes the text fit in any font. */
const CHARACTER_WIDTH = 6.8;
const PADDING = 6;

/** Returns a standalone SVG document. */
export const renderBadge = (certificate: Certificate): string => {
  const { outcome, summary, startedAt } = certificate;
  const { subject, accepted, coverage } = reportOf(certificate, 0);
  const partial = certificate.partial ? "partial, " : "";
  const words =
    `${outcome}${summary.failed > 0 ? `, ${count(summary.failed)} failed` : ""}${accepted && ` (${accepted})`}, ` +
    `${partial}${coverage}`;
  const label = part("assay", 0, "#3d4148");
  const value = part(words, label.width, COLORS[outcome]);
  const title =
    `${subject}: ${outcome}${accepted && `, ${accepted}`}, ` +
    `${partial}${coverage}, ${count(summary.failed)} failed on ${startedAt.slice(0, 10)}`;
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${label.width + value.width}" height="20" role="img" aria-labelledby="title">
  <title id="title">${title}</title>${label.svg}${value.svg}
</svg>
`.markup;
};

const part = (words: string, x: number, color: string): { readonly svg: Markup; readonly width: number } => {
  const length = Math.round(words.length * CHARACTER_WIDTH);
  const width = length + 2 * PADDING;
  const svg = xml`
  <rect x="${x}" width="${width}" height="20" fill="${color}"/>
  <text x="${x + PADDING}" y="14" textLength="${length}" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" fill="#fff">${words}</text>`;
  return { svg, width };
};
