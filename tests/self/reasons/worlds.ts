/**
 * Runs trials again from their tapes in worlds in which much is different: other answers, another document, or a target
 * with fewer settings. It costs no request, and shows when each reason for not trying a requirement is given.
 */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { isObject } from "../../../helpers/contract/json.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { causeOf, type Reason } from "../../../helpers/reasons/reason.ts";
import type { Judge } from "../../../helpers/trials/judge.ts";
import { withJson, withResponse } from "../../../helpers/trials/occasions/changes.ts";
import { doubtfulJudge } from "../../../helpers/trials/occasions/doubtful-judge.ts";
import { recording, type SharedValues } from "../../../helpers/trials/occasions/recording.ts";
import { type Change, replaying } from "../../../helpers/trials/occasions/replaying.ts";
import { deliveriesOn, exchangesOn, newTape, type Tape } from "../../../helpers/trials/occasions/tape.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

/** The differences under which a trial runs again. */
interface World {
  readonly name: string;
  readonly change?: Change;
  readonly context?: Partial<TrialContext>;
}

/** The codes of the reasons that a trial gave in one world; without a name, in the world as it is. */
export interface Told {
  readonly world: string;
  readonly codes: ReadonlySet<string>;
}

/** Returns the trial, which also runs again in each world. @param told receives what it gave in each */
export const inWorlds = (trial: Trial, shared: SharedValues, told: (one: Told) => void): Trial => ({
  ...trial,
  async run(context) {
    const tape = newTape();
    const runIn = async (
      world: string,
      from: (judge: Judge) => TrialContext,
      judge: Judge,
    ): Promise<void> => {
      const codes = new Set<string>();
      const tell = (reason: Reason): void => void codes.add(causeOf(reason).code);
      await attempt(trial, from(telling(judge, tell)), tell);
      told({ world, codes });
    };
    await runIn("", (judge) => recording({ ...context, judge }, tape, shared), context.judge);
    for (const { name, change = new Map(), context: other } of worldsOf(tape, context))
      await runIn(
        name,
        (judge) => replaying({ ...context, ...other }, tape, { change, judge, shared }),
        doubtfulJudge(),
      );
  },
});

const telling = <Own extends Judge>(judge: Own, tell: (reason: Reason) => void): Own => ({
  ...judge,
  notTried(requirement, reason) {
    tell(reason);
    judge.notTried(requirement, reason);
  },
});

const attempt = async (
  trial: Trial,
  context: TrialContext,
  tell: (reason: Reason) => void,
): Promise<void> => {
  try {
    await trial.run(context);
  } catch (error) {
    // In another world, a trial may go a way that did not happen.
    if (error instanceof NotTried) tell(error.reason);
  }
};

function* worldsOf(tape: Tape, context: TrialContext): Generator<World> {
  const exchanges = exchangesOn(tape);
  const operations = [...new Set(exchanges.map(({ operationId }) => operationId))];
  const isLong = exchanges.length > MOST_EXCHANGES;
  const answers = [undefined, ...(isLong ? [] : operations.slice(0, MOST_OPERATIONS))].map((id) =>
    id === undefined ? exchanges : exchanges.filter(({ operationId }) => operationId === id),
  );
  for (const [index, chosen] of answers.entries()) {
    const of = operations[index - 1] ?? "every operation";
    for (const [what, edit] of index === 0 ? [...EDITS, ...FURTHER_EDITS] : EDITS)
      yield { name: `${of}: ${what}`, change: new Map(chosen.map((one) => [one, edit(one)])) };
    if (index === 0 || chosen.length === 1) continue;
    for (const [at, one] of chosen.slice(0, MOST_ALONE).entries())
      for (const [what, edit] of EDITS)
        yield { name: `${of} ${at + 1}: ${what}`, change: new Map([[one, edit(one)]]) };
  }
  for (const [at, one] of exchanges.slice(0, MOST_CHANGED).entries()) {
    const accepted = exchanges.find(({ operationId, response }) => {
      const code = response?.status ?? 0;
      return operationId === one.operationId && code >= 200 && code < 300;
    });
    const edits: Edits = [
      status(400),
      status(409),
      ...(accepted?.response ? [["is accepted", withResponse(accepted.response)] as const] : []),
    ];
    for (const [what, edit] of edits)
      yield { name: `exchange ${at + 1}: ${what}`, change: new Map([[one, edit(one)]]) };
  }
  for (const word of wordsIn(exchanges).filter((one) => !isLong || FEW_WORDS.includes(one))) {
    const edit = withJson((json) => without(json, word));
    yield { name: `no ${word}`, change: new Map(exchanges.map((one) => [one, edit(one)])) };
  }
  yield { name: "no delivery", change: new Map(deliveriesOn(tape).map((one) => [one, []])) };
  for (const word of wordsIn(deliveriesOn(tape)))
    yield {
      name: `deliveries: no ${word}`,
      change: new Map(deliveriesOn(tape).map((one) => [one, [{ ...one, json: without(one.json, word) }]])),
    };
  yield* contractWorlds(context.contract);
  yield* targetWorlds(context);
}

/** The number of operations whose answers are changed, while the other operations answer as before. */
const MOST_OPERATIONS = 8;

/** The number of exchanges up to which they are changed one operation, one word or one exchange at a time. */
const MOST_EXCHANGES = 40;

const YEAR = 365 * 86_400;

/** The number of exchanges of a trial that are each refused, or accepted, alone. */
const MOST_CHANGED = 60;

/** The words whose fields are left out in trials of many exchanges. */
const FEW_WORDS = ["date", "description", "id", "amount", "status", "name", "type"];

/** The number of answers of an operation that are changed alone. */
const MOST_ALONE = 3;

const status = (code: number) => [`answers ${code}`, withResponse({ status: code, json: { code } })] as const;

type Edits = readonly (readonly [string, (exchange: Exchange) => Exchange])[];

const lists = (count: number) => [`lists ${count}`, withJson((json) => cut(json, count))] as const;

const EDITS: Edits = [
  ...[200, 400, 404].map(status),
  ...[0, 1, 2].map(lists),
  ["an empty object", withJson(() => ({}))],
];

const FURTHER_EDITS: Edits = [
  ...[203, 401, 403, 405, 409, 500].map(status),
  lists(3),
  ["all dates are today", withDates(0)],
  ["all dates are ten years old", withDates(10 * YEAR)],
  ["all pages have more", withJson((json) => each(json, (one) => (typeof one === "boolean" ? true : one)))],
  ["all texts are equal", withJson((json) => each(json, (one) => (typeof one === "string" ? "text" : one)))],
];

/** Replaces each text, number and truth value. */
const each = (json: unknown, replaced: (value: unknown) => unknown): unknown => {
  if (Array.isArray(json)) return json.map((item) => each(item, replaced));
  if (!isObject(json)) return replaced(json);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, each(value, replaced)]));
};

/** Moves each date, in seconds or in its written form, to one age in seconds. */
function withDates(age: number): (exchange: Exchange) => Exchange {
  const at = new Date(Date.now() - age * 1000);
  return withJson((json) =>
    each(json, (value) => {
      if (typeof value === "number")
        return value > 1e9 && value < 3e9 ? Math.floor(at.getTime() / 1000) : value;
      if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d/.test(value)) return value;
      return value.length === 10 ? at.toISOString().slice(0, 10) : at.toISOString();
    }),
  );
}

const cut = (json: unknown, count: number): unknown => {
  if (Array.isArray(json)) return json.slice(0, count).map((item) => cut(item, count));
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, cut(value, count)]));
};

/** Leaves out each field whose name has the word. */
const without = (json: unknown, word: string): unknown => {
  if (Array.isArray(json)) return json.map((item) => without(item, word));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) =>
      wordsOf(name).includes(word) ? [] : [[name, without(value, word)]],
    ),
  );
};

const wordsOf = (name: string): string[] => [
  name,
  ...name.split(/[^a-zA-Z]+|(?=[A-Z])/).map((word) => word.toLowerCase()),
];

const wordsIn = (all: readonly ({ readonly json?: unknown } | Exchange)[]): string[] => {
  const words = new Set<string>();
  const visit = (json: unknown): void => {
    if (Array.isArray(json)) for (const item of json.slice(0, 3)) visit(item);
    if (!isObject(json)) return;
    for (const [name, value] of Object.entries(json)) {
      for (const word of wordsOf(name)) words.add(word);
      visit(value);
    }
  };
  for (const one of all) visit("response" in one ? one.response?.json : (one as { json?: unknown }).json);
  words.delete("");
  return [...words];
};

function* contractWorlds(contract: Contract): Generator<World> {
  const provider = { file: "document.yaml", version: "1", digest: "sha256-0" };
  const other = (name: string, operations: readonly Operation[]): World => ({
    name,
    context: { contract: { ...contract, provider, operations } },
  });
  const all = contract.operations;
  yield other("another document", all);
  yield other("a document without operations", []);
  const without = (names: "query" | "header") => (one: Operation) => ({
    ...one,
    parameters: one.parameters.filter((parameter) => parameter.in !== names),
  });
  yield other("a document without query parameters", all.map(without("query")));
  yield other("a document without header parameters", all.map(without("header")));
  yield other(
    "a document without pages",
    all.map(({ paging: _, ...one }) => one),
  );
  yield other(
    "a document without bodies",
    all.map(({ requestBody: _, ...one }) => one),
  );
  yield { name: "no bindings", context: { bindings: {} } };
}

function* targetWorlds({ target, capabilities }: TrialContext): Generator<World> {
  for (const name of Object.keys(target.values)) {
    const { [name]: _, ...values } = target.values;
    yield { name: `without ${name}`, context: { target: { ...target, values } } };
  }
  const permissions = { ...target.permissions, destructive: false, locking: false, billableCalls: 0 };
  yield { name: "without permissions", context: { target: { ...target, permissions } } };
  const { linkAccounts, advanceClock, settleDeliveries, resolveReceiver, ...fewer } = capabilities;
  const nothing = { ...fewer, has: () => false, offers: () => false };
  yield { name: "without capabilities", context: { capabilities: nothing } };
  yield {
    name: "an external target without capabilities",
    context: { capabilities: nothing, target: { ...target, embedded: false, values: {} } },
  };
}
