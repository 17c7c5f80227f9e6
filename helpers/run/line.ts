/** A process's line to the hub of its run. When the line is cut, the run is over: nobody is left to tell anything. */
import { connect } from "node:net";
import type { Allowance } from "../exchange/allowance.ts";
import { createAnnouncer, type Letterhead, type SharedReceiver } from "../flows/shared-receiver.ts";
import type { Change } from "../trials/made.ts";
import {
  type FromHub,
  type HubAddress,
  listen,
  type Question,
  readDelivery,
  type ToHub,
  tell,
  type Wish,
} from "./messages.ts";
import type { Sent } from "./tally.ts";

export interface Line {
  readonly allowance: Allowance;
  /** That of the run, where one listens for all; whatever comes after it was asked for arrives here as well. */
  readonly receiver?: () => Promise<SharedReceiver>;
  /** Tells what was made or removed on the target. */
  changed(change: Change): void;
  /** Tells what was sent, where the run only counts. */
  sent(sent: Sent): void;
  /** Comes back when all that was told is on its way. */
  close(): Promise<void>;
}

/** @param onCut is called when the hub is gone, unless the line was closed */
export const openLine = ({ port, word, letterhead }: HubAddress, onCut: () => void): Line => {
  const socket = connect(port, "127.0.0.1");
  let isClosed = false;
  const say = (message: ToHub): void => tell(socket, message);
  const { ask, answered, refuseAll } = asker(say);
  say({ word });
  const { subscribe, announce } = createAnnouncer();
  listen<FromHub>(socket, (message) => {
    if ("delivery" in message) return announce(readDelivery(message.delivery));
    answered(message.answer, message.granted);
  });
  // A line alone keeps no process alive.
  socket.unref();
  socket.on("error", () => {});
  socket.once("close", () => {
    refuseAll();
    if (!isClosed) onCut();
  });
  let heard: Promise<boolean> | undefined;
  const receiverWith = async (letterhead: Letterhead): Promise<SharedReceiver> => {
    heard ??= ask({ for: "deliveries" });
    await heard;
    return { letterhead, subscribe };
  };
  return {
    ...(letterhead && { receiver: () => receiverWith(letterhead) }),
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

const asker = (say: (question: Question) => void) => {
  const asked = new Map<number, (granted: boolean) => void>();
  let asking = 0;
  return {
    ask: (wish: Wish): Promise<boolean> =>
      new Promise((resolve) => {
        asking += 1;
        asked.set(asking, resolve);
        say({ ask: asking, ...wish });
      }),
    answered(number: number, granted: boolean): void {
      asked.get(number)?.(granted);
      asked.delete(number);
    },
    refuseAll(): void {
      for (const refuse of asked.values()) refuse(false);
    },
  };
};
