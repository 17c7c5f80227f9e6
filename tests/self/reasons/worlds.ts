/**
 * Runs trials again from their tapes in worlds in which much is different: other answers, another document, or a target
 * with fewer settings. It costs no request, and shows when each reason for not trying a requirement is given.
 */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
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
  for (const word of wordsIn(exchanges).filter((one) => !isLong || FEW_WORDS.includes(one))) {
    const edit = edited((one, name) => (wordsOf(name).includes(word) ? undefined : one));
    yield { name: `no ${word}`, change: new Map(exchanges.map((one) => [one, edit(one)])) };
  }
  yield { name: "no delivery", change: new Map(deliveriesOn(tape).map((one) => [one, []])) };
  yield* contractWorlds(context.contract);
  yield* targetWorlds(context);
}

/** The number of operations whose answers are changed, while the other operations answer as before. */
const MOST_OPERATIONS = 8;

/** The number of exchanges up to which they are changed one operation or one word at a time. */
const MOST_EXCHANGES = 40;

/** The words whose fields are left out in trials of many exchanges. */
const FEW_WORDS = ["date", "description", "id", "amount", "status", "name", "type"];

/** The number of answers of an operation that are changed alone. */
const MOST_ALONE = 3;

const status = (code: number) => [`answers ${code}`, withResponse({ status: code, json: { code } })] as const;

type Edits = readonly (readonly [string, (exchange: Exchange) => Exchange])[];

/** Replaces each value in an answer, from the innermost on; `undefined` leaves its field out. */
const edited = (replaced: (value: unknown, name: string) => unknown) =>
  withJson((json) =>
    json === undefined ? json : JSON.parse(JSON.stringify(json), (name, value) => replaced(value, name)),
  );

const lists = (count: number) =>
  [`lists ${count}`, edited((one) => (Array.isArray(one) ? one.slice(0, count) : one))] as const;

const EDITS: Edits = [
  ...[200, 400, 404].map(status),
  ...[0, 1, 2].map(lists),
  ["an empty object", withJson(() => ({}))],
];

const FURTHER_EDITS: Edits = [
  ...[203, 401, 403, 405, 409, 500].map(status),
  lists(3),
  ["all texts are equal", edited((one) => (typeof one === "string" ? "text" : one))],
];

const wordsOf = (name: string): string[] => [
  name,
  ...name.split(/[^a-zA-Z]+|(?=[A-Z])/).map((word) => word.toLowerCase()),
];

const wordsIn = (all: readonly Exchange[]): string[] => {
  const names = all.flatMap(({ response }) => [
    ...JSON.stringify(response?.json ?? null).matchAll(/"(\w+)":/g),
  ]);
  return [...new Set(names.flatMap(([, name = ""]) => wordsOf(name)))].filter((word) => word !== "");
};

function* contractWorlds(contract: Contract): Generator<World> {
  const provider = { file: "document.yaml", version: "1", digest: "sha256-0" };
  const other = (name: string, operations: readonly Operation[]): World => ({
    name,
    context: { contract: { ...contract, provider, operations } },
  });
  yield other("a document without operations", []);
  yield other(
    "a document without query parameters",
    contract.operations.map((one) => ({
      ...one,
      parameters: one.parameters.filter((parameter) => parameter.in !== "query"),
    })),
  );
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
