/** Scenarios, a row each, and their language: the verbs of the kit, bound to the trial that speaks. */
import type { Service } from "../../contract/contract.ts";
import { memoize } from "../../contract/memoize.ts";
import { readUntil } from "../../flows/read-until.ts";
import type { Call } from "../call.ts";
import type { Policy } from "../from-contract/policy.ts";
import { observeResponse } from "../from-contract/responses.ts";
import * as served from "../served.ts";
import type { Trial, TrialContext } from "../trial.ts";
import * as asking from "./asking.ts";
import * as attempting from "./attempt.ts";
import * as calls from "./calls.ts";
import { callerLocation } from "./code-location.ts";
import * as focus from "./focus.ts";
import * as names from "./names.ts";
import * as pages from "./pages.ts";
import * as parameters from "./parameters.ts";
import * as quiescence from "./quiescence.ts";
import * as reading from "./reading.ts";
import * as verdicts from "./verdicts.ts";
import * as views from "./views.ts";

export { contentOf, type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
export { because, type Reason } from "../../reasons/reason.ts";
export type { Call } from "../call.ts";
export { NotTried, TargetLost } from "../stopped.ts";
export { ifPossible } from "./attempt.ts";
export { type About, type Contents, type Resources, withFields, withQuery } from "./calls.ts";
export { loose } from "./names.ts";
export { type Page, pagesOf } from "./pages.ts";
export { type ParameterTrial, timeFor } from "./parameters.ts";
export { fieldOf, fieldsIn, secondsOf, unbound, valuesIn } from "./reading.ts";
export { typedBody } from "./typed.ts";
export type { Wording } from "./verdicts.ts";
export type { Look } from "./views.ts";

const KIT = {
  ...asking,
  ...attempting,
  ...calls,
  ...focus,
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

/** The functions of `Steps` that take the context of a trial, bound to it. */
export type Spoken<Steps> = {
  readonly [Name in keyof Steps as Steps[Name] extends (first: infer First, ...rest: never) => unknown
    ? First extends TrialContext
      ? Name
      : never
    : never]: Steps[Name] extends (
    first: never,
    ...rest: infer Rest extends readonly unknown[]
  ) => infer Result
    ? (this: TrialContext, ...rest: Rest) => Result
    : never;
};

/** What a scenario speaks with: the context of its trial, and the verbs of the kit. A service adds its steps. */
export interface T extends TrialContext, Spoken<typeof KIT> {
  readUntil<Value>(
    read: () => Promise<Value>,
    isShown: (value: Value) => boolean | Promise<boolean>,
    patience?: Parameters<typeof readUntil>[3],
  ): Promise<Value>;
}

/** Returns own properties that read `this`, so that `{ ...t, arrange }` speaks with its own arranger. */
const spoken = (steps: object): object =>
  Object.fromEntries(
    Object.entries(steps).flatMap(([name, step]) => {
      function verb(this: TrialContext, ...rest: readonly unknown[]) {
        return step(this, ...rest);
      }
      return typeof step === "function" ? [[name, verb]] : [];
    }),
  );

const VERBS = spoken(KIT) as Spoken<typeof KIT> & Pick<T, "readUntil">;

/** Returns the same for each use of a context, because some values are known by it. */
export const speaking = memoize((context: TrialContext): T => ({ ...context, ...VERBS }));

/** Binds a function of scenarios, so that it can be called with the context of any trial. */
export const bound =
  <Rest extends readonly unknown[], Result>(tell: (t: T, ...rest: Rest) => Result) =>
  (context: TrialContext, ...rest: Rest): Result =>
    tell(speaking(context), ...rest);

/** Returns a function that also speaks with the steps of a service. */
const speakingWith = <Steps extends object>(steps: Steps): ((context: TrialContext) => T & Spoken<Steps>) => {
  const own = spoken(steps) as Spoken<Steps>;
  return memoize((context: TrialContext) => ({ ...speaking(context), ...own }));
};

/**
 * Returns a function for a value that the trials of a session share. The first trial creates it, with its verbs in the
 * context that the session gives.
 * @param make creates the value. A thrown error is not stored, but a promise is stored even if it is rejected.
 */
export const shared = <Value, More extends readonly unknown[] = [], Own extends T = T>(
  make: (t: Own, ...more: More) => Value,
): ((t: Own, ...more: More) => Value) => {
  const owner = {};
  return (t, ...more) => t.once(owner, (context) => make({ ...t, ...context }, ...more));
};

/** Speaks with the seed of the run. Its calls are not counted for the trial that happens to be first. */
export const forSession = <Own extends T>(t: Own): Own => ({
  ...t,
  seed: t.runSeed,
  send: (call: Call) => t.send({ ...call, shared: true }),
});

export interface ScenarioRow<Own extends T = T> extends Pick<Trial, "title" | "operations"> {
  /** Ids without the service prefix. */
  readonly requirements: readonly string[];
  /** Its section, if the other scenarios in the file have another one. */
  readonly section?: string;
  run(t: Own): Promise<void>;
}

/** @returns a function that adds the service prefix: `auth.wrong-key` -> `parcel-pickup.auth.wrong-key` */
export const idsOf =
  (service: Service) =>
  (suffix: string): string =>
    `${service}.${suffix}`;

/**
 * @param steps what the scenarios of the service speak with besides the kit, under names that the kit does not have
 * @returns a function that makes the scenarios of a section; their answers are judged as in generated trials
 */
export const scenariosOf = <Steps extends object>(
  policy: Policy,
  steps: Steps & { readonly [Name in keyof T]?: never },
): ((section: string) => (id: string, row: ScenarioRow<T & Spoken<Steps>>) => Trial) => {
  const { service } = policy;
  const whole = idsOf(service);
  const observe = observeResponse(policy);
  const speaking = speakingWith(steps);
  return (section) => (id, row) => ({
    id,
    section,
    ...row,
    service,
    requirements: row.requirements.map(whole),
    run: (context) => row.run(speaking(context)),
    hazards: [],
    location: callerLocation(),
    observe,
  });
};
