/** Tells how far a run is. */
import type { LedgerPage } from "../helpers/trials/ledger.ts";
import { type StatusStream, showStatusLine } from "./status-line.ts";

export interface Progress {
  ended(page: LedgerPage | undefined): void;
  stop(): void;
}

const LOG_INTERVAL_MS = 2000;

export const showProgress = (trials: number, stream: StatusStream): Progress => {
  const counts = { exchanges: 0, failed: 0, blocked: 0 };
  let ended = 0;
  const line = (): string => {
    const { exchanges, ...bad } = counts;
    const told = Object.entries(bad).flatMap(([name, times]) => (times > 0 ? [`${times} ${name}`] : []));
    return [`${ended} of ${trials} trials`, `${exchanges} exchanges`, ...told].join(", ");
  };
  const { stop } = showStatusLine(line, stream, LOG_INTERVAL_MS);
  return {
    ended(page) {
      ended += 1;
      counts.exchanges += page?.exchanges ?? 0;
      for (const { verdict } of page?.entries ?? []) {
        if (verdict === "failed" || verdict === "blocked") counts[verdict] += 1;
      }
    },
    stop,
  };
};
