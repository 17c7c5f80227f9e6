/** Ends the test runner when the process that started it is gone, in order as long as that lasts. */
import { openLine } from "./line.ts";
import type { HubAddress } from "./messages.ts";

const PATIENCE_MS = 10_000;

/** For the test runner alone: its workers have lines of their own. */
export const endWithHub = (hub: HubAddress): void => {
  if (process.env.TEST_WORKER_INDEX !== undefined) return;
  openLine(hub, () => {
    process.kill(process.pid, "SIGINT");
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
  });
};
