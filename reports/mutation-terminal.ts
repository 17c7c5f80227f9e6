/** Renders the results of mutation runs, and of runs on sandboxes without faults, for the terminal. */
import {
  type CleanRun,
  type FaultStatus,
  falseAlarmsOf,
  isProof,
  type MutationMatrix,
  type MutationScore,
  shareAtQuick,
} from "./mutation.ts";
import { grouped, largestFirst } from "./order.ts";
import { count, counted, inBlocks, type Paint, painter, type Style, type TerminalOptions } from "./text.ts";

const BAR_WIDTH = 24;
const SHOWN = 20;

/** Returns text that ends with a line feed. */
export const renderMutation = (matrix: MutationMatrix, { color, path }: TerminalOptions): string => {
  const paint = painter(color);
  const { services, faults, killed, score, scoreByName, durationMs, digest } = matrix;
  const named = (status: FaultStatus): string[] =>
    matrix.matrix
      .filter((one) => one.status === status)
      .map(({ fault, killedBy }) => (killedBy === null ? fault : `${fault}  ← ${killedBy.requirement}`));
  const unproved = services.flatMap((service) => service.unproved);
  return `\n${inBlocks([
    ...services.map((one) => serviceBlock(one, paint)),
    listBlock("Survived: nothing failed", named("survived"), paint),
    listBlock("Killed only by other requirements", named("by-another"), paint),
    listBlock(
      "Not counted: under the provider's document nothing shows what they change",
      named("unshown"),
      paint,
    ),
    listBlock("Passed, but no fault shows that they can fail", unproved, paint),
    slowestBlock(matrix, paint),
    [
      `${paint(["bold", isProof(matrix) ? "green" : "red"], `${score} % killed`)}  ` +
        `${count(killed)} of ${count(faults)} faults, ${scoreByName} % by the requirement they name, ` +
        `in ${(durationMs / 1000).toFixed(0)} s; quick depth finds ${shareAtQuick(matrix)} %`,
      paint("dim", `${digest}\n${path}`),
    ],
  ])}`;
};

/**
 * Renders the share of the faults that are found on another sandbox than the usual one, and why the others are not.
 * @param sandbox for example `without an admin interface`
 * @returns text that ends with a line feed
 */
export const renderShare = (
  { services, matrix, faults, score, scoreByName, durationMs }: MutationMatrix,
  sandbox: string,
  { color, path }: TerminalOptions,
): string => {
  const paint = painter(color);
  const missed = matrix.filter(({ status }) => status !== "by-name");
  const lines = grouped(missed, ({ reason = TRIED }) => reason.replaceAll(/\d+/g, "#"))
    .sort(largestFirst)
    .map(({ title, items }) => `${count(items.length).padStart(5)}  ${title}`);
  return `\n${inBlocks([
    ...services.map((one) => serviceBlock(one, paint)),
    listBlock("Not found", lines, paint),
    [
      `${paint("bold", `${scoreByName} % found by name`)} on a sandbox ${sandbox}, ${score} % in all, ` +
        `of ${count(faults)} faults in ${(durationMs / 1000).toFixed(0)} s`,
      paint("dim", path),
    ],
  ])}`;
};

const TRIED = "the requirement was tried, and nothing failed";

const serviceBlock = ({ service, faults, killed, byName }: MutationScore, paint: Paint): string[] => {
  const [other, survived] = [killed - byName, faults - killed];
  const cells = (amount: number): number =>
    amount === 0 ? 0 : Math.max(1, Math.floor((amount / faults) * BAR_WIDTH));
  const bar =
    paint("green", "█".repeat(BAR_WIDTH - cells(other) - cells(survived))) +
    paint("yellow", "▒".repeat(cells(other))) +
    paint("red", "░".repeat(cells(survived)));
  const tinted = (amount: number, label: string, style: Style): string =>
    paint(amount === 0 ? "dim" : style, `${count(amount)} ${label}`);
  return [
    `${paint("bold", service)}  ${count(faults)} faults`,
    `  ${bar}  ${paint("green", `${count(byName)} by name`)}  ${tinted(other, "by another", "yellow")}` +
      `  ${tinted(survived, "survived", "red")}`,
  ];
};

const listBlock = (title: string, lines: readonly string[], paint: Paint): string[] => {
  if (lines.length === 0) return [];
  const more = lines.length > SHOWN ? [paint("dim", `  and ${count(lines.length - SHOWN)} more`)] : [];
  return [paint("bold", title), ...lines.slice(0, SHOWN).map((line) => `  ${line}`), ...more];
};

const slowestBlock = ({ matrix }: MutationMatrix, paint: Paint): string[] => {
  if (matrix.length < 100) return [];
  const slowest = [...matrix].sort((a, b) => b.seconds - a.seconds).slice(0, 3);
  return [
    paint("bold", "Slowest"),
    ...slowest.map((one) => paint("dim", `  ${one.seconds.toFixed(1).padStart(5)} s  ${one.fault}`)),
  ];
};

/** Returns text that ends with a line feed. */
export const renderClean = (runs: readonly CleanRun[], { color, path }: TerminalOptions): string => {
  const paint = painter(color);
  const names = grouped(runs, ({ variant, depth }) => `${variant ?? "as it is"}, ${depth} depth`);
  const alarms = runs.flatMap((run) => falseAlarmsOf(run).map((alarm) => ({ ...alarm, run })));
  const lines = alarms.slice(0, SHOWN).map(({ run, verdict, requirement, trial, message }) => {
    const variant = run.variant === null ? "" : `, ${run.variant}`;
    return `  ${verdict} ${requirement} (${trial}, seed ${run.seed}${variant}): ${message}`;
  });
  if (alarms.length > SHOWN) lines.push(`  and ${alarms.length - SHOWN} more`);
  return `\n${inBlocks([[...names.map(({ title, items }) => cleanLine(title, items, paint)), ...lines, paint("dim", path)]])}`;
};

const cleanLine = (name: string, runs: readonly CleanRun[], paint: Paint): string => {
  const seeds = new Set(runs.map(({ seed }) => seed)).size;
  const exchanges = count(runs.reduce((sum, run) => sum + run.exchanges, 0));
  const alarms = runs.flatMap(falseAlarmsOf).length;
  const alarmWords = alarms === 0 ? paint("green", "no false alarm") : paint("red", `${alarms} false alarms`);
  return `${paint("bold", name)}  ${counted(seeds, "seed")}, ${exchanges} exchanges, ${alarmWords}`;
};
