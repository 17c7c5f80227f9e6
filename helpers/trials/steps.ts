/** Shows the parts of a trial as steps of a test report. */
import type { Operation } from "../contract/contract.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { httpText } from "../exchange/http-text.ts";
import type { Recorder } from "../exchange/recorder.ts";
import type { Arranger } from "./arrange.ts";
import type { Call } from "./call.ts";
import type { Judge } from "./judge.ts";

export interface Steps {
  /** Runs a part of a trial as a step. */
  run<Result>(title: string, part: () => Promise<Result>): Promise<Result>;
  /** Sends a request as a step. */
  send(
    title: string,
    send: () => Promise<Exchange>,
    shown: (exchange: Exchange) => {
      /** The status, or the kind of failure. */
      readonly outcome: string;
      /** Returns the redacted exchange. */
      text(): string;
    },
  ): Promise<Exchange>;
  /** Adds a step that has ended. @param problem the error of the step, if any */
  add(title: string, problem?: string): void;
}

/** Returns the title of a request's step: `probe: POST /cards`. */
const titleOf = ({ role }: Call, { method, path }: Pick<Operation, "method" | "path">): string =>
  `${role === undefined ? "" : `${role}: `}${method} ${path}`;

/** Sends a call in a step. */
export const sendInStep = (
  steps: Steps,
  call: Call,
  line: Pick<Operation, "method" | "path">,
  recorder: Recorder,
  send: () => Promise<Exchange>,
): Promise<Exchange> =>
  steps.send(titleOf(call, line), send, (exchange) => ({
    outcome: `${exchange.response?.status ?? exchange.failure?.kind}`,
    text: () => httpText(recorder.record(exchange)),
  }));

/** Arranges each resource in a step, on the first request of the trial. */
export const arrangeInSteps = (arranger: Arranger, steps: Steps): Arranger => {
  const asked = new Set<string>();
  const inStep = <Result>(resource: string, arrange: () => Promise<Result>): Promise<Result> => {
    if (asked.has(resource)) return arrange();
    asked.add(resource);
    return steps.run(`arrange ${resource}`, arrange);
  };
  return {
    ...arranger,
    get: (resource, demand) => inStep(resource, () => arranger.get(resource, demand)),
    need: (resource, demand) => inStep(resource, () => arranger.need(resource, demand)),
    exclusive: () => arrangeInSteps(arranger.exclusive(), steps),
    mutable: () => arrangeInSteps(arranger.mutable(), steps),
    others: () => arrangeInSteps(arranger.others(), steps),
  };
};

/** Adds a step for each violation, and one for each requirement that holds, at its first pass. */
export const judgeInSteps = (judge: Judge, steps: Steps, recorder: Recorder): Judge => {
  const held = new Set<string>();
  const add = (requirement: string, problem?: string): void => {
    if (problem === undefined && held.has(requirement)) return;
    if (problem === undefined) held.add(requirement);
    steps.add(`check ${requirement}`, problem);
  };
  return {
    ...judge,
    record(requirement, result, exchanges, sequence) {
      judge.record(requirement, result, exchanges, sequence);
      add(requirement, result.holds ? undefined : recorder.violation(result, exchanges).message);
    },
    passed(requirement, exchanges) {
      judge.passed(requirement, exchanges);
      add(requirement);
    },
  };
};
