/** The language of scenarios: the verbs of the kit, bound to the trial that speaks. */
import { memoize } from "../../contract/memoize.ts";
import { readUntil } from "../../flows/read-until.ts";
import type { Call } from "../call.ts";
import type { TrialContext } from "../trial.ts";
import * as asking from "./asking.ts";
import * as attempting from "./attempt.ts";
import * as calls from "./calls.ts";
import * as focus from "./focus.ts";
import * as lists from "./lists.ts";
import * as names from "./names.ts";
import * as pages from "./pages.ts";
import * as parameters from "./parameters.ts";
import * as quiescence from "./quiescence.ts";
import * as reading from "./reading.ts";
import * as served from "./served.ts";
import * as verdicts from "./verdicts.ts";
import * as views from "./views.ts";

const KIT = {
  ...asking,
  ...attempting,
  ...calls,
  ...focus,
  ...lists,
  ...names,
  ...pages,
  ...parameters,
  ...quiescence,
  ...reading,
  ...served,
  ...verdicts,
  ...views,
  readUntil,
};

/** What a scenario speaks with: the context of its trial, and each function of the kit that takes one. */
export type T = TrialContext & {
  readonly [Name in keyof typeof KIT as Parameters<(typeof KIT)[Name]>[0] extends TrialContext
    ? Name
    : never]: (typeof KIT)[Name] extends (context: TrialContext, ...rest: infer Rest) => infer Result
    ? (this: TrialContext, ...rest: Rest) => Result
    : never;
} & {
  readUntil<Value>(
    read: () => Promise<Value>,
    isShown: (value: Value) => boolean | Promise<boolean>,
    patience?: Parameters<typeof readUntil>[3],
  ): Promise<Value>;
};

/** Own properties that read `this`, so that the verbs of `{ ...t, arrange }` use its arranger. */
const VERBS = Object.fromEntries(
  Object.entries<(...all: never[]) => unknown>(KIT).map(([name, verb]) => [
    name,
    function (this: TrialContext, ...rest: readonly unknown[]) {
      return verb(...([this, ...rest] as never[]));
    },
  ]),
) as Omit<T, keyof TrialContext>;

/** Returns the same for each use of a context, because some values are known by it. */
export const speaking = memoize((context: TrialContext): T => ({ ...context, ...VERBS }));

/** Binds a function of scenarios, so that it can be called with the context of any trial. */
export const bound =
  <Rest extends readonly unknown[], Result>(tell: (t: T, ...rest: Rest) => Result) =>
  (context: TrialContext, ...rest: Rest): Result =>
    tell(speaking(context), ...rest);

/** @param make creates the value. A thrown error is not stored, but a promise is stored even if it is rejected. */
export const shared = <Value, More extends readonly unknown[] = []>(
  make: (t: T, ...more: More) => Value,
): ((t: T, ...more: More) => Value) => {
  const owner = {};
  return (t, ...more) =>
    t.once(
      owner,
      bound((own) => make(own, ...more)),
    );
};

/** Speaks with the seed of the run. Its calls are not counted for the trial that happens to be first. */
export const forSession = (t: T): T => ({
  ...t,
  seed: t.runSeed,
  send: (call: Call) => t.send({ ...call, shared: true }),
});
