/** Renders how many classes of faults, and how many faults, a run with a budget finds, by the requests that it sends. */
import type { RankedTrial } from "../../helpers/run/trial-order.ts";
import { count } from "../text.ts";

const BUDGETS = [100, 200, 400, 800, 1_500, 2_000, 3_000, 4_000, 5_000, 10_000];
const BAR_WIDTH = 40;

/**
 * Returns text that ends with a line feed.
 * @param order the trials of a run, the most proof for a request first
 * @param totals the numbers of all classes and all faults: some are found only at a greater depth
 */
export const renderCurve = (
  order: readonly RankedTrial[],
  totals: { readonly classes: number; readonly faults: number },
): string => {
  const all = sumOf(order);
  const budgets = [...BUDGETS.filter((budget) => budget < all.requests), all.requests];
  const shareIn = (part: number, total: number): number => Math.floor((100 * part) / Math.max(1, total));
  const rows = budgets.map((budget) => {
    const { classes, faults } = foundWithin(order, budget);
    const share = shareIn(classes, totals.classes);
    const bar = "█".repeat(Math.round((share / 100) * BAR_WIDTH)).padEnd(BAR_WIDTH, "░");
    const shown = [
      count(budget).padStart(8),
      count(classes).padStart(7),
      `${String(share).padStart(4)} %`,
      bar,
    ];
    const single = `${String(shareIn(faults, totals.faults)).padStart(3)} %`;
    return [...shown, count(faults).padStart(6), single].join("  ");
  });
  return `${[`requests  classes   share  ${" ".repeat(BAR_WIDTH)}  faults  share`, ...rows].join("\n")}\n`;
};

/** Returns what the first trials of an order find with a number of requests. */
export const foundWithin = (
  order: readonly RankedTrial[],
  budget: number,
): Pick<RankedTrial, "classes" | "faults"> => {
  let sent = 0;
  const first = order.filter(({ requests }) => {
    sent += requests;
    return sent <= budget;
  });
  return sumOf(first);
};

const sumOf = (order: readonly RankedTrial[]): Pick<RankedTrial, "requests" | "classes" | "faults"> => ({
  requests: order.reduce((sum, { requests }) => sum + requests, 0),
  classes: order.reduce((sum, { classes }) => sum + classes, 0),
  faults: order.reduce((sum, { faults }) => sum + faults, 0),
});
