/** The connection of a process to the coordinator of its run. A lost connection ends the run. */
import { connect } from "node:net";
import type { Allowance } from "../exchange/allowance.ts";
import { createAnnouncer, type SharedReceiver } from "../flows/shared-receiver.ts";
import type { Change } from "../trials/created-resources.ts";
import type { ProbedIds } from "../trials/probed-resources.ts";
import type { RunPlan } from "../trials/run-info.ts";
import type { SharedTokens } from "../trials/shared-tokens.ts";
import {
  type CoordinatorAddress,
  type CoordinatorRequest,
  type FromCoordinator,
  listen,
  type Question,
  type Reply,
  readDelivery,
  send,
  type ToCoordinator,
} from "./messages.ts";
import type { Sent } from "./tally.ts";

export interface CoordinatorClient {
  /** @throws Error when the coordinator has ended */
  plan(): Promise<RunPlan>;
  readonly allowance: Allowance;
  /** Whether the budget of the run leaves no request. */
  isBudgetSpent(): Promise<boolean>;
  /**
   * Returns the shared receiver of the run. From now on, its deliveries also arrive in this process.
   * @returns `undefined` when the run has none
   */
  receiver(): Promise<SharedReceiver | undefined>;
  readonly tokens: SharedTokens;
  /** The ids of the resources that accepted probes of any process of the run stored. */
  readonly probed: ProbedIds;
  /** Returns the position of the next unused item of a list in the situations file. */
  take(list: string): Promise<number>;
  /** Reports a resource that was created or removed on the target. */
  changed(change: Change): void;
  /** Reports a request, when the run only counts requests. */
  sent(sent: Sent): void;
  /** Resolves when all messages have been sent. */
  close(): Promise<void>;
}

/** @param onCut called when the connection is lost, but not after `close` */
export const connectToCoordinator = (
  { port, word }: CoordinatorAddress,
  onCut: () => void,
): CoordinatorClient => {
  const socket = connect(port, "127.0.0.1");
  let isClosed = false;
  const sendMessage = (message: ToCoordinator): void => send(socket, message);
  const { ask, answered, refuseAll } = asker(sendMessage);
  sendMessage({ word });
  const { subscribe, announce } = createAnnouncer();
  const { probed, hear } = probedIds(sendMessage);
  listen<FromCoordinator>(socket, (message) => {
    if ("delivery" in message) return announce(readDelivery(message.delivery));
    if ("probed" in message) return hear(message.probed);
    answered(message.answer, message);
  });
  // The connection alone must not keep the process alive.
  socket.unref();
  socket.on("error", () => {});
  socket.once("close", () => {
    refuseAll();
    if (!isClosed) onCut();
  });
  let heard: Promise<Reply> | undefined;
  const receiver = async (): Promise<SharedReceiver | undefined> => {
    heard ??= ask({ for: "deliveries" });
    const { signer } = await heard;
    return signer && { signer, subscribe };
  };
  let waiting = 0;
  /** Asks, and keeps the process alive until the answer, at its start and at its end. */
  const waitFor = async (question: CoordinatorRequest): Promise<Reply> => {
    waiting += 1;
    socket.ref();
    const reply = await ask(question);
    waiting -= 1;
    if (waiting === 0) socket.unref();
    return reply;
  };
  const plan = async (): Promise<RunPlan> => {
    const reply = await waitFor({ for: "plan" });
    if (reply.plan === undefined) throw new Error("The run that this process belongs to is over.");
    return reply.plan;
  };
  const { bill, unused } = leaser(ask);
  return {
    plan,
    isBudgetSpent: async () => (await waitFor({ for: "spent" })).granted,
    receiver,
    allowance: {
      bill,
      turn: async () => void (await ask({ for: "turn" })),
      spend: async (service) => (await ask({ for: "spend", service })).granted,
      attempt: async (risk) => (await ask({ for: "attempt", risk })).granted,
      attempted: (risk, harm) => sendMessage({ attempted: risk, harm }),
    },
    tokens: {
      hold: async (service) => (await ask({ for: "token", service })).issued,
      release: (service, given) => sendMessage({ released: service, ...(given && { given }) }),
    },
    probed,
    take: async (list) => (await ask({ for: "situation", list })).position ?? 0,
    changed: (change) => sendMessage({ change }),
    sent: (sent) => sendMessage({ sent }),
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        if (socket.destroyed) return resolve();
        socket.once("close", () => resolve());
        sendMessage({ unbilled: unused() });
        socket.end();
      }),
  };
};

/** Takes billable calls from the coordinator, several at a time. */
const leaser = (ask: (request: CoordinatorRequest) => Promise<Reply>) => {
  let leased = 0;
  const bill = async (): Promise<boolean> => {
    if (leased === 0) {
      const { calls = 0 } = await ask({ for: "bill" });
      // Add to the current value, because another reply may have changed it in the meantime.
      leased += calls;
    }
    if (leased === 0) return false;
    leased -= 1;
    return true;
  };
  return { bill, unused: () => leased };
};

/** @returns `hear`: takes an id from another process */
const probedIds = (sendMessage: (message: ToCoordinator) => void) => {
  const ids = new Set<string>();
  const probed: ProbedIds = {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      sendMessage({ probed: id });
    },
  };
  return { probed, hear: (id: string): void => void ids.add(id) };
};

const asker = (sendMessage: (question: Question) => void) => {
  const asked = new Map<number, (reply: Reply) => void>();
  let asking = 0;
  return {
    ask: (request: CoordinatorRequest): Promise<Reply> =>
      new Promise((resolve) => {
        asking += 1;
        asked.set(asking, resolve);
        sendMessage({ ask: asking, ...request });
      }),
    answered(number: number, reply: Reply): void {
      asked.get(number)?.(reply);
      asked.delete(number);
    },
    refuseAll(): void {
      for (const refuse of asked.values()) refuse({ granted: false });
    },
  };
};
