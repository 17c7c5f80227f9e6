/** Shows progress: one line that is rewritten on a terminal, a new line at intervals elsewhere. */
import { STRENGTH, type TrialResult, type Verdict } from "../../helpers/trials/ledger.ts";
import { count, counted } from "../text.ts";

export type StatusStream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

const TERMINAL_INTERVAL_MS = 100;

/** @param logIntervalMs interval between lines when the output is not a terminal */
export const showStatusLine = (
  line: () => string,
  stream: StatusStream,
  logIntervalMs: number,
): { stop(): void } => {
  let shown = "";
  const show = (): void => {
    const now = line();
    if (now === shown) return;
    shown = now;
    stream.write(stream.isTTY ? `\r\u001b[2K${now.slice(0, (stream.columns || 80) - 1)}` : `${now}\n`);
  };
  const timer = setInterval(show, stream.isTTY ? TERMINAL_INTERVAL_MS : logIntervalMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      if (stream.isTTY) stream.write("\r\u001b[2K");
      else show();
    },
  };
};

const LOG_INTERVAL_MS = 10_000;

/** Shows the progress of a run: what is done, the rate, the time left, and what failed or is blocked. */
export const showProgress = ({
  trials,
  counts,
  stream,
  now = () => performance.now(),
}: {
  readonly trials: number;
  /** Whether the verdict of a requirement counts in this run: the summary counts the same ones. */
  readonly counts: (requirement: string) => boolean;
  readonly stream: StatusStream;
  /** Returns milliseconds since any origin. */
  readonly now?: () => number;
}) => {
  const verdicts = new Map<string, Verdict>();
  const started = now();
  let ended = 0;
  let exchanges = 0;
  const amountOf = (verdict: Verdict): number =>
    [...verdicts].filter(([requirement, one]) => one === verdict && counts(requirement)).length;
  const line = (): string => {
    const seconds = (now() - started) / 1000;
    const bad = (["failed", "blocked"] as const).flatMap((verdict) => {
      const amount = amountOf(verdict);
      return amount > 0 ? [`${count(amount)} ${verdict}`] : [];
    });
    return [
      `${count(ended)} of ${count(trials)} trials`,
      counted(exchanges, "exchange"),
      `${rateOf(exchanges, seconds)} a second`,
      ...(ended > 0 && ended < trials ? [`about ${lasting((seconds / ended) * (trials - ended))} left`] : []),
      ...bad,
    ].join(", ");
  };
  const { stop } = showStatusLine(line, stream, LOG_INTERVAL_MS);
  return {
    ended(result: TrialResult | undefined): void {
      ended += 1;
      exchanges += result?.exchanges ?? 0;
      for (const { requirement, verdict } of result?.entries ?? []) {
        const before = verdicts.get(requirement);
        if (before === undefined || STRENGTH.indexOf(before) < STRENGTH.indexOf(verdict))
          verdicts.set(requirement, verdict);
      }
    },
    stop,
  };
};

const rateOf = (amount: number, seconds: number): string => {
  const rate = amount / Math.max(1, seconds);
  return rate < 10 ? rate.toFixed(1) : count(Math.round(rate));
};

/** `40 s`, `12 min`, `3 h 20 min` */
const lasting = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
