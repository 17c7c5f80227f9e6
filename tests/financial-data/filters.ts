/** Filters and pages of lists, tried with values that the target itself shows. */
import { itemsIn, operationOf, parameterOf, type Resources } from "../../fixtures/financial-data-calls.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";
import { valuesIn } from "./asking.ts";
import { conclude, tryParameter } from "./conclude.ts";
import { id } from "./trial.ts";

export interface Filter {
  /** Of the parameter, letter case and separators aside. */
  readonly name: string;
  /** One that an item of the list shows; made from the contract if absent, and then but accepted. */
  readonly value?: string;
  /** What else the value lets through is not documented: a moment may stand for its day, or for all since. */
  readonly isRange?: boolean;
}

/** The parameter is accepted, and what does not have the value is not in the list. */
export const judgeFilter = async (
  context: TrialContext,
  requirement: string,
  operationId: string,
  resources: Resources,
  { name, value, isRange }: Filter,
): Promise<void> => {
  const shown = await tryParameter(context, requirement, resources, {
    operationId,
    name,
    ...(value !== undefined && { value, certain: isDocumented(context, operationId, name) }),
  });
  if (shown === undefined || value === undefined || isRange === true) return;
  const items = itemsIn(context, shown.probe);
  const others = items.filter((item) => !showsValue(item, value)).length;
  conclude(
    context,
    requirement,
    {
      holds: others === 0 && items.length > 0,
      certain: context.capabilities.has("new-implementation") || isDocumented(context, operationId, name),
      finding: {
        message:
          items.length === 0 ? `${name} finds not even what has its value` : `${name} filters nothing out`,
        expected: `only items with ${value}`,
        actual: `${items.length} items, ${others} of them without it`,
      },
    },
    [shown.probe, shown.twin],
  );
};

const isDocumented = (context: TrialContext, operationId: string, name: string): boolean => {
  const level = parameterOf(operationOf(context, operationId), name)?.level;
  return level === "documented" || level === "provider";
};

const showsValue = (item: unknown, value: string): boolean =>
  valuesIn(item).some((shown) => shown.toLowerCase() === value.toLowerCase());

/** Pages are compared with each other alone: where they begin is not documented. */
export const judgePages = async (
  context: TrialContext,
  requirement: string,
  operationId: string,
  resources: Resources,
): Promise<void> => {
  const { paging } = operationOf(context, operationId);
  if (paging === undefined) {
    context.judge.notTried(
      id(requirement),
      `${operationId} has no parameters for pages in the document given`,
    );
    return;
  }
  const from = paging.start ?? paging.page ?? "";
  const trying = { operationId, certain: isDocumented(context, operationId, from) };
  const limited = await tryParameter(context, requirement, resources, {
    ...trying,
    name: paging.limit,
    value: 1,
  });
  if (limited === undefined) return;
  const pages = [];
  for (const value of [paging.first, paging.first + 1]) {
    const base = { parameters: { [paging.limit]: 1 } };
    const page = await tryParameter(context, requirement, resources, { ...trying, name: from, value, base });
    if (page === undefined) return;
    pages.push(page.probe);
  }
  const [first = [], second = []] = pages.map((page) => itemsIn(context, page));
  if (first.length === 0 || second.length === 0) {
    context.judge.notTried(id(requirement), "needs a list of at least two items");
    return;
  }
  const differ = JSON.stringify(first) !== JSON.stringify(second);
  conclude(
    context,
    requirement,
    {
      holds: first.length === 1 && second.length === 1 && differ,
      certain: context.capabilities.has("new-implementation") || trying.certain,
      finding: {
        message: differ ? "a page has more items than its size" : "two pages are the same",
        expected: "one item on each page, another one on each",
        actual: `${first.length} and ${second.length} items${differ ? "" : ", the same ones"}`,
      },
    },
    pages,
  );
};
