/** Shows the progress of a long command. */
import { type StatusStream, showStatusLine } from "../../reports/render/status-line.ts";

const LOG_INTERVAL_MS = 10_000;

export const showCount = (total: number, stream: StatusStream) => {
  const named = new Map<string, number>();
  const started = performance.now();
  let ended = 0;
  const line = (): string => {
    const seconds = Math.round((performance.now() - started) / 1000);
    const names = [...named].map(([name, count]) => `${count} ${name}`);
    return [`${ended} of ${total}`, ...names, `${seconds} s`].join(", ");
  };
  const { stop } = showStatusLine(line, stream, LOG_INTERVAL_MS);
  return {
    /** Counts one more task as ended, and each of the names. */
    ended(...names: readonly string[]): void {
      ended += 1;
      for (const name of names) named.set(name, (named.get(name) ?? 0) + 1);
    },
    stop,
  };
};
