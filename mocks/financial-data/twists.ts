/** What the sequence faults of financial data have in common; mocks/engine/faults/twists.ts puts them into effect. */

import {
  behaving,
  afterwards as changing,
  isSuccess,
  type TwistTable as TableOf,
  type Twist as TwistOf,
} from "../engine/faults/twists.ts";
import type { Answer } from "../engine/service.ts";
import type { Fields } from "../engine/values/fields.ts";
import { counter } from "../engine/values/identifiers.ts";
import type { Behaviour, Call } from "./faults.ts";
import { bodyOf } from "./found.ts";
import { perWorld, type World } from "./world/world.ts";

export type Twist = TwistOf<World, Behaviour>;
export type TwistTable = TableOf<World, Behaviour>;

/** @param change of what is there once the call has succeeded */
export const afterwards = changing<World, Behaviour>;

/** The same twist of several operations. */
export const on = (operations: readonly string[], twist: Twist) =>
  Object.fromEntries(operations.map((operationId) => [operationId, twist]));

const counters = perWorld(counter);

/** How many times it was asked with the same words, this time included. */
export const timesOf = (world: World, ...words: readonly string[]): number =>
  counters(world)(words.join(" "));

/**
 * Looks first and acts later, so that of two calls that come together both find nothing in their way.
 * @param behaviour by which the handler lets a second one pass
 */
export const looksFirst =
  (isFree: (world: World, call: Call) => boolean, behaviour: Behaviour): Twist =>
  async (world, call, handle) => {
    const free = isFree(world, call);
    await new Promise((resolve) => setTimeout(resolve, OVERTAKING_MS));
    return free ? handle(behaving(call, behaviour)) : handle();
  };

const OVERTAKING_MS = 30;

const kept = perWorld(() => new Map<string, Answer>());

/** What was answered once is answered again, whatever has changed since. */
export const answersAsBefore: Twist = async (world, { operation, path, query }, handle) => {
  const key = JSON.stringify([operation.operationId, path, query]);
  const answer = kept(world).get(key) ?? (await handle());
  if (isSuccess(answer)) kept(world).set(key, answer);
  return answer;
};

/** The answer with another list in it. */
export const listing =
  (name: string, change: (items: readonly Listed[], world: World, call: Call) => readonly Listed[]): Twist =>
  async (world, call, handle) => {
    const { written: _, ...answer } = await handle();
    const body = (answer.json ?? {}) as Readonly<Record<string, readonly Listed[] | undefined>>;
    return { ...answer, json: { ...body, [name]: change(body[name] ?? [], world, call) } };
  };

export type Listed = Fields;

/** What the call gives, written over fields of something else. */
export const overwriting =
  <Item extends { fields: Fields }>(victim: (world: World, call: Call) => Item | undefined): Twist =>
  (world, call, handle) => {
    const one = victim(world, call);
    if (one !== undefined) one.fields = { ...one.fields, ...bodyOf(call) };
    return handle();
  };
