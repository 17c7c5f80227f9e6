/** Reads off the test runner what became of each trial: its ledger page, and whether it got to its end. */
import { readFileSync } from "node:fs";
import type { TestCase, TestResult } from "@playwright/test/reporter";
import type { LedgerPage } from "../helpers/trials/ledger.ts";
import { LEDGER_ATTACHMENT, REQUIREMENT_ANNOTATION, TRIAL_ANNOTATION } from "../helpers/trials/run-info.ts";
import type { TrialFact } from "./certificate.ts";

/** A test that has not ended yet; `undefined` for a test that is no trial. */
export const plannedTrial = (test: TestCase): TrialFact | undefined => {
  const described = (type: string): string[] =>
    test.annotations.flatMap((annotation) =>
      annotation.type === type && annotation.description !== undefined ? [annotation.description] : [],
    );
  const [trial] = described(TRIAL_ANNOTATION);
  if (trial === undefined) return undefined;
  return { trial, requirements: described(REQUIREMENT_ANNOTATION), state: "planned" };
};

/**
 * A trial that ended attaches its page, whatever its verdicts; one without a page, or cut short, is broken.
 */
export const endedTrial = (
  planned: TrialFact,
  result: TestResult,
): { readonly fact: TrialFact; readonly page: LedgerPage | undefined } => {
  const page = readPage(result);
  const cut = result.status === "interrupted" || result.status === "timedOut";
  if (page && !cut) return { fact: { ...planned, state: "finished" }, page };
  return { fact: { ...planned, state: "broken", reason: `its trial broke off: ${whyBroken(result)}` }, page };
};

/** An attachment is a body in a live run, and may be a file in one that is merged. */
const readPage = (result: TestResult): LedgerPage | undefined => {
  const attachment = result.attachments.find(({ name }) => name === LEDGER_ATTACHMENT);
  if (!attachment) return undefined;
  const text = attachment.body ?? (attachment.path === undefined ? undefined : readFileSync(attachment.path));
  return text === undefined ? undefined : (JSON.parse(text.toString("utf8")) as LedgerPage);
};

const whyBroken = (result: TestResult): string => {
  if (result.status === "interrupted") return "the run was interrupted";
  if (result.status === "timedOut") return "it took too long";
  return firstLine(result.error?.message) ?? `${result.status} without a ledger page`;
};

/** The message of an error without its stack and colours. */
export const firstLine = (message: string | undefined): string | undefined =>
  message
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours start with the escape character.
    ?.replaceAll(/\u001b\[[\d;]*m/g, "")
    .split("\n", 1)[0]
    ?.trim() || undefined;
