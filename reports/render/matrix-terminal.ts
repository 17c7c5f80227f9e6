/** Renders the results of matrix runs for the terminal. */
import { leftOutAtQuickDepth } from "../../helpers/trials/trial-order.ts";
import {
  isProof,
  type Matrix,
  type MatrixRow,
  mutationTotalOf,
  type RowStatus,
  type Score,
  type SubjectKind,
} from "../certificate/matrix.ts";
import { trialOrder } from "../certificate/trial-order.ts";
import { groupByTitle, largestFirst } from "../order.ts";
import { colored, count, counted, inBlocks, paint, type Style, type TerminalOptions } from "../text.ts";

const BAR_WIDTH = 24;
const SHOWN = 20;

/** The subjects that violate a requirement, and those that violate none, in words. */
const SUBJECTS: Readonly<Record<SubjectKind, { readonly wrong: string; readonly right: string }>> = {
  fault: { wrong: "fault", right: "" },
  difference: { wrong: "", right: "difference" },
  combination: { wrong: "", right: "combination" },
  clean: { wrong: "", right: "clean run" },
  caller: { wrong: "wrong caller", right: "right caller" },
  listener: { wrong: "wrong listener", right: "right listener" },
};

/** The rows that are not as they must be, or do not count, by status. */
const LISTED: readonly (readonly [RowStatus, title: string])[] = [
  ["survived", "Survived: nothing failed"],
  ["by-another", "Found only by other requirements"],
  ["unshown", "Not counted: under the provider's document nothing shows what they change"],
  ["convicted", "Convicted"],
  ["not-shown", "No longer shown, without being named by the difference"],
  ["without-effect", "No exchange changed"],
  ["settled", "Not counted, because the document leaves no such choice"],
];

/**
 * Returns text that ends with a line feed.
 * @param sandbox describes the sandbox if it was not the usual one: `without an admin interface`. Then the share of the
 *   faults that are found does not prove anything, and the reasons of the others are shown
 */
export const renderMatrix = (
  matrix: Matrix,
  { color, path }: TerminalOptions,
  sandbox: string | null = null,
): string => {
  const { scores, rows } = matrix;
  const unproved = scores.flatMap((score) => score.unproved ?? []);
  const text = inBlocks([
    ...scores.map(scoreBlock),
    ...(sandbox === null
      ? LISTED.map(([status, title]) =>
          listBlock(title, rows.filter((row) => row.status === status).map(lineOf)),
        )
      : [listBlock("Not found", reasonLines(rows))]),
    listBlock("Passed, but no fault shows that they can fail", unproved),
    unjudgedBlock(rows),
    slowestBlock(rows),
    [...totals(matrix, sandbox), paint("dim", path)],
  ]);
  return colored(`\n${text}`, color);
};

const scoreBlock = (score: Score): string[] => {
  const { kind, service, wrong, found, byName, right, acquitted } = score;
  const name = paint("bold", service);
  const lines: string[] = [];
  if (wrong > 0) {
    const [other, survived] = [found - byName, wrong - found];
    lines.push(
      `${name}  ${counted(wrong, SUBJECTS[kind].wrong)}`,
      `  ${bar(score)}  ${paint("green", `${count(byName)} by name`)}  ${tinted(other, "by another", "yellow")}` +
        `  ${tinted(survived, "survived", "red")}`,
    );
  }
  if (right > 0)
    lines.push(`${name}  ${count(acquitted)} of ${counted(right, SUBJECTS[kind].right)} acquitted`);
  return lines;
};

const bar = ({ wrong, found, byName }: Score): string => {
  const cells = (amount: number): number =>
    amount === 0 ? 0 : Math.max(1, Math.floor((amount / wrong) * BAR_WIDTH));
  const [other, survived] = [cells(found - byName), cells(wrong - found)];
  return (
    paint("green", "█".repeat(BAR_WIDTH - other - survived)) +
    paint("yellow", "▒".repeat(other)) +
    paint("red", "░".repeat(survived))
  );
};

const tinted = (amount: number, label: string, style: Style): string =>
  paint(amount === 0 ? "dim" : style, `${count(amount)} ${label}`);

const lineOf = ({ subject, violates, evidence: [first, ...others] }: MatrixRow): string => {
  if (first === undefined) return subject;
  const more = others.length > 0 ? ` and ${count(others.length)} more` : "";
  const reason = first.reason === "" ? "" : `: ${first.reason.slice(0, 120)}`;
  return `${subject}  ← ${violates === null ? `${first.verdict} ` : ""}${first.requirement}${more}${reason}`;
};

const TRIED = "the requirement was tried, and nothing failed";

const reasonLines = (rows: readonly MatrixRow[]): string[] =>
  groupByTitle(
    rows.filter(({ status }) => status !== "by-name"),
    ({ reason = TRIED }) => reason.replaceAll(/\d+/g, "#"),
  )
    .sort(largestFirst)
    .map(({ title, items }) => `${count(items.length).padStart(5)}  ${title}`);

const listBlock = (title: string, lines: readonly string[]): string[] => {
  if (lines.length === 0) return [];
  const more = lines.length > SHOWN ? [paint("dim", `  and ${count(lines.length - SHOWN)} more`)] : [];
  return [
    `${paint("bold", title)}  ${count(lines.length)}`,
    ...lines.slice(0, SHOWN).map((line) => `  ${line}`),
    ...more,
  ];
};

const unjudgedBlock = (rows: readonly MatrixRow[]): string[] => {
  const [unjudged, trials] = [total(rows, "unjudged"), total(rows, "trials")];
  return unjudged === 0
    ? []
    : [
        `${count(unjudged)} of ${count(trials)} trials not judged, because an answer broke the provider's document`,
      ];
};

const slowestBlock = (rows: readonly MatrixRow[]): string[] => {
  if (rows.length < 100) return [];
  const slowest = [...rows].sort((a, b) => b.seconds - a.seconds).slice(0, 3);
  return [
    paint("bold", "Slowest"),
    ...slowest.map(({ seconds, subject }) =>
      paint("dim", `  ${seconds.toFixed(1).padStart(5)} s  ${subject}`),
    ),
  ];
};

/** Returns a line for the subjects that violate a requirement, and one for those that violate none. */
const totals = (matrix: Matrix, sandbox: string | null): string[] => {
  const { scores, rows, durationMs } = matrix;
  const style: Style = ["bold", isProof(matrix) ? "green" : "red"];
  const { faults, killed, score, scoreByName } = mutationTotalOf(scores);
  const silenced = new Set(rows.flatMap((row) => row.silenced ?? [])).size;
  const time = `in ${(durationMs / 1000).toFixed(0)} s`;
  const lines: string[] = [];
  if (faults > 0 && sandbox !== null) {
    const share = paint("bold", `${scoreByName} % found by name`);
    lines.push(
      `${share} on a sandbox ${sandbox}, ${score} % in all, of ${subjects(scores, "wrong")} ${time}`,
    );
  } else if (faults > 0) {
    const share = paint(style, `${score} % killed`);
    const left = new Map(scores.map(({ service }) => [service, leftOutAtQuickDepth(trialOrder([service]))]));
    const found = rows.filter((row) => isFoundAtQuickDepth(row, left.get(row.service)));
    const quick = Math.floor((100 * found.length) / faults);
    lines.push(
      `${share}  ${count(killed)} of ${subjects(scores, "wrong")}, ${scoreByName} % by the requirement they name, ` +
        `${time}${quick > 0 ? `; quick depth finds ${quick} %` : ""}`,
    );
  }
  const acquitted = subjects(scores, "right");
  if (acquitted !== "") {
    lines.push(
      `${paint(style, `${acquitted} acquitted`)}` +
        `${silenced > 0 ? `; they silenced ${counted(silenced, "requirement")}` : ""}, ${time}`,
    );
  }
  return lines;
};

const isFoundAtQuickDepth = (
  { status, depth, evidence: [first] }: MatrixRow,
  left: ReadonlySet<string> | undefined,
): boolean => status === "by-name" && depth === "quick" && left?.has(first?.trial ?? "") !== true;

/** `4,566 faults`, `1,481 of 1,481 differences and 55 of 56 combinations` */
const subjects = (scores: readonly Score[], name: "wrong" | "right"): string =>
  groupByTitle(scores, ({ kind }) => SUBJECTS[kind][name])
    .flatMap(({ title, items }) => {
      const [all, acquitted] = [name, "acquitted" as const].map((one) =>
        items.reduce((sum, score) => sum + score[one], 0),
      ) as [number, number];
      if (title === "" || all === 0) return [];
      return `${name === "right" ? `${count(acquitted)} of ` : ""}${counted(all, title)}`;
    })
    .join(" and ");

const total = (rows: readonly MatrixRow[], name: "unjudged" | "trials"): number =>
  rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
