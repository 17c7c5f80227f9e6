/** Runs a recording from its first line to its certificate. */
import { commandWith } from "../../../helpers/contract/code.ts";
import { jsonText } from "../../../helpers/exchange/visible.ts";
import { writeHar } from "../../../helpers/traffic/har-writer.ts";
import type { Ending } from "../../../helpers/traffic/seen.ts";
import type { Failure } from "../../../helpers/trials/failure.ts";
import type { Verdict } from "../../../helpers/trials/ledger.ts";
import { note, print } from "../../../reports/print.ts";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { conclude } from "../../../runner/command/baseline-options.ts";
import type { CallerOptions } from "../certifying/caller-options.ts";
import { certificateOf, certifyTraffic, claimResults } from "../certifying/certify.ts";
import { failedBy, linesOf, trafficOf } from "../certifying/judge-files.ts";
import { CLOCK_PATH } from "./control.ts";
import { type ExerciseLine, exercisesNamed } from "./exercises.ts";
import { createPage, PAGE_PATH } from "./page.ts";
import { openRecording, type Recording, type RecordingOptions } from "./recording.ts";
import { ended } from "./until.ts";

/** The flags that say how to record. */
export interface ProxyFlags extends Pick<RecordingOptions, "port"> {
  /** Seconds without a request after which the recording ends. */
  readonly until?: number;
  /** Whether to write the log as an HTTP archive too. */
  readonly har?: true;
  /** Ids of exercises, or `all`. */
  readonly exercise: readonly string[];
  /** Ids of the operations whose requests the exercises change; empty for all. */
  readonly operation: readonly string[];
  /** Whether exercises may wait in real time. */
  readonly slow?: boolean;
}

type Run = CallerOptions &
  Pick<RecordingOptions, "target" | "host" | "tls" | "authority" | "signatureEncoding">;

/** @returns the exit code */
export const runProxy = async (
  { port, until, har, exercise, operation, slow = false }: ProxyFlags,
  run: Run,
  command: readonly string[],
): Promise<number> => {
  const { contracts, out, baseline, authority } = run;
  const startedAt = new Date();
  claimResults(out, baseline, "caller");
  const page = createPage({
    exercises: () => recording.exercises(),
    certificate: () => renderHtml(certificateOf(judgedIn(recording, run, startedAt))),
  });
  const recording = await openRecording({
    ...{ ...run, port, slow },
    exercises: await exercisesNamed(contracts, exercise, operation),
    onFinding(...finding) {
      tell(...finding);
      page.found(...finding);
    },
    tell: (message) => note(`! ${message}\n`),
    onJudged: page.judged,
    pages: page.addresses,
  });
  const { proxy, environment, log } = recording;
  const clock = `${proxy.origin}${CLOCK_PATH}`;
  const own = { ASSAY_CLOCK: clock, ...(authority && { ASSAY_AUTHORITY: authority.file }) };
  const endings: Ending[] = [];
  const isRunAgain = async (ending: Ending): Promise<boolean> => {
    const isAgain = await recording.endRun(ending);
    if (isAgain) note("! The command is run again for the exercises that are left.\n");
    if (isAgain) endings.push(ending);
    return isAgain;
  };
  const end = ended(proxy, command, { ...environment, ...own }, until, isRunAgain);
  // A script may end this process once it has read the first line, so signals are handled before.
  const addresses = {
    clock,
    page: `${proxy.origin}${PAGE_PATH}`,
    ...(authority && { authority: authority.file }),
  };
  print(`${jsonText({ baseUrls: proxy.baseUrls, credentials: environment, log, ...addresses })}\n`);
  const ending = await end;
  await recording.end(ending);
  if (har && log !== undefined) await writeHar(log, log.replace(/ndjson$/, "har"));
  const problems = failedBy(...endings, ending);
  const whole = judgedIn(recording, run, startedAt, recording.notes(), problems);
  print(certifyTraffic(whole).summary);
  const exerciseLines = recording.exercises().map(exerciseLine);
  for (const line of [...exerciseLines, ...linesOf(whole.traffic)]) print(`${line}\n`);
  return conclude(out, baseline);
};

/** Returns what was judged so far. */
const judgedIn = (
  { judge, contracts, log }: Recording,
  { target, out, baseline }: Run,
  startedAt: Date,
  notes: readonly string[] = [],
  problems: readonly string[] = [],
) => ({
  half: "caller" as const,
  ...{ target, contracts, problems, startedAt, out, accepted: baseline.accepted },
  results: judge.results(),
  traffic: trafficOf(judge, {}, notes),
  again: commandWith("judge", `${log}`),
});

const exerciseLine = ({ id, state, ask, isAbandoned }: ExerciseLine): string => {
  const advice = state === "waiting" ? ` (${ask})` : "";
  const end = isAbandoned ? " (the client did not send its request again)" : "";
  return `exercise ${id}: ${ENDS[state]}${advice || end}`;
};

/** What the end says of an exercise that is in a state. */
const ENDS: Readonly<Record<ExerciseLine["state"], string>> = {
  waiting: "not met",
  seen: "survived",
  passed: "survived",
  failed: "not survived",
  "not survived": "not survived",
};

/** Prints a new finding while the recording runs. */
const tell = (requirement: string, verdict: Verdict, { operationId, message }: Failure): void => {
  note(`${verdict === "failed" ? "✗" : "!"} ${requirement}: ${operationId}: ${message}\n`);
};
