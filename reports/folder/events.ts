/** The events of a run, as JSON lines; `schemas/event.schema.json` describes them. */
import { writeSync } from "node:fs";
import { fingerprintOf } from "../../helpers/accept/fingerprint.ts";
import { jsonText } from "../../helpers/exchange/visible.ts";
import type { TrialResult } from "../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import type { TrialFact } from "../certificate/certificate.ts";

/** The file descriptor on which the test runner reports events to the command that started it. */
export const EVENTS_DESCRIPTOR = 3;

/** Returns the line of an event. */
export const eventLine = (event: string, parts: object, at: Date): string =>
  `${jsonText({ event, at: at.toISOString(), ...parts })}\n`;

/**
 * Reports the start of a run to the command that started the test runner.
 * @param trials the number of trials
 * @returns a function that reports the end of a trial, and its new findings. The certificate may have a smaller example
 */
export const reportEvents = (
  { target, services, seed, depth, shard }: RunInfo,
  trials: number,
): ((id: string, service: string, fact: TrialFact, result: TrialResult | undefined) => void) => {
  const ended = new Set<string>();
  const seen = new Set<string>();
  let isRead = true;
  const report = (event: string, parts: object): void => {
    if (!isRead) return;
    try {
      writeSync(EVENTS_DESCRIPTOR, eventLine(event, parts, new Date()));
    } catch {
      // The verdicts of a run do not depend on whether somebody reads its events.
      isRead = false;
    }
  };
  report("run-started", { format: "events/1", target, services, seed, depth, shard, trials });
  return (id, service, { trial, state }, result) => {
    ended.add(id);
    const { entries = [], exchanges = 0 } = result ?? {};
    for (const { requirement, verdict, failure } of entries) {
      if (failure === undefined || (verdict !== "failed" && verdict !== "advisory")) continue;
      const fingerprint = fingerprintOf(requirement, failure);
      if (seen.has(fingerprint)) continue;
      seen.add(fingerprint);
      const { operationId, message, expected, actual } = failure;
      report("finding", {
        ...{ trial, requirement, verdict },
        ...{ operationId, message, expected, actual, fingerprint },
      });
    }
    const verdicts = Object.fromEntries(entries.map(({ requirement, verdict }) => [requirement, verdict]));
    report("trial-ended", { trial, service, state, verdicts, exchanges, ended: ended.size, trials });
  };
};
