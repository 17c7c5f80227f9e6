/** Tells how far a run is. */
import type { LedgerPage } from "../helpers/trials/ledger.ts";
import { type StatusStream, showStatusLine } from "./status-line.ts";

export interface Progress {
  ended(page: LedgerPage | undefined): void;
  stop(): void;
}

const LOG_INTERVAL_MS = 2000;

export const showProgress = (trials: number, stream: StatusStream): Progress => {
  const counts = { ended: 0, exchanges: 0, failed: 0, blocked: 0 };
  const { stop } = showStatusLine(() => progressLine(trials, counts), stream, LOG_INTERVAL_MS);
  return {
    ended(page) {
      counts.ended += 1;
      counts.exchanges += page?.exchanges ?? 0;
      counts.failed += page?.entries.filter(({ verdict }) => verdict === "failed").length ?? 0;
      counts.blocked += page?.entries.filter(({ verdict }) => verdict === "blocked").length ?? 0;
    },
    stop,
  };
};

const progressLine = (
  trials: number,
  {
    ended,
    exchanges,
    failed,
    blocked,
  }: { ended: number; exchanges: number; failed: number; blocked: number },
): string =>
  [
    `${ended} of ${trials} trials`,
    `${exchanges} exchanges`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
  ].join(", ");
