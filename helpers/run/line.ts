/** A process's line to the hub of its run. When the line is cut, the run is over: nobody is left to tell anything. */
import { connect } from "node:net";
import type { Allowance } from "../exchange/allowance.ts";
import type { Change } from "../trials/made.ts";
import { type FromHub, type HubAddress, listen, type ToHub, tell } from "./messages.ts";
import type { Sent } from "./tally.ts";

export interface Line {
  readonly allowance: Allowance;
  /** Tells what was made or removed on the target. */
  changed(change: Change): void;
  /** Tells what was sent, where the run only counts. */
  sent(sent: Sent): void;
  /** Comes back when all that was told is on its way. */
  close(): Promise<void>;
}

/** @param onCut is called when the hub is gone, unless the line was closed */
export const openLine = ({ port, word }: HubAddress, onCut: () => void): Line => {
  const socket = connect(port, "127.0.0.1");
  const asked = new Map<number, (granted: boolean) => void>();
  let asking = 0;
  let isClosed = false;
  const say = (message: ToHub): void => tell(socket, message);
  const ask = (question: { for: "bill" | "turn" } | { for: "log-in"; account: string }): Promise<boolean> =>
    new Promise((resolve) => {
      asking += 1;
      asked.set(asking, resolve);
      say({ ask: asking, ...question });
    });
  say({ word });
  listen<FromHub>(socket, ({ answer, granted }) => {
    asked.get(answer)?.(granted);
    asked.delete(answer);
  });
  // A line alone keeps no process alive.
  socket.unref();
  socket.on("error", () => {});
  socket.once("close", () => {
    for (const refuse of asked.values()) refuse(false);
    if (!isClosed) onCut();
  });
  return {
    allowance: {
      bill: () => ask({ for: "bill" }),
      turn: async () => void (await ask({ for: "turn" })),
      logIn: (account) => ask({ for: "log-in", account }),
      loggedIn: (account, failed) => say({ loggedIn: account, failed }),
    },
    changed: (change) => say({ change }),
    sent: (sent) => say({ sent }),
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        if (socket.destroyed) return resolve();
        socket.once("close", () => resolve());
        socket.end();
      }),
  };
};
