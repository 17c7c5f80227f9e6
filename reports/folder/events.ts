/** The events of a run, as JSON lines; `schemas/event.schema.json` describes them. */
import { jsonText } from "../../helpers/exchange/visible.ts";
import type { LedgerEntry } from "../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import type { Certificate, Summary, TrialFact } from "../certificate/certificate.ts";
import type { Outcome } from "../certificate/outcome.ts";

export interface RunStarted extends Pick<RunInfo, "target" | "services" | "seed" | "depth" | "shard"> {
  readonly event: "run-started";
  readonly format: "events/1";
  /** The number of trials. */
  readonly trials: number;
}

export interface TrialEnded {
  readonly event: "trial-ended";
  readonly trial: string;
  readonly service: string;
  readonly state: TrialFact["state"];
  /** The verdict of each requirement that the trial judged. */
  readonly verdicts: Readonly<Record<string, LedgerEntry["verdict"]>>;
  readonly exchanges: number;
  /** The number of trials that have ended, and of all trials. */
  readonly ended: number;
  readonly trials: number;
}

/** A violation, when it is first seen. The certificate may have a smaller example. */
export interface FindingSeen {
  readonly event: "finding";
  readonly trial: string;
  readonly requirement: string;
  readonly verdict: "failed" | "advisory";
  readonly operationId: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly fingerprint: string;
}

export interface RunEnded {
  readonly event: "run-ended";
  readonly exitCode: number;
  readonly outcome: Outcome | null;
  readonly summary: Summary | null;
  readonly problems: Certificate["problems"];
  /** The path of the certificate; `null` if there is none. */
  readonly certificate: string | null;
}

export type RunEvent = RunStarted | TrialEnded | FindingSeen | RunEnded;

/** The file descriptor on which the test runner reports events to the command that started it. */
export const EVENTS_DESCRIPTOR = 3;

/** Returns the line of an event. */
export const eventLine = (event: RunEvent, at: Date): string => {
  const { event: name, ...rest } = event;
  return `${jsonText({ event: name, at: at.toISOString(), ...rest })}\n`;
};
