/** Shows progress: one line that is rewritten on a terminal, a new line at intervals elsewhere. */
import type { TrialResult } from "../helpers/trials/ledger.ts";

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
    },
  };
};

export interface Progress {
  ended(result: TrialResult | undefined): void;
  stop(): void;
}

const LOG_INTERVAL_MS = 2000;

/** Shows the progress of a run. */
export const showProgress = (trials: number, stream: StatusStream): Progress => {
  const counts = { exchanges: 0, failed: 0, blocked: 0 };
  let ended = 0;
  const line = (): string => {
    const { exchanges, ...bad } = counts;
    const badCounts = Object.entries(bad).flatMap(([name, times]) => (times > 0 ? [`${times} ${name}`] : []));
    return [`${ended} of ${trials} trials`, `${exchanges} exchanges`, ...badCounts].join(", ");
  };
  const { stop } = showStatusLine(line, stream, LOG_INTERVAL_MS);
  return {
    ended(result) {
      ended += 1;
      counts.exchanges += result?.exchanges ?? 0;
      for (const { verdict } of result?.entries ?? []) {
        if (verdict === "failed" || verdict === "blocked") counts[verdict] += 1;
      }
    },
    stop,
  };
};
