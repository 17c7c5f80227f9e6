/** Tries that no read shows a resource any more as it was before it was deleted. */
import { isSame } from "../../helpers/contract/json.ts";
import { withArticle } from "../../helpers/contract/names.ts";
import type { Relation } from "../../helpers/contract/relations.ts";
import { contentOf, type Exchange } from "../../helpers/exchange/exchange.ts";
import { having } from "../../helpers/trials/given-resources.ts";
import { ifPossible, type Look, NotTried, type T } from "../../helpers/trials/kit/language.ts";
import {
  carriedOut,
  leaveUnseen,
  partAbout,
  resourcesIn,
  withMaker,
} from "../../helpers/trials/relations/resources.ts";

/** @param resource the kind of the resource that the call deletes */
export const tryGone = async (
  t: T,
  { requirement }: Pick<Relation, "requirement">,
  operationId: string,
  resource: string,
): Promise<void> => {
  const operation = t.operationOf(operationId);
  const arrange = t.arrange.exclusive();
  const named = withMaker(t, operation, resource);
  // The lists below what stands above it show it, too.
  const above = await ifPossible(() => resourcesIn(arrange, named, resource));
  const about = above instanceof NotTried ? await resourcesIn(arrange, operation, resource) : above;
  // A new resource may show late.
  const looks = await t.readUntil(
    () => t.looksAt(resource, about),
    ({ length }) => length > 0,
  );
  if (looks.length === 0) return leaveUnseen(t, requirement, operation, withArticle(resource));
  const removal = await carriedOut(t, await t.validCall(operationId, having(arrange, about)));
  const id = about[resource] ?? "";
  const after = looks.map((look) => unchanged(t, look, id));
  await t.judgeGone(requirement, after, removal);
};

/** A service may keep what it calls deleted: then a read shows the resource in another way. */
const unchanged = (t: T, look: Look, id: string): Look => {
  const isList = t.operationOf(look.before.operationId).list !== undefined;
  const shown = (exchange: Exchange): unknown =>
    isList ? partAbout(contentOf(exchange), id) : contentOf(exchange);
  return {
    ...look,
    shows: (exchange) => look.shows(exchange) && isSame(shown(exchange), shown(look.before)),
  };
};
