/** The receivers of a session's trials: opened on the first use in a trial, closed when the trial ends. */
import { createHash } from "node:crypto";
import type { Delivery } from "../flows/delivery.ts";
import { openReceiver, type Receiver, unguessable } from "../flows/receiver.ts";
import { openSharedReceiver, receiverOf, type SharedReceiver } from "../flows/shared-receiver.ts";
import { receiverPlace } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";
import type { Trial, TrialContext } from "./trial.ts";

interface Setting {
  readonly target: Target;
  readonly seed: number;
  readonly tag?: string | undefined;
  /** Returns the receiver of the run if the user set a port; otherwise the session opens its own. */
  readonly receiver?: (() => Promise<SharedReceiver | undefined>) | undefined;
}

export const createReceivers = (setting: Setting) => {
  let own: ReturnType<typeof openSharedReceiver> | undefined;
  const open = async (word: () => string): Promise<Receiver> => {
    const { port, publicUrl } = receiverPlace(setting.target);
    if (port === undefined) return openReceiver({ word });
    const shared = await setting.receiver?.();
    if (shared !== undefined) return receiverOf(shared, word);
    own ??= openSharedReceiver({ port, ...(publicUrl !== undefined && { publicUrl }) });
    return receiverOf(await own, word);
  };
  return {
    /** `close` returns the deliveries of the trial; `undefined` if it opened no receiver. */
    inTrial(
      trial: Trial,
    ): Pick<TrialContext, "receiver" | "secureReceiver"> & { close(): Promise<Delivery[] | undefined> } {
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
        close: () => closeAll(opened),
      };
    },
    async close(): Promise<void> {
      const [opened] = await Promise.allSettled([own]);
      if (opened.status === "fulfilled") await opened.value?.close();
    },
  };
};

const closeAll = async (opened: readonly Promise<Receiver>[]): Promise<Delivery[] | undefined> => {
  const all = await Promise.allSettled(opened);
  const receivers = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  await Promise.all(receivers.map((receiver) => receiver.close()));
  return receivers.length === 0 ? undefined : receivers.flatMap(({ deliveries }) => deliveries);
};

/** Returns predictable words for the embedded sandbox, so that the same seed gives the same run. */
const knownWords = ({ service, id }: Trial, { seed }: Setting): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(`${seed} ${service} ${id} ${count}`).digest("hex").slice(0, 32);
  };
};
