/** Tries that no read shows a resource any more as it was before it was deleted. */
import { isSame } from "../../contract/json.ts";
import type { Relation } from "../../contract/relations.ts";
import { contentOf, type Exchange } from "../../exchange/exchange.ts";
import { readUntil } from "../../flows/read-until.ts";
import { having } from "../given-resources.ts";
import { ifPossible } from "../kit/attempt.ts";
import { validCall } from "../kit/calls.ts";
import { operationOf } from "../kit/names.ts";
import { judgeGone, type Look, looksAt } from "../kit/views.ts";
import { NotTried } from "../stopped.ts";
import type { TrialContext } from "../trial.ts";
import { carriedOut, leaveUnseen, partAbout, resourcesIn, withMaker } from "./resources.ts";

/** @param resource the kind of the resource that the call deletes */
export const tryGone = async (
  context: TrialContext,
  { requirement }: Relation,
  operationId: string,
  resource: string,
): Promise<void> => {
  const operation = operationOf(context, operationId);
  const arrange = context.arrange.exclusive();
  const named = withMaker(context, operation, resource);
  // The lists below what stands above it show it, too.
  const above = await ifPossible(() => resourcesIn(arrange, named, resource));
  const about = above instanceof NotTried ? await resourcesIn(arrange, operation, resource) : above;
  // A new resource may show late.
  const looks = await readUntil(
    context,
    () => looksAt(context, resource, about),
    ({ length }) => length > 0,
  );
  if (looks.length === 0) return leaveUnseen(context, requirement, operation, `a ${resource}`);
  const removal = await carriedOut(context, await validCall(context, operationId, having(arrange, about)));
  const id = about[resource] ?? "";
  await judgeGone(
    context,
    requirement,
    looks.map((look) => unchanged(context, look, id)),
    removal,
  );
};

/** A service may keep what it calls deleted: then a read shows the resource in another way. */
const unchanged = (context: TrialContext, look: Look, id: string): Look => {
  const isList = operationOf(context, look.before.operationId).list !== undefined;
  const shown = (exchange: Exchange): unknown =>
    isList ? partAbout(contentOf(exchange), id) : contentOf(exchange);
  return {
    ...look,
    shows: (exchange) => look.shows(exchange) && isSame(shown(exchange), shown(look.before)),
  };
};
