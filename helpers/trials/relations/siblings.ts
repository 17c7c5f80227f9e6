/** Tries that a call changes only the resource that its path names: beside it, another one stays as it was. */

import type { Operation, Parameter } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import { viewsOf } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { readUntil } from "../../flows/read-until.ts";
import type { Arranger } from "../arrange.ts";
import { having } from "../given-resources.ts";
import { answered, answerTo, assertAccepted } from "../kit/asking.ts";
import { ifPossible } from "../kit/attempt.ts";
import { type Resources, validCall } from "../kit/calls.ts";
import { operationOf } from "../kit/names.ts";
import { fieldOf, identifiersIn } from "../kit/reading.ts";
import { judgeThat, leaveUntried, showOccasion } from "../kit/verdicts.ts";
import { type Look, looksAt } from "../kit/views.ts";
import { NotTried } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";

/** @param own the parameter of the path whose resource the call changes */
export const trySiblings = async (
  context: TrialContext,
  requirement: string,
  operationId: string,
  own: Parameter,
): Promise<void> => {
  const operation = operationOf(context, operationId);
  const arrange = context.arrange.exclusive();
  const { resource = "" } = own;
  const about = await resourcesIn(arrange, operation);
  const sibling = await siblingOf(context, resource, about);
  const others = { ...about, [resource]: sibling };
  const looks = sibling === about[resource] ? [] : await looksAtSibling(context, resource, others);
  if (looks.length === 0)
    return leaveUntried(context, requirement, `no read shows another ${resource} beside the own one`);
  const call = await validCall(context, operationId, having(arrange, about));
  const change = await answerTo(context, call);
  assertAccepted(context, change);
  for (const look of looks) await judgeSibling(context, requirement, look, change);
  showOccasion(context, requirement);
};

/** Arranges each resource in the path of the operation. */
const resourcesIn = async (arrange: Arranger, { parameters }: Operation): Promise<Resources> => {
  const about: Record<string, string> = {};
  const named = parameters.flatMap(({ in: place, resource }) =>
    place === "path" && resource !== undefined ? [resource] : [],
  );
  // The last one brings those above it.
  for (const resource of named.toReversed()) about[resource] = await arrange.need(resource);
  return about;
};

/** Returns another resource below the same parents: one that a list below them shows, or a new one. */
const siblingOf = async (context: TrialContext, resource: string, about: Resources): Promise<string> => {
  const { [resource]: own, ...parents } = about;
  for (const { operation, isList } of viewsOf(context.contract, resource)) {
    const named = operation.parameters.filter(({ in: place }) => place === "path");
    const isBelow = named.length > 0 && named.every((one) => parents[one.resource ?? ""] !== undefined);
    if (!isList || !isBelow) continue;
    const list = await answered(context, operation.operationId, parents);
    const other = identifiersIn(context, list, resource).find((id) => id !== own);
    if (other !== undefined) return other;
  }
  return having(context.arrange.exclusive(), parents).need(resource);
};

/** Returns the reads that show the sibling, and those by its own identifier that need not show it. */
const looksAtSibling = async (
  context: TrialContext,
  resource: string,
  about: Resources,
): Promise<readonly Look[]> => {
  const known = viewsOf(context.contract, resource).map(({ operation }) => operation.operationId);
  const details = context.contract.operations.filter(
    ({ operationId, method, parameters, hazards }) =>
      method === "GET" &&
      hazards.length === 0 &&
      !known.includes(operationId) &&
      endsWith(parameters, resource),
  );
  const looks: Look[] = [];
  for (const { operationId } of details) {
    const read = () => answered(context, operationId, about);
    const before = await ifPossible(read);
    if (!(before instanceof NotTried) && isAccepted(before))
      looks.push({ name: operationId, read, shows: isAccepted, before });
  }
  const [first] = looks;
  const views = await ifPossible(() => looksAt(context, resource, about, first?.before));
  if (views instanceof NotTried) return looks;
  // Other clients may add items, so that another page shows the sibling.
  const isPaged = ({ name }: Look): boolean =>
    context.contract.operations.some(
      ({ operationId, paging }) => operationId === name && paging !== undefined,
    );
  return [...looks, ...views.filter((look) => !isPaged(look))];
};

const endsWith = (parameters: readonly Parameter[], resource: string): boolean =>
  parameters.findLast(({ in: place }) => place === "path")?.resource === resource;

/** Judges that a read still shows the sibling, without the values that the call gave to the other resource. */
const judgeSibling = async (
  context: TrialContext,
  requirement: string,
  { name, read, shows, before }: Look,
  change: Exchange,
): Promise<void> => {
  const given = Object.entries(isObject(change.requestJson) ? change.requestJson : {});
  const taken = (after: Exchange): string | undefined =>
    given.find(
      ([field, value]) =>
        isPlain(value) &&
        fieldOf(contentOf(after), field) === value &&
        fieldOf(contentOf(before), field) !== value,
    )?.[0];
  const after = await readUntil(
    context,
    read,
    (exchange) => shows(exchange) && taken(exchange) === undefined,
  );
  const field = shows(after) ? taken(after) : undefined;
  judgeThat(context, requirement, shows(after) && field === undefined, [after, change, before], {
    pointer: field === undefined ? "" : `/${field}`,
    message:
      field === undefined
        ? `${name} does not show a resource any more after ${change.operationId} of another one`
        : `${change.operationId} of another resource changed ${field}`,
    expected: "the resource as it was",
    actual: field === undefined ? "no access to it" : "the value that was given to the other one",
  });
};

const isPlain = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
