/** Tries that a call changes only the resource that it names: beside it, another one stays as it was. */
import type { Operation, Parameter } from "../../contract/contract.ts";
import { isSame } from "../../contract/json.ts";
import type { Relation } from "../../contract/relations.ts";
import { viewsOf } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { having } from "../given-resources.ts";
import {
  type Call,
  fieldOf,
  ifPossible,
  type Look,
  NotTried,
  type Resources,
  type T,
  valuesIn,
} from "../kit/language.ts";
import {
  arrangerOf,
  fieldsIn,
  givenIn,
  isOfPath,
  leaveUnseen,
  mostTelling,
  partAbout,
  resourcesIn,
  shownOf,
} from "./resources.ts";

/** @param resource the kind of the resource that the call names and changes */
export const trySiblings = async (
  t: T,
  { requirement, situation }: Pick<Relation, "requirement" | "situation">,
  operationId: string,
  resource: string,
): Promise<void> => {
  const operation = t.operationOf(operationId);
  const arrange = t.arrange.exclusive();
  const given = situation === undefined ? undefined : await t.situationIfOffered(situation);
  const about = given ?? (await resourcesIn(arrange, operation, resource));
  const { id, looks } = await sibling(t, operation, resource, about);
  const call =
    looks.length === 0
      ? undefined
      : await mostTelling(t, operation, having(arrange, about), (one) => tellingOf(one, about, looks, id));
  if (call === undefined) return leaveUnseen(t, requirement, operation, `another ${resource}`);
  const change = await t.answerTo(call);
  t.assertAccepted(change);
  for (const look of looks) {
    // Other clients may remove what a list without an owner in its path shows.
    const isOwned = t.operationOf(look.before.operationId).parameters.some(isOfPath);
    const parts = t.identifiersIn(look.before, resource).filter((one) => one !== about[resource]);
    await judgeSiblings(t, requirement, look, isOwned && parts.includes(id) ? parts : [id], change, call);
  }
  t.showOccasion(requirement);
};

/** Returns another resource that does not show yet what the path of the call assigns, and the reads that show it. */
const sibling = async (
  t: T,
  operation: Operation,
  resource: string,
  about: Resources,
): Promise<{ readonly id: string; readonly looks: readonly Look[] }> => {
  const path = operation.parameters.filter(isOfPath);
  const at = path.findIndex((one) => one.resource === resource);
  const assigned = at < 0 ? [] : path.slice(at + 1).flatMap((one) => about[one.resource ?? ""] ?? []);
  for (let left = MOST_SIBLINGS; ; left--) {
    const others = await siblingOf(t, operation, resource, about);
    const id = others?.[resource] ?? "";
    const looks = others && (await looksAtSibling(t, operation.operationId, resource, others));
    const isTelling = looks?.every(({ before }) => {
      const values = valuesIn(shownOf(before, id));
      return !assigned.some((value) => values.includes(value));
    });
    if (looks === undefined || isTelling) return { id, looks: looks ?? [] };
    if (left === 0) return { id, looks: [] };
  }
};

/** An optional field of a new resource may have the value already. */
const MOST_SIBLINGS = 4;

/** Counts the values of a call that no read of the sibling shows. A call without a body tells something by itself. */
const tellingOf = ({ json }: Call, about: Resources, looks: readonly Look[], id: string): number =>
  json === undefined
    ? 1
    : Object.entries(fieldsIn(json)).filter(
        ([name, value]) =>
          !Object.values(about).includes(String(value)) &&
          looks.every(({ before }) => !isSame(fieldOf(shownOf(before, id), name), value)),
      ).length;

/** Returns another resource and those above it: one that a read below the same parents shows, or a new one. */
const siblingOf = async (
  t: T,
  operation: Operation,
  resource: string,
  about: Resources,
): Promise<Resources | undefined> => {
  const { [resource]: own, ...parents } = about;
  for (const { operationId, parameters } of findersOf(t, resource)) {
    const named = parameters.filter(isOfPath);
    const isBelow = named.length > 0 && named.every((one) => parents[one.resource ?? ""] !== undefined);
    if (!isBelow) continue;
    const list = await t.answered(operationId, parents);
    const other = t.identifiersIn(list, resource).findLast((id) => id !== own);
    if (other !== undefined) return { ...parents, [resource]: other };
  }
  const others = await resourcesIn(arrangerOf(t, resource), operation, resource);
  return others[resource] === own ? undefined : others;
};

/** Returns the reads that show identifiers of the resource. */
const findersOf = ({ contract }: T, resource: string): readonly Operation[] =>
  contract.operations.filter(
    ({ method, hazards, finds }) =>
      method === "GET" && hazards.length === 0 && finds.some((one) => one.resource === resource),
  );

/**
 * Returns the reads that show the sibling, the reads by its own identifier that need not show it, and the reads of its
 * parents that show it as a part. If there are none, another call that changes it shows whether it is still there.
 */
const looksAtSibling = async (
  t: T,
  operationId: string,
  resource: string,
  about: Resources,
): Promise<readonly Look[]> => {
  const { contract } = t;
  const known = viewsOf(contract, resource).map(({ operation }) => operation.operationId);
  const harmless = contract.operations.filter(({ hazards }) => hazards.every((one) => one === "changes"));
  // A repeated call would cause a delivery, for example.
  const named = harmless.filter(({ parameters, repeatable }) => repeatable && endsWith(parameters, resource));
  const details = named.filter((one) => one.method === "GET" && !known.includes(one.operationId));
  const looks = await looksBy(t, details, about, isAccepted);
  const [first] = looks;
  const views = await ifPossible(() => t.looksAt(resource, about, first?.before));
  // Other clients may add items, so that another page shows the sibling.
  const isPaged = ({ name }: Look): boolean =>
    contract.operations.some((one) => one.operationId === name && one.paging !== undefined);
  if (!(views instanceof NotTried)) looks.push(...views.filter((look) => !isPaged(look)));
  const id = about[resource] ?? "";
  const wholes = findersOf(t, resource).filter(
    ({ list, paging, parameters }) => list === undefined && paging === undefined && parameters.some(isOfPath),
  );
  const isShown = (exchange: Exchange) =>
    isAccepted(exchange) && partAbout(contentOf(exchange), id) !== undefined;
  looks.push(...(await looksBy(t, wholes, about, isShown)));
  if (looks.length > 0) return looks;
  const changes = named.filter((one) => one.method === "PUT" && one.operationId !== operationId);
  return looksBy(t, changes, about, isAccepted);
};

/** Returns the calls of the operations that show the resource now. */
const looksBy = async (
  t: T,
  operations: readonly Operation[],
  about: Resources,
  shows: Look["shows"],
): Promise<Look[]> => {
  const looks: Look[] = [];
  for (const { operationId } of operations) {
    const read = () => t.answered(operationId, about);
    const before = await ifPossible(read);
    if (!(before instanceof NotTried) && shows(before))
      looks.push({ name: operationId, read, shows, before });
  }
  return looks;
};

const endsWith = (parameters: readonly Parameter[], resource: string): boolean =>
  parameters.findLast(({ in: place }) => place === "path")?.resource === resource;

/** Judges that a read still shows the siblings, without the values that the call gave to the other resource. */
const judgeSiblings = async (
  t: T,
  requirement: string,
  { name, read, shows, before }: Look,
  ids: readonly string[],
  change: Exchange,
  call: Call,
): Promise<void> => {
  const given = Object.entries(givenIn(call));
  const isLost = (after: Exchange): boolean =>
    !shows(after) || (ids.length > 1 && ids.some((id) => partAbout(contentOf(after), id) === undefined));
  const taken = (after: Exchange): string | undefined =>
    given.find(([field, value]) =>
      ids.some(
        (id) =>
          isSame(fieldOf(shownOf(after, id), field), value) &&
          !isSame(fieldOf(shownOf(before, id), field), value),
      ),
    )?.[0];
  const after = await t.readUntil(read, (one) => !isLost(one) && taken(one) === undefined);
  const field = isLost(after) ? undefined : taken(after);
  t.judgeThat(requirement, !isLost(after) && field === undefined, [after, change, before], {
    pointer: field === undefined ? "" : `/${field}`,
    message:
      field === undefined
        ? `${name} does not show a resource any more after ${change.operationId} of another one`
        : `${change.operationId} of another resource changed ${field}`,
    expected: "the resource as it was",
    actual: field === undefined ? "no access to it" : "the value that was given to the other one",
  });
};
