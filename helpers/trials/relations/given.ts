/** Tries that every read of a resource shows what a call gave it: at once or soon, and still after the other reads. */
import { checkGiven, showsGiven, tellingValues } from "../../checks/given-values.ts";
import type { Operation, Rule } from "../../contract/contract.ts";
import { isSame } from "../../contract/json.ts";
import { requestRulesOf, requirementOf } from "../../contract/lookups.ts";
import { withArticle } from "../../contract/names.ts";
import { atPointer } from "../../contract/pointer.ts";
import type { Relation } from "../../contract/relations.ts";
import { isListed } from "../../contract/schemas/keywords.ts";
import { type ChangedView, changedViewsOf, givenResource } from "../../contract/views.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { lasts } from "../created-resources.ts";
import { having } from "../given-resources.ts";
import { type Call, ifPossible, NotTried, type Resources, type T } from "../kit/language.ts";
import { createdAt } from "../resource-providers.ts";
import { tryLetters } from "./letters.ts";
import {
  arrangerOf,
  carriedOut,
  givenIn,
  givenTo,
  isAbout,
  isOfPath,
  type Look,
  leaveUnseen,
  mostTelling,
  partAbout,
  resourcesIn,
  withMaker,
} from "./resources.ts";
import { judgeSearch, searchesFor } from "./searches.ts";

export const tryGiven = async (t: T, relation: Relation, operationId: string): Promise<void> => {
  const { requirement, gap } = relation;
  const operation = t.operationOf(operationId);
  const resource = givenResource(operation);
  const isNew = operation.produces.length > 0;
  const mayFail = !isNew && gap === undefined && requirementOf(t.contract, requirement)?.level !== "assumed";
  const views = changedViewsOf(t.contract, operation, resource);
  const { known, before, call } = await tellingCall(t, operation, views);
  if (call === undefined) return leaveUnseen(t, requirement, operation, withArticle(resource));
  const searches = isNew ? [] : await searchesFor(t, resource, before, call, known[resource] ?? "");
  const change = await carriedOut(t, call);
  const about = isNew ? await madeBy(t, operation, call, change, resource) : known;
  const judge = ({ view, shown }: Look, after: Exchange) =>
    checkGiven(givenTo(view, call), shown, itemIn(view, after, about[resource] ?? ""));
  const seen: (Look & { readonly after: Exchange })[] = [];
  for (const look of [...before, ...before.slice(0, 1)]) {
    const read = () => t.answered(look.view.operation.operationId, about);
    seen.push({ ...look, after: await t.readUntil(read, (after) => judge(look, after)?.holds !== false) });
  }
  for (const one of seen) {
    const result = judge(one, one.after);
    const pointer = result?.holds === false && !result.suspected ? result.pointer : undefined;
    // Another read that showed the same old value shows the new one.
    const other = seen.find(
      ({ view, shown, after }) =>
        pointer !== undefined &&
        isSame(atPointer(shown, pointer), atPointer(one.shown, pointer)) &&
        showsGiven(givenIn(call), itemIn(view, after, about[resource] ?? ""), pointer),
    );
    const isProof =
      mayFail &&
      pointer !== undefined &&
      (other !== undefined || (await ifPossible(() => isProven(t, operation, one, pointer))) === true);
    const judged = isProof || result?.holds !== false ? result : { ...result, suspected: true as const };
    t.record(requirement, judged, [one.after, change, one.exchange, ...(other ? [other.after] : [])]);
  }
  for (const look of isNew ? [] : before.slice(0, 1)) {
    const read = async () => {
      const exchange = await t.answered(look.view.operation.operationId, about);
      return { exchange, shown: itemIn(look.view, exchange, about[resource] ?? "") };
    };
    const letters = await tryLetters(t, operation, call, look, read);
    const judged =
      letters &&
      (mayFail || letters.result.holds ? letters.result : { ...letters.result, suspected: true as const });
    t.record(requirement, judged, letters?.exchanges ?? []);
  }
  const again = () => t.validCall(operationId, having(t.arrange.exclusive(), known), { draw: FURTHER });
  for (const search of searches) await judgeSearch(t, relation, search, [call, change], again);
  t.showOccasion(requirement);
};

/** A draw that `mostTelling` does not make. */
const FURTHER = 100;

/**
 * Whether a read shows a member as calls give it, so that an old value proves a change without effect: it shows what two calls
 * give to two new resources, or one of the words that the change lists for it.
 */
const isProven = async (t: T, operation: Operation, { view, shown }: Look, pointer: string) => {
  const resource = givenResource(operation);
  const rules = requestRulesOf(t.contract, operation.operationId);
  const isWord = ({ keyword, schema, pointer: of, value }: Rule): boolean =>
    keyword === "enum" &&
    of === pointer &&
    isListed(schema, value as readonly unknown[], atPointer(shown, pointer));
  if (rules.some(isWord)) return true;
  const maker = t.contract.operations.find(
    (one) =>
      one.produces.some((place) => place.resource === resource) &&
      !one.hazards.includes("billable") &&
      !lasts(t.contract, one, t.target) &&
      requestRulesOf(t.contract, one.operationId).some((rule) => rule.pointer === pointer),
  );
  if (maker === undefined) return false;
  for (let draw = 0; draw < 2; draw++) {
    const call = await t.validCall(maker.operationId, t.arrange.exclusive(), { draw });
    const about = await madeBy(t, maker, call, await carriedOut(t, call), resource);
    const isSeen = (after: Exchange) =>
      showsGiven(call.json, itemIn(view, after, about[resource] ?? ""), pointer);
    if (!isSeen(await t.readUntil(() => t.answered(view.operation.operationId, about), isSeen))) return false;
  }
  return true;
};

/** Arranges the resource that a call changes, or one beside that which it creates, with all resources that reads name. */
const arrangedFor = async (t: T, operation: Operation, resource: string): Promise<Resources> => {
  // The call changes the resource, so that nothing that the user keeps may be arranged.
  const shared = arrangerOf(t, resource);
  const arrange = shared === t.arrange ? t.arrange.mutable() : shared;
  return resourcesIn(arrange, withMaker(t, operation, resource), resource);
};

const looksBy = async (
  t: T,
  views: readonly ChangedView[],
  resource: string,
  about: Resources,
): Promise<readonly Look[]> => {
  const looks: Look[] = [];
  for (const view of views) {
    const exchange = await ifPossible(() => t.answered(view.operation.operationId, about));
    if (exchange instanceof NotTried || !isAccepted(exchange)) continue;
    const shown = itemIn(view, exchange, about[resource] ?? "");
    if (shown !== undefined) looks.push({ view, exchange, shown });
  }
  return looks;
};

/**
 * Generates calls, and returns the one with the most values that the reads do not show yet, if it has any, with what was
 * read. A resource that shows all of them already is arranged again.
 */
const tellingCall = async (
  t: T,
  operation: Operation,
  views: readonly ChangedView[],
): Promise<{
  readonly known: Resources;
  readonly before: readonly Look[];
  readonly call: Call | undefined;
}> => {
  const resource = givenResource(operation);
  for (let left = MOST_RESOURCES; ; left--) {
    const known = await arrangedFor(t, operation, resource);
    // A new resource may show late.
    const look = () => looksBy(t, views, resource, known);
    const before = await t.readUntil(look, ({ length }) => length > 0 || views.length === 0);
    const own = t.arrange.exclusive();
    const arrange = operation.produces.length > 0 ? own : having(own, known);
    const tells = (call: Call) =>
      before.reduce((sum, { view, shown }) => sum + tellingValues(givenTo(view, call), shown).length, 0);
    const call = before.length === 0 ? undefined : await mostTelling(t, operation, arrange, tells);
    if (call !== undefined || before.length === 0 || left === 0) return { known, before, call };
  }
};

const MOST_RESOURCES = 4;

/** Returns the identifiers of a new resource and of those above it. */
const madeBy = async (
  t: T,
  operation: Operation,
  { path = {} }: Call,
  answer: Exchange,
  resource: string,
): Promise<Resources> => {
  const above = operation.parameters
    .filter(isOfPath)
    .map(({ name, resource: of = "" }) => [of, path[name] ?? ""]);
  return {
    ...Object.fromEntries(above),
    [resource]:
      t.identifierAt(answer, resource) ??
      createdAt(t.contract, resource, answer) ??
      t.identifierIn(answer, resource),
  };
};

/** Returns the part of an answer that shows the resource: the object that is about it, or an item of a list. */
const itemIn = ({ operation, at }: ChangedView, exchange: Exchange, id: string): unknown => {
  const content = isAccepted(exchange) ? contentOf(exchange) : undefined;
  // Its path names the resource.
  if (operation.shows.length > 0 && !at.includes("/*")) return atPointer(content, at);
  return isAbout(content, id) ? content : partAbout(content, id);
};
