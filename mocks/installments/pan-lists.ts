/** Pan lists: pans are registered when the list is created or later, and can be deregistered. */
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/call.ts";
import { freeId } from "../engine/values/identifiers.ts";
import type { Call } from "./faults.ts";
import { invalid, notFound } from "./refusals.ts";
import type { InstallmentsState } from "./state.ts";

export const registerPans = (state: InstallmentsState, { body, faulty, differs }: Call): Answer => {
  const named = readAt(body, "/panListId");
  const others = [...state.panLists].flatMap(([id, list]) => (id === named ? [] : [list]));
  for (const list of differs("one-list-per-pan") ? others : [])
    for (const pan of pansOf(body)) list.delete(pan);
  if (named === undefined) {
    if (faulty("list-not-created")) return invalid("The request names no pan list.");
    const panListId = freeId(
      () => state.identifiers.uuid("pan list", state.next("pan list")),
      (id) => state.panLists.has(id),
    );
    const pans = new Set(pansOf(body));
    if (!faulty("created-list-forgotten")) state.panLists.set(panListId, pans);
    return listAnswer(201, panListId, pans);
  }
  const known = state.panLists.get(String(named));
  if (known === undefined) {
    if (!differs("lists-named-by-callers"))
      return invalid("The request names a pan list that does not exist.");
    const pans = new Set(pansOf(body));
    state.panLists.set(String(named), pans);
    const headers = { location: `/consumers/pans/${String(named)}` };
    return { ...listAnswer(201, String(named), pans), headers };
  }
  if (!faulty("later-pans-dropped")) for (const pan of pansOf(body)) known.add(pan);
  return listAnswer(differs("existing-lists-answered-200") ? 200 : 201, String(named), known);
};

export const deregisterPans = (state: InstallmentsState, { body, faulty }: Call): Answer => {
  const panListId = String(readAt(body, "/panListId") ?? "");
  const known = state.panLists.get(panListId);
  if (known === undefined) {
    return faulty("any-list-deregistered") ? listAnswer(200, panListId, new Set()) : notFound("pan list");
  }
  if (faulty("deregistration-refused")) return invalid("These pans can't be deregistered.");
  if (!faulty("deregistered-pans-kept")) for (const pan of pansOf(body)) known.delete(pan);
  return listAnswer(200, panListId, known);
};

export const pansOf = (body: unknown): string[] => {
  const pans = readAt(body, "/pans");
  return Array.isArray(pans) ? pans.map(String) : [];
};

const listAnswer = (status: number, panListId: string, pans: ReadonlySet<string>): Answer => ({
  status,
  json: { panListId, registeredPans: pans.size },
});
