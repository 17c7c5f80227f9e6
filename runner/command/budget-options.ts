/** Options of certify that limit a run: its requests and its time. */
import { type Command, InvalidArgumentError } from "commander";
import type { Budget } from "../../helpers/trials/run-info.ts";
import { sharesOf } from "../../helpers/trials/trial-order.ts";
import type { PlannedRun } from "../planned-run.ts";
import { parseWhole } from "./options.ts";

export interface BudgetFlags {
  readonly maxRequests?: number;
  /** In seconds. */
  readonly maxTime?: number;
}

export const addBudgetOptions = (command: Command): Command =>
  command
    .option("--max-requests <n>", "send at most so many requests", parseWhole(1, 100_000_000))
    .option(
      "--max-time <duration>",
      "send nothing after this time, for example 10m, 90s or 2h",
      parseDuration,
    );

export const BUDGET_HELP = `
With --max-requests or --max-time, the trials that find most faults of the sandbox for their requests come first, at quick
depth if --depth is not given. The certificate is partial: it says which trials the budget left out, and which share of
the faults only they find. The removal of created resources at the end of the run comes on top of the budget.`;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

const parseDuration = (text: string): number => {
  const [, amount = "", unit = ""] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(amount) * (UNITS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError("Write it as 90s, 10m or 2h.");
};

/** Returns the plan with the limits of the flags, or the same plan if there are none. */
export const withBudget = (plan: PlannedRun, { maxRequests, maxTime }: BudgetFlags): PlannedRun => {
  if (maxRequests === undefined && maxTime === undefined) return plan;
  const { info, target } = plan;
  const budget: Budget = {
    ...(maxRequests !== undefined && { requests: maxRequests }),
    ...(maxTime !== undefined && { seconds: maxTime }),
  };
  const requests = expectedRequests(budget, target.permissions.requestsPerSecond);
  const permissions = {
    ...target.permissions,
    budget: {
      ...(maxRequests !== undefined && { requests: maxRequests }),
      ...(requests !== undefined && { shares: sharesOf(requests, info.services, plan.order) }),
      ...(maxTime !== undefined && { until: Date.parse(info.startedAt) + maxTime * 1000 }),
    },
  };
  return { ...plan, info: { ...info, budget }, target: { ...target, permissions } };
};

/** Returns how many requests the budget allows, by number or by time; `undefined` if that is not known. */
const expectedRequests = (
  { requests, seconds }: Budget,
  perSecond: number | undefined,
): number | undefined => {
  const inTime =
    seconds !== undefined && perSecond !== undefined ? Math.floor(seconds * perSecond) : undefined;
  if (requests === undefined || inTime === undefined) return requests ?? inTime;
  return Math.min(requests, inTime);
};
