/** One running sequence: sends single steps, or two at the same time, and judges the answers. */
import { movedNames } from "../contract/json.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { ExecutedStep } from "../trials/failure.ts";
import { drawOf } from "./draw.ts";
import type { Action, Assertion, Command, Model, SequenceDriver, Violation } from "./model.ts";

/** A planned step; replaying a plan makes no new choices. */
export type Planned =
  | { readonly kind: "command"; readonly name: string; readonly draw: number; readonly picks?: number }
  | {
      readonly kind: "race";
      readonly names: readonly [string, string];
      readonly draws: readonly [number, number];
    }
  /** @param names of the queries; all of them if absent */
  | { readonly kind: "query"; readonly names?: readonly string[] }
  | { readonly kind: "end" };

export interface SequenceFailure extends Violation {
  /** The name of the query that showed the violation, if one did. */
  readonly query?: string;
  /** The exchange that shows the violation; absent if a missing delivery shows it. */
  readonly exchange?: Exchange;
}

export interface Run<State> {
  /** Returns the state of the model after the calls so far. */
  state(): State;
  readonly taken: readonly ExecutedStep[];
  /** Ids of requirements that held, with the latest exchange that shows it. */
  readonly held: ReadonlyMap<string, readonly Exchange[]>;
  isPossible(name: string): boolean;
  /** Runs the step, unless the state does not allow it. @returns the violations, the decisive one first */
  take(step: Planned): Promise<readonly SequenceFailure[]>;
  /** Removes the resources of the sequence. */
  leave(): Promise<void>;
}

export const openRun = <State>(model: Model<State>, driver: SequenceDriver): Run<State> => {
  const walk: Running<State> = { model, driver, state: model.start(), taken: [], held: new Map() };
  const isPossible = (name: string): boolean => {
    const { operationId, when } = commandOf(model, name);
    return (operationId === undefined || driver.permits(operationId)) && (when?.(walk.state) ?? true);
  };
  return {
    state: () => walk.state,
    taken: walk.taken,
    held: walk.held,
    isPossible,
    async take(step) {
      if (step.kind === "query") return runQueries(walk, step.names);
      if (step.kind === "end") return end(walk);
      if (step.kind === "race") return step.names.every(isPossible) ? race(walk, step) : [];
      if (!isPossible(step.name)) return [];
      return one(walk, await askedBy(walk, step.name, step.draw, step.picks), step.name);
    },
    async leave() {
      for (const leaving of model.leave(walk.state)) {
        const call = await leaving;
        // Ignore failures, because the record of created resources reports the remaining resources.
        if (driver.permits(call.operationId)) await driver.send(call).catch(() => undefined);
      }
    },
  };
};

/** The mutable state of a running sequence. */
interface Running<State> {
  readonly model: Model<State>;
  readonly driver: SequenceDriver;
  state: State;
  readonly taken: ExecutedStep[];
  readonly held: Map<string, readonly Exchange[]>;
}

const commandOf = <State>({ commands }: Model<State>, name: string): Command<State> => {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) throw new Error(`The model has no command "${name}".`);
  return command;
};

const askedBy = <State>({ model, state }: Running<State>, name: string, draw: number, picks?: number) =>
  commandOf(model, name).call(state, drawOf(draw, picks));

const sent = async <State>(
  { driver, taken }: Running<State>,
  asked: Action<State>,
  title: string,
  beside: boolean,
): Promise<Exchange | undefined> => {
  if ("act" in asked) {
    taken.push({ title, act: asked.act, beside });
    await driver.perform(asked.act);
    return undefined;
  }
  const place = taken.length;
  taken.push({ title, beside });
  const exchange = await driver.send(asked.call);
  taken[place] = { title, exchange, beside };
  return exchange;
};

/** @returns the judgement of the answer, and the state after it */
const judged = async <State>(
  asked: Action<State>,
  exchange: Exchange | undefined,
  before: State,
  shown: ReadonlySet<string>,
  moving?: ReadonlySet<string>,
): Promise<Judged<State>> => {
  const after = copyOf(before);
  const notes = noteTaker(exchange, shown, moving);
  if ("act" in asked) await asked.expect(after, notes.note);
  else await asked.expect(after, exchange as Exchange, notes.note);
  return { after, ...notes };
};

const keep = <State>(
  walk: Running<State>,
  { holding, seen, showing, after }: Judged<State>,
  exchange: Exchange | undefined,
): void => {
  walk.state = after;
  walk.driver.sawOccasion?.(seen);
  for (const name of showing) walk.driver.shown.add(name);
  for (const requirement of holding) walk.held.set(requirement, exchange === undefined ? [] : [exchange]);
};

const one = async <State>(
  walk: Running<State>,
  asked: Action<State>,
  title: string,
  query?: string,
): Promise<readonly SequenceFailure[]> => {
  const before = walk.state;
  const { exchange, result } = await settled(walk, asked, title);
  keep(walk, result, exchange);
  if (exchange !== undefined && result.holding.length > 0) {
    const broken = async (changed: Exchange) =>
      (await judged(asked, changed, before, walk.driver.shown)).broken;
    await walk.driver.askAgain?.(result.holding, exchange, broken);
  }
  const next = result.broken.length === 0 && "call" in asked ? await asked.next?.(walk.state) : undefined;
  if (next !== undefined) return one(walk, next, title, query);
  return query === undefined ? result.broken : result.broken.map((broken) => ({ ...broken, query }));
};

interface Answered<State> {
  readonly exchange: Exchange | undefined;
  readonly result: Judged<State>;
}

/** Sends and judges a step. Repeats a read that shows a violation, because changes may show late. */
const settled = async <State>(
  walk: Running<State>,
  asked: Action<State>,
  title: string,
): Promise<Answered<State>> => {
  const first = await attempt(walk, asked, title);
  const [broken] = first.result.broken;
  const known = LASTING.get(walk.driver) ?? new Set();
  // A command may read too, for example a list in pages.
  const isRead = first.exchange?.request.method === "GET";
  if (!isRead || broken === undefined || known.has(broken.requirement)) return first;
  let last = first;
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    await sent(walk, { act: { kind: "pass", seconds: LATE_S }, expect: () => undefined }, "wait", false);
    last = await attempt(walk, asked, title, last.exchange);
    if (last.result.broken.length === 0) return last;
  }
  LASTING.set(walk.driver, known.add(broken.requirement));
  return last;
};

const REPEATS = 2;
/** Longer than the second to which a server may cut a time. */
const LATE_S = 1.1;

/** Requirements whose violation a later read showed too. Their next violation needs no second read. */
const LASTING = new WeakMap<SequenceDriver, Set<string>>();

const attempt = async <State>(
  walk: Running<State>,
  asked: Action<State>,
  title: string,
  previous?: Exchange,
): Promise<Answered<State>> => {
  const exchange = await sent(walk, asked, title, false);
  const moving = previous && exchange && movingIn(walk.driver, previous, exchange);
  return { exchange, result: await judged(asked, exchange, walk.state, walk.driver.shown, moving) };
};

/** Returns the names of members that differ between two reads of one state, or for which no document states what they show. */
const movingIn = ({ named }: SequenceDriver, previous: Exchange, exchange: Exchange): ReadonlySet<string> => {
  const [earlier, now] = [previous.response?.json, exchange.response?.json];
  const known = named(exchange.operationId);
  return new Set([
    ...movedNames(earlier, now),
    ...movedNames(undefined, now).filter((name) => !known.has(name)),
  ]);
};

/** Sends two calls at the same time; the answers are correct if all assertions hold for one order of the calls. */
const race = async <State>(
  walk: Running<State>,
  { names, draws }: Extract<Planned, { kind: "race" }>,
): Promise<readonly SequenceFailure[]> => {
  const asked = [await askedBy(walk, names[0], draws[0]), await askedBy(walk, names[1], draws[1])] as const;
  const exchanges = await Promise.all(
    asked.map((each, index) => sent(walk, each, names[index] ?? "", index > 0)),
  );
  let first: readonly SequenceFailure[] | undefined;
  for (const [one, two] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const earlier = await judged(asked[one], exchanges[one], walk.state, walk.driver.shown);
    const later = await judged(asked[two], exchanges[two], earlier.after, walk.driver.shown);
    const broken = [...earlier.broken, ...later.broken];
    if (broken.length === 0) {
      keep(walk, earlier, exchanges[one]);
      keep(walk, later, exchanges[two]);
      return [];
    }
    first ??= broken;
  }
  return (first ?? []).map((each) => ({ ...each, message: `sent side by side: ${each.message}` }));
};

const runQueries = async <State>(
  walk: Running<State>,
  names: readonly string[] | undefined,
): Promise<readonly SequenceFailure[]> => {
  for (const each of walk.model.queries(walk.state)) {
    if (names !== undefined && !names.includes(each.name)) continue;
    const broken = await one(walk, await each.call(), `read ${each.name}`, each.name);
    if (broken.length > 0) return broken;
  }
  return [];
};

const end = async <State>(walk: Running<State>): Promise<readonly SequenceFailure[]> => {
  const { model, driver, state, held } = walk;
  const { note, holding, seen, broken } = noteTaker(undefined, driver.shown);
  await model.end?.(state, note);
  driver.sawOccasion?.(seen);
  for (const requirement of holding) held.set(requirement, held.get(requirement) ?? []);
  return broken;
};

interface Judged<State> {
  readonly after: State;
  readonly note: Assertion;
  readonly holding: readonly string[];
  /** The requirements that had an occasion. */
  readonly seen: readonly string[];
  /** What the answer shows of the target's names. */
  readonly showing: readonly string[];
  readonly broken: readonly SequenceFailure[];
}

const noteTaker = (
  exchange: Exchange | undefined,
  shown: ReadonlySet<string>,
  moving?: ReadonlySet<string>,
): Omit<Judged<unknown>, "after"> => {
  const holding: string[] = [];
  const showing: string[] = [];
  const seen: string[] = [];
  const broken: SequenceFailure[] = [];
  const note: Assertion = (requirement, holds, wording) => {
    if (holds && wording.occasion !== undefined) seen.push(requirement);
    const { shows = [], named = false } = wording;
    if (holds) {
      holding.push(requirement);
      showing.push(...shows);
      return;
    }
    const isShown = shows.length > 0 && shows.every((name) => shown.has(name));
    const answer = exchange === undefined ? {} : { exchange };
    broken.push({ ...wording, ...answer, requirement, named: named && !isShown });
  };
  return { note: Object.assign(note, moving && { moving }), holding, seen, showing, broken };
};

/** Returns a copy of data. For objects and lists, as in JSON, this takes a fraction of the time of `structuredClone`. */
const copyOf = <Data>(data: Data): Data => {
  if (Array.isArray(data)) return data.map((item) => copyOf<unknown>(item)) as Data;
  if (typeof data !== "object" || data === null) return data;
  if (Object.getPrototypeOf(data) !== Object.prototype) return structuredClone(data);
  const copy = { ...data } as Record<string, unknown>;
  for (const name of Object.keys(copy)) copy[name] = copyOf(copy[name]);
  return copy as Data;
};
