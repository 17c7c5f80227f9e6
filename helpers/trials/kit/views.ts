/** Looks at a resource in every read that shows it: by itself, in lists, and by searches, before and after a deletion. */
import { parameterNamed } from "../../contract/lookups.ts";
import { type View, viewsOf } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { readUntil } from "../../flows/read-until.ts";
import { relationsOf, shownIn } from "../from-contract/obedience.ts";
import { NotTried } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";
import { answered } from "./asking.ts";
import { ifPossible } from "./attempt.ts";
import type { Contents, Resources } from "./calls.ts";
import { itemsOf, valuesIn } from "./reading.ts";
import { judgeThat, showOccasion } from "./verdicts.ts";

/** A read that has shown the resource. */
export interface Look {
  readonly name: string;
  read(): Promise<Exchange>;
  shows(exchange: Exchange): boolean;
  /** The answer that showed it. */
  readonly before: Exchange;
}

/**
 * Returns the reads that show the resource now.
 * @param about the identifiers of the resource and of those above it: reads that need others are left out
 * @param known an answer about the resource, whose values searches look for
 */
export const looksAt = async (
  context: TrialContext,
  resource: string,
  about: Resources,
  known?: Exchange,
): Promise<readonly Look[]> => {
  const looks: Look[] = [];
  for (const view of viewsOf(context.contract, resource)) {
    if (!isWithin(view, about)) continue;
    for (const [name, contents] of waysOf(context, view, known)) {
      const read = () => answered(context, view.operation.operationId, about, contents);
      const shows = (exchange: Exchange) => isShown(context, view, about[resource] ?? "", exchange);
      const before = await ifPossible(read);
      if (!(before instanceof NotTried) && shows(before)) looks.push({ name, read, shows, before });
    }
  }
  return looks;
};

/** Whether all resources of its path are given. */
const isWithin = ({ operation: { parameters } }: View, about: Resources): boolean =>
  parameters.every(
    ({ in: place, resource }) =>
      place !== "path" || (resource !== undefined && about[resource] !== undefined),
  );

/** Returns the contents of the calls: of the plain read, and of a search for each value that the resource shows. */
const waysOf = (
  { contract }: TrialContext,
  { operation, isList }: View,
  known?: Exchange,
): readonly (readonly [string, Contents])[] => {
  const { operationId } = operation;
  const searches = relationsOf(contract, operationId).flatMap((relation): [string, Contents][] => {
    const name = parameterNamed(operation, relation.parameter)?.name;
    const value = SEARCHES.includes(relation.kind) ? shownIn(relation, contentOf(known)) : undefined;
    return name === undefined || value === undefined || !isList
      ? []
      : [[`${operationId} by ${name}`, { parameters: { [name]: value } }]];
  });
  return [[operationId, {}], ...searches];
};

const SEARCHES: readonly string[] = ["filter", "search", "find"];

const isShown = (context: TrialContext, { isList }: View, id: string, exchange: Exchange): boolean => {
  if (!isAccepted(exchange)) return false;
  return !isList || (itemsOf(context, exchange) ?? []).some((item) => valuesIn(item).includes(id));
};

/**
 * Judges that none of the reads shows the resource any more. A deletion may show late.
 * @param calls the deletion, and before it a call since then that could bring back the resource
 */
export const judgeGone = async (
  context: TrialContext,
  requirement: string,
  looks: readonly Look[],
  ...calls: readonly [Exchange, ...Exchange[]]
): Promise<void> => {
  const words = calls.map(({ operationId }) => operationId).join(" after ");
  for (const { name, read, shows, before } of looks) {
    const after = await readUntil(context, read, (exchange) => !shows(exchange));
    judgeThat(context, requirement, !shows(after), [after, ...calls, before], {
      message: `${name} shows what was deleted, after ${words}`,
      expected: "no access to it",
    });
  }
  if (looks.length > 0) showOccasion(context, requirement);
};
