/** Tells how far a long command is: one line that is rewritten on a terminal, a line now and then elsewhere. */

export interface Count {
  /** One more has ended; each name is counted as well. */
  ended(...names: readonly string[]): void;
  stop(): void;
}

type Stream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 10_000;

export const showCount = (total: number, stream: Stream): Count => {
  const named = new Map<string, number>();
  const started = Date.now();
  let ended = 0;
  let told = "";
  const tell = (): void => {
    const seconds = Math.round((Date.now() - started) / 1000);
    const names = [...named].map(([name, count]) => `${count} ${name}`);
    const line = [`${ended} of ${total}`, ...names, `${seconds} s`].join(", ");
    if (line === told) return;
    told = line;
    stream.write(stream.isTTY ? `\r\u001b[2K${line.slice(0, (stream.columns || 80) - 1)}` : `${line}\n`);
  };
  const timer = setInterval(tell, stream.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  timer.unref();
  return {
    ended(...names) {
      ended += 1;
      for (const name of names) named.set(name, (named.get(name) ?? 0) + 1);
    },
    stop() {
      clearInterval(timer);
      if (stream.isTTY) stream.write("\r\u001b[2K");
    },
  };
};
