/** Tells how far something long is: one line that is rewritten on a terminal, a line now and then elsewhere. */

export type StatusStream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

const TERMINAL_INTERVAL_MS = 100;

/** @param logIntervalMs how often a line is written where nothing can be rewritten */
export const showStatusLine = (
  line: () => string,
  stream: StatusStream,
  logIntervalMs: number,
): { stop(): void } => {
  let told = "";
  const tell = (): void => {
    const now = line();
    if (now === told) return;
    told = now;
    stream.write(stream.isTTY ? `\r\u001b[2K${now.slice(0, (stream.columns || 80) - 1)}` : `${now}\n`);
  };
  const timer = setInterval(tell, stream.isTTY ? TERMINAL_INTERVAL_MS : logIntervalMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      if (stream.isTTY) stream.write("\r\u001b[2K");
    },
  };
};
