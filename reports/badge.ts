/** Renders a certificate as a badge: the outcome, and how much of what was tried passed. */
import type { Certificate } from "./certificate.ts";
import type { Outcome } from "./outcome.ts";
import { acceptedWords } from "./standing.ts";

const COLORS: Readonly<Record<Outcome, string>> = {
  certified: "#2a6b3c",
  violations: "#a3271f",
  incomplete: "#7a5600",
};

/** Estimate of Verdana at 11 pixels; `textLength` makes the text fit whatever font there is. */
const CHARACTER_WIDTH = 6.8;
const PADDING = 6;
const HEIGHT = 20;

/** A standalone SVG document. */
export const renderBadge = (certificate: Certificate): string => {
  const { target, outcome, summary, startedAt } = certificate;
  const tried = summary.passed + summary.failed + summary.advisory;
  const accepted = acceptedWords(certificate);
  const label = part("assay", 0, "#3d4148");
  const words = `${outcome} ${summary.passed}/${tried}${accepted && ` (${accepted})`}`;
  const value = part(words, label.width, COLORS[outcome]);
  const title =
    `${target.name}: ${outcome}${accepted && `, ${accepted}`}, ` +
    `${summary.passed} of ${tried} tried requirements passed on ${startedAt.slice(0, 10)}`;
  const width = label.width + value.width;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-labelledby="title">`,
    `  <title id="title">${escaped(title)}</title>`,
    label.svg,
    value.svg,
    "</svg>\n",
  ].join("\n");
};

const part = (words: string, x: number, color: string): { readonly svg: string; readonly width: number } => {
  const length = Math.round(words.length * CHARACTER_WIDTH);
  const width = length + 2 * PADDING;
  const font = 'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" fill="#fff"';
  const svg = [
    `  <rect x="${x}" width="${width}" height="${HEIGHT}" fill="${color}"/>`,
    `  <text x="${x + PADDING}" y="14" textLength="${length}" ${font}>${escaped(words)}</text>`,
  ].join("\n");
  return { svg, width };
};

/** For text and attributes; XML has no notation for other control characters than these three. */
const escaped = (raw: string): string =>
  raw
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be left out.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
