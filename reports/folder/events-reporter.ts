/** Reports the events of a run to the command that started the test runner. */
import { writeSync } from "node:fs";
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";
import { fingerprintOf } from "../../helpers/accept/fingerprint.ts";
import type { LedgerEntry, TrialResult } from "../../helpers/trials/ledger.ts";
import { RUN_METADATA, type RunInfo } from "../../helpers/trials/run-info.ts";
import type { TrialFact } from "../certificate/certificate.ts";
import { endedTrial, plannedTrial, serviceOf } from "../certificate/trial-facts.ts";
import { EVENTS_DESCRIPTOR, eventLine, type FindingSeen, type RunEvent } from "./events.ts";

class EventsReporter implements Reporter {
  readonly #trials = new Map<string, TrialFact>();
  readonly #ended = new Set<string>();
  readonly #seen = new Set<string>();
  #isRead = true;

  printsToStdio(): boolean {
    return false;
  }

  onBegin({ metadata }: FullConfig, suite: Suite): void {
    for (const test of suite.allTests()) {
      const trial = plannedTrial(test);
      if (trial !== undefined) this.#trials.set(test.id, trial);
    }
    const { target, services, seed, depth, shard } = metadata[RUN_METADATA] as RunInfo;
    const trials = this.#trials.size;
    this.#report({ event: "run-started", format: "events/1", target, services, seed, depth, shard, trials });
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const planned = this.#trials.get(test.id);
    if (planned === undefined) return;
    const service = serviceOf(test);
    const { fact, trialResult } = endedTrial(planned, result, service);
    this.#ended.add(test.id);
    for (const finding of this.#findings(fact.trial, trialResult)) this.#report(finding);
    this.#report({
      event: "trial-ended",
      ...{ trial: fact.trial, service, state: fact.state },
      verdicts: verdictsOf(trialResult?.entries ?? []),
      exchanges: trialResult?.exchanges ?? 0,
      ended: this.#ended.size,
      trials: this.#trials.size,
    });
  }

  #findings(trial: string, result: TrialResult | undefined): FindingSeen[] {
    return (result?.entries ?? []).flatMap(({ requirement, verdict, failure }) => {
      if (failure === undefined || (verdict !== "failed" && verdict !== "advisory")) return [];
      const fingerprint = fingerprintOf(requirement, failure);
      if (this.#seen.has(fingerprint)) return [];
      this.#seen.add(fingerprint);
      const { operationId, message, expected, actual } = failure;
      const shown = { operationId, message, expected, actual, fingerprint };
      return [{ event: "finding", trial, requirement, verdict, ...shown }];
    });
  }

  /** The verdicts of a run do not depend on whether somebody reads its events. */
  #report(event: RunEvent): void {
    if (!this.#isRead) return;
    try {
      writeSync(EVENTS_DESCRIPTOR, eventLine(event, new Date()));
    } catch {
      this.#isRead = false;
    }
  }
}

const verdictsOf = (entries: readonly LedgerEntry[]): Record<string, LedgerEntry["verdict"]> =>
  Object.fromEntries(entries.map(({ requirement, verdict }) => [requirement, verdict]));

// The test runner takes a reporter as the default export of its file.
export default EventsReporter;
