/** Renders how many faults a run with a budget finds, by the requests that it sends. */
import type { RankedTrial } from "../../helpers/run/trial-order.ts";
import { count } from "../text.ts";

const BUDGETS = [100, 200, 400, 800, 1_500, 2_000, 3_000, 4_000, 5_000, 10_000];
const BAR_WIDTH = 40;

/**
 * Returns text that ends with a line feed.
 * @param order the trials of a run, the most faults for a request first
 * @param total the number of all faults: some are found only at a greater depth
 */
export const renderCurve = (order: readonly RankedTrial[], total: number): string => {
  const all = sumOf(order);
  const budgets = [...BUDGETS.filter((budget) => budget < all.requests), all.requests];
  const rows = budgets.map((budget) => {
    const { faults } = sumOf(within(order, budget));
    const share = Math.floor((100 * faults) / Math.max(1, total));
    const bar = "█".repeat(Math.round((share / 100) * BAR_WIDTH)).padEnd(BAR_WIDTH, "░");
    return `${count(budget).padStart(8)}  ${count(faults).padStart(6)}  ${String(share).padStart(3)} %  ${bar}`;
  });
  return `${["requests  faults  share", ...rows].join("\n")}\n`;
};

const within = (order: readonly RankedTrial[], budget: number): RankedTrial[] => {
  let sent = 0;
  return order.filter(({ requests }) => {
    sent += requests;
    return sent <= budget;
  });
};

const sumOf = (order: readonly RankedTrial[]): { readonly requests: number; readonly faults: number } => ({
  requests: order.reduce((sum, { requests }) => sum + requests, 0),
  faults: order.reduce((sum, { faults }) => sum + faults, 0),
});
