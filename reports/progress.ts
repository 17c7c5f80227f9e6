/** Tells how far a run is: one line that is rewritten on a terminal, a line now and then elsewhere. */
import type { LedgerPage } from "../helpers/trials/ledger.ts";

export interface Progress {
  ended(page: LedgerPage | undefined): void;
  stop(): void;
}

type Stream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 2000;

export const showProgress = (trials: number, stream: Stream): Progress => {
  const counts = { ended: 0, exchanges: 0, failed: 0, blocked: 0 };
  let told = "";
  const tell = (): void => {
    const line = progressLine(trials, counts);
    if (line === told) return;
    told = line;
    stream.write(stream.isTTY ? `\r\u001b[2K${line.slice(0, (stream.columns || 80) - 1)}` : `${line}\n`);
  };
  const timer = setInterval(tell, stream.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  timer.unref();
  return {
    ended(page) {
      counts.ended += 1;
      counts.exchanges += page?.exchanges ?? 0;
      counts.failed += page?.entries.filter(({ verdict }) => verdict === "failed").length ?? 0;
      counts.blocked += page?.entries.filter(({ verdict }) => verdict === "blocked").length ?? 0;
    },
    stop() {
      clearInterval(timer);
      if (stream.isTTY) stream.write("\r\u001b[2K");
    },
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
