/** Renders what a mutation run found, for people. */
import { styleText } from "node:util";
import { type Fate, type HuntedFault, isProof, type MutationMatrix, type MutationScore } from "./mutation.ts";

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

export interface MutationSummaryOptions {
  readonly color: boolean;
  /** Where the matrix is. */
  readonly path: string;
}

const BAR_WIDTH = 24;
const SHOWN = 20;

/** Ends with a line feed. */
export const renderMutation = (matrix: MutationMatrix, { color, path }: MutationSummaryOptions): string => {
  const paint: Paint = color
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
  const { services, faults, killed, score, scoreByName, durationMs, digest } = matrix;
  const blocks = [
    ...services.map((one) => serviceBlock(one, paint)),
    faultBlock(matrix, "survived", "Survived: nothing failed", paint),
    faultBlock(matrix, "by-another", "Killed by another requirement than they name", paint),
    unprovedBlock(services, paint),
    slowestBlock(matrix.matrix, paint),
    [
      `${paint(["bold", isProof(matrix) ? "green" : "red"], `${score} % killed`)}  ` +
        `${whole(killed)} of ${whole(faults)} faults, ${scoreByName} % by the requirement they name, in ${seconds(durationMs)}`,
      paint("dim", `${digest}\n${path}`),
    ],
  ].filter((lines) => lines.length > 0);
  return `\n${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
};

const serviceBlock = ({ service, faults, killed, byName }: MutationScore, paint: Paint): string[] => {
  const other = killed - byName;
  const survived = faults - killed;
  const cells = (count: number): number =>
    count === 0 ? 0 : Math.max(1, Math.floor((count / faults) * BAR_WIDTH));
  const rest = cells(other) + cells(survived);
  return [
    `${paint("bold", service)}  ${whole(faults)} faults`,
    `  ${paint("green", "█".repeat(BAR_WIDTH - rest))}${paint("yellow", "▒".repeat(cells(other)))}${paint("red", "░".repeat(cells(survived)))}` +
      `  ${paint("green", `${whole(byName)} by name`)}  ${tinted(other, "by another", "yellow", paint)}` +
      `  ${tinted(survived, "survived", "red", paint)}`,
  ];
};

const tinted = (count: number, label: string, style: Style, paint: Paint): string =>
  paint(count === 0 ? "dim" : style, `${whole(count)} ${label}`);

const faultBlock = ({ matrix }: MutationMatrix, fate: Fate, title: string, paint: Paint): string[] => {
  const faults = matrix.filter((fault) => fault.fate === fate);
  return listBlock(
    title,
    faults.map(({ fault, killer }) => (killer === null ? fault : `${fault}  ← ${killer.requirement}`)),
    paint,
  );
};

const unprovedBlock = (services: readonly MutationScore[], paint: Paint): string[] =>
  listBlock(
    "Pass, though no fault shows that they can fail",
    services.flatMap(({ unproved }) => unproved),
    paint,
  );

const listBlock = (title: string, lines: readonly string[], paint: Paint): string[] => {
  if (lines.length === 0) return [];
  const more = lines.length > SHOWN ? [paint("dim", `  and ${whole(lines.length - SHOWN)} more`)] : [];
  return [paint("bold", title), ...lines.slice(0, SHOWN).map((line) => `  ${line}`), ...more];
};

const slowestBlock = (faults: readonly HuntedFault[], paint: Paint): string[] => {
  if (faults.length < 100) return [];
  const slowest = [...faults].sort((a, b) => b.seconds - a.seconds).slice(0, 3);
  return [
    paint("bold", "Slowest"),
    ...slowest.map((one) => paint("dim", `  ${one.seconds.toFixed(1).padStart(5)} s  ${one.fault}`)),
  ];
};

const whole = (count: number): string => count.toLocaleString("en-US");
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(0)} s`;
