/** Renders the results of innocence runs for the terminal. */
import {
  type DifferenceRun,
  type DifferenceStatus,
  type InnocenceMatrix,
  type InnocenceScore,
  isInnocent,
} from "./innocence.ts";
import { count, inBlocks, type Paint, painter, type TerminalOptions } from "./text.ts";

const SHOWN = 20;

/** Returns text that ends with a line feed. */
export const renderInnocence = (matrix: InnocenceMatrix, { color, path }: TerminalOptions): string => {
  const paint = painter(color);
  const { differences, acquitted, combinations, combinationsAcquitted, durationMs, digest } = matrix;
  const runs = (status: DifferenceStatus): DifferenceRun[] =>
    matrix.matrix.filter((run) => run.status === status);
  const silenced = new Set(matrix.matrix.flatMap((run) => run.silenced)).size;
  const together =
    combinations === 0 ? "" : `, ${count(combinationsAcquitted)} of ${count(combinations)} combinations`;
  return `\n${inBlocks([
    matrix.services.map((service) => serviceLine(service, paint)),
    block(
      "Convicted",
      runs("convicted").flatMap((run) =>
        run.convictions.slice(0, 1).map((one) => line(run, one, run.convictions)),
      ),
      paint,
    ),
    block(
      "No longer shown, without being named by the difference",
      runs("not-shown").flatMap((run) => run.lost.slice(0, 1).map((one) => line(run, one, run.lost))),
      paint,
    ),
    block(
      "No exchange changed",
      runs("without-effect").map(({ difference }) => difference),
      paint,
    ),
    block(
      "Not counted, because the document leaves no such choice",
      runs("settled").map(({ difference }) => difference),
      paint,
    ),
    unjudgedLines(matrix.matrix),
    [
      `${paint(["bold", isInnocent(matrix) ? "green" : "red"], `${count(acquitted)} of ${count(differences)} differences acquitted`)}` +
        `${together}; they silenced ${count(silenced)} requirements, in ${(durationMs / 1000).toFixed(0)} s`,
      paint("dim", `${digest}\n${path}`),
    ],
  ])}`;
};

const unjudgedLines = (runs: readonly DifferenceRun[]): string[] => {
  const [unjudged, trials] = [total(runs, "unjudged"), total(runs, "trials")];
  return unjudged === 0
    ? []
    : [
        `${count(unjudged)} of ${count(trials)} trials not judged, because an answer broke the provider's document`,
      ];
};

const total = (runs: readonly DifferenceRun[], name: "unjudged" | "trials"): number =>
  runs.reduce((sum, run) => sum + run[name], 0);

const serviceLine = (
  { service, differences, acquitted, combinations }: InnocenceScore,
  paint: Paint,
): string =>
  `${paint("bold", service)}  ${count(acquitted)} of ${count(differences)} differences acquitted, ${count(combinations)} combinations`;

const line = (
  { difference }: DifferenceRun,
  { requirement, verdict, reason }: DifferenceRun["lost"][number],
  all: readonly unknown[],
): string => {
  const more = all.length > 1 ? ` and ${count(all.length - 1)} more` : "";
  return `${difference}  ← ${verdict} ${requirement}${more}: ${reason.slice(0, 120)}`;
};

const block = (title: string, lines: readonly string[], paint: Paint): string[] => {
  if (lines.length === 0) return [];
  const more = lines.length > SHOWN ? [paint("dim", `  and ${count(lines.length - SHOWN)} more`)] : [];
  return [
    `${paint("bold", title)}  ${count(lines.length)}`,
    ...lines.slice(0, SHOWN).map((one) => `  ${one}`),
    ...more,
  ];
};
