/** The receivers of one trial: opened when it asks for them, closed when it ends. */
import { createHash } from "node:crypto";
import { openReceiver, type Receiver, type ReceiverOptions } from "../flows/receiver.ts";
import { receiverPlace } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";
import type { Trial, TrialContext } from "./trial.ts";

export type Receivers = Pick<TrialContext, "receiver" | "secureReceiver">;

interface Setting {
  readonly target: Target;
  readonly seed: number;
  readonly tag?: string | undefined;
}

export const receiversFor = (trial: Trial, setting: Setting): Receivers & { close(): Promise<void> } => {
  const opened: Promise<Receiver>[] = [];
  const word = setting.tag === undefined ? { word: knownWords(trial, setting) } : {};
  const open = (options: ReceiverOptions): Promise<Receiver> => {
    const receiver = openReceiver({ ...options, ...word });
    opened.push(receiver);
    return receiver;
  };
  let plain: Promise<Receiver> | undefined;
  return {
    receiver() {
      plain ??= open(receiverPlace(setting.target));
      return plain;
    },
    secureReceiver: (tls) => open({ tls }),
    async close() {
      const all = await Promise.allSettled(opened);
      await Promise.all(all.map((one) => (one.status === "fulfilled" ? one.value.close() : undefined)));
    },
  };
};

/** On a target of our own nobody guesses addresses, and a run is the same each time that its seed is. */
const knownWords = ({ id }: Trial, { seed }: Setting): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(`${seed} ${id} ${count}`).digest("hex").slice(0, 32);
  };
};
