/** Tries that no read shows a resource any more as it was before it was deleted. */
import { isSame } from "../../contract/json.ts";
import { withArticle } from "../../contract/names.ts";
import type { Relation } from "../../contract/relations.ts";
import { contentOf, type Exchange } from "../../exchange/exchange.ts";
import { having } from "../given-resources.ts";
import { ifPossible, type Look, NotTried, type T } from "../kit/language.ts";
import { carriedOut, leaveUnseen, partAbout, resourcesIn, withMaker } from "./resources.ts";

/** @param resource the kind of the resource that the call deletes */
export const tryGone = async (
  t: T,
  { requirement }: Relation,
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
  await t.judgeGone(
    requirement,
    looks.map((look) => unchanged(t, look, id)),
    removal,
  );
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
