/** Reads the result of each trial from the test runner: its verdicts, and whether it finished. */
import { readFileSync } from "node:fs";
import type { TestCase, TestResult } from "@playwright/test/reporter";
import { because, type Reason } from "../../helpers/reasons/reason.ts";
import { crashReason } from "../../helpers/trials/crash.ts";
import type { LedgerEntry, TrialResult } from "../../helpers/trials/ledger.ts";
import {
  LEDGER_ATTACHMENT,
  REQUIREMENT_ANNOTATION,
  SERVICE_ANNOTATION,
  TRIAL_ANNOTATION,
} from "../../helpers/trials/run-info.ts";
import type { TrialFact } from "./certificate.ts";

/** Returns the fact of a trial that has not ended yet; `undefined` for a test that is not a trial. */
export const plannedTrial = (test: TestCase): TrialFact | undefined => {
  const [trial] = described(test, TRIAL_ANNOTATION);
  if (trial === undefined) return undefined;
  return { trial, requirements: described(test, REQUIREMENT_ANNOTATION), state: "planned" };
};

/** Returns the service of a trial. */
export const serviceOf = (test: Pick<TestCase, "annotations">): string =>
  described(test, SERVICE_ANNOTATION)[0] ?? "";

const described = ({ annotations }: Pick<TestCase, "annotations">, type: string): string[] =>
  annotations.flatMap((annotation) =>
    annotation.type === type && annotation.description !== undefined ? [annotation.description] : [],
  );

/**
 * Returns the result of a trial. A finished trial attaches its result; a trial without one did not finish.
 * @param service the service of the trial
 * @returns with the stack trace, if the suite itself failed
 */
export const endedTrial = (
  planned: TrialFact,
  result: TestResult,
  service: string,
): {
  readonly fact: TrialFact;
  readonly trialResult: TrialResult | undefined;
  readonly trace?: string;
} => {
  const trialResult = readTrialResult(result);
  const cut = (state: TrialFact["state"], why: string | Reason): TrialFact => ({
    ...planned,
    state,
    reason: because("ended-early", why),
  });
  if (result.status === "interrupted")
    return { fact: cut("interrupted", "the run was interrupted"), trialResult };
  if (result.status === "timedOut") return { fact: cut("broken", "it took too long"), trialResult };
  if (trialResult && trialResult.crash === undefined)
    return { fact: { ...planned, state: "finished" }, trialResult };
  const { message, stack } = result.error ?? {};
  const why = firstLine(message) ?? `${result.status} without a trial result`;
  const trace = trialResult?.crash ?? stack;
  // A certificate quotes only messages about the target or from the test runner.
  if (trace === undefined || why.startsWith("TargetLost: ")) return { fact: cut("broken", why), trialResult };
  return { fact: cut("broken", crashReason(service, planned.trial)), trialResult, trace };
};

/** Whether the budget left out what a requirement needed. */
export const isLeftOut = ({ reason }: LedgerEntry): boolean => reason?.code === "left-out-by-budget";

/** Returns a trial as left out by the budget, if the run ended before it. What it has shown stays. */
export const leftOut = (
  { fact, trialResult }: { readonly fact: TrialFact; readonly trialResult: TrialResult | undefined },
  service: string,
): { readonly fact: TrialFact; readonly trialResult: TrialResult | undefined } => {
  if (fact.state !== "planned" && fact.state !== "interrupted") return { fact, trialResult };
  const { trial, requirements } = fact;
  const entry = { verdict: "not-tried", reason: because("left-out-by-budget"), exchanges: 0 } as const;
  return {
    fact: { trial, requirements, state: "finished" },
    trialResult: {
      ...{ trial, service, operations: [], observations: [], exchanges: 0, billableCalls: 0, ...trialResult },
      entries: [
        ...(trialResult?.entries ?? []),
        ...requirements.map((requirement) => ({ ...entry, requirement })),
      ],
    },
  };
};

/** Reads the attached result. The attachment is a body in a live run, and may be a file in a merge. */
const readTrialResult = (result: TestResult): TrialResult | undefined => {
  const attachment = result.attachments.find(({ name }) => name === LEDGER_ATTACHMENT);
  if (!attachment) return undefined;
  const text = attachment.body ?? (attachment.path === undefined ? undefined : readFileSync(attachment.path));
  return text === undefined ? undefined : (JSON.parse(text.toString("utf8")) as TrialResult);
};

/** Returns the message of an error without its stack and colours. */
export const firstLine = (message: string | undefined): string | undefined =>
  message
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours start with the escape character.
    ?.replaceAll(/\u001b\[[\d;]*m/g, "")
    .split("\n", 1)[0]
    ?.trim() || undefined;
