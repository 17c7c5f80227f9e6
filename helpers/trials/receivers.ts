/** The receivers of a session's trials: opened when a trial asks for them, closed when it ends. */
import { createHash } from "node:crypto";
import { type Lease, leaseReceiver } from "../flows/leased-receiver.ts";
import { openReceiver, type Receiver, unguessable } from "../flows/receiver.ts";
import { receiverOf, type SharedReceiver } from "../flows/shared-receiver.ts";
import { receiverPlace } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";
import type { Trial, TrialContext } from "./trial.ts";

export type Receivers = Pick<TrialContext, "receiver" | "secureReceiver">;

interface Setting {
  readonly target: Target;
  readonly seed: number;
  readonly tag?: string | undefined;
  /** That of the run, where the user gave a port; without it the sessions of the process share one. */
  readonly receiver?: (() => Promise<SharedReceiver | undefined>) | undefined;
}

export interface SessionReceivers {
  inTrial(trial: Trial): Receivers & { close(): Promise<void> };
  close(): Promise<void>;
}

export const createReceivers = (setting: Setting): SessionReceivers => {
  let lease: Promise<Lease> | undefined;
  const open = async (word: () => string): Promise<Receiver> => {
    const { port, publicUrl } = receiverPlace(setting.target);
    if (port === undefined) return openReceiver({ word });
    const shared = await setting.receiver?.();
    if (shared !== undefined) return receiverOf(shared, word);
    lease ??= leaseReceiver({ port, ...(publicUrl !== undefined && { publicUrl }) });
    return receiverOf(await lease, word);
  };
  return {
    inTrial(trial) {
      const opened: Promise<Receiver>[] = [];
      const kept = (receiver: Promise<Receiver>): Promise<Receiver> => {
        opened.push(receiver);
        return receiver;
      };
      const word = setting.tag === undefined ? knownWords(trial, setting) : unguessable;
      let plain: Promise<Receiver> | undefined;
      return {
        receiver() {
          plain ??= kept(open(word));
          return plain;
        },
        secureReceiver: (tls) => kept(openReceiver({ tls, word })),
        async close() {
          const all = await Promise.allSettled(opened);
          await Promise.all(all.map((one) => (one.status === "fulfilled" ? one.value.close() : undefined)));
        },
      };
    },
    async close() {
      const [held] = await Promise.allSettled([lease]);
      if (held.status === "fulfilled") await held.value?.release();
    },
  };
};

/** On a target of our own nobody guesses addresses, and a run is the same each time that its seed is. */
const knownWords = ({ service, id }: Trial, { seed }: Setting): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(`${seed} ${service} ${id} ${count}`).digest("hex").slice(0, 32);
  };
};
