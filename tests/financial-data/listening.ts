/** A listener for the deliveries of financial data: reachable where the target can reach one, and quick to tell silence. */
import { untilSilent } from "../../fixtures/silence.ts";
import type { Delivery } from "../../helpers/flows/delivery.ts";
import type { Receiver } from "../../helpers/flows/receiver.ts";
import { selfSigned } from "../../helpers/flows/self-signed.ts";
import { NotTried, type TrialContext } from "../../helpers/trials/trial.ts";

export interface Listener {
  /** A new address that nobody can guess. */
  address(): string;
  /** The same listener on another port than those for http and https. */
  addressOnOtherPort(): string;
  /** What was sent to the address so far. A GET is no delivery but asks who listens. */
  deliveriesAt(address: string): Delivery[];
  /** Whether anything at all came to the address. */
  isKnown(address: string): boolean;
  /**
   * Waits for that many deliveries; what there is then, or when waiting has no more sense.
   * @param patience `short` where the same was waited for in vain before
   */
  wait(address: string, count: number, patience?: "full" | "short"): Promise<Delivery[]>;
  /** What there is once more could have come: when the target says so, or after a while. */
  rest(address: string): Promise<Delivery[]>;
  /** @throws NotTried when it can't be told whether the target can reach us, so that silence proves nothing */
  assertReached(): void;
}

interface ListenerOptions {
  readonly secure?: boolean;
  /** Name under which a target that lets us choose knows the listener. */
  readonly host?: string;
}

const LIMIT_MS = { near: 3_000, far: 60_000 };
const SHORT_LIMIT_MS = { near: 500, far: 20_000 };
const REST_MS = { near: 500, far: 10_000 };
const REACHED = "financial-data deliveries arrived";
const HOST = "receiver.test";

/**
 * @param options of a target that lets us choose; a listener that the user gives is as it is
 * @throws NotTried when the target can't reach us
 */
export const listening = async (
  context: TrialContext,
  use: (listener: Listener) => Promise<void>,
  { secure = false, host = HOST }: ListenerOptions = {},
): Promise<void> => {
  const { capabilities, target } = context;
  const isPublic = target.values.RECEIVER_PUBLIC_URL !== undefined;
  const isResolved = !isPublic && capabilities.resolveReceiver !== undefined;
  if (!isPublic && !isResolved && !isOnThisMachine(context))
    throw new NotTried("needs deliveries: set RECEIVER_PUBLIC_URL and RECEIVER_PORT");
  const own = isResolved && secure;
  const receiver = await (own ? context.secureReceiver(selfSigned(host)) : context.receiver());
  if (isResolved) await capabilities.resolveReceiver?.(host, receiver.url);
  const origin = isResolved ? `${secure ? "https" : "http"}://${host}` : undefined;
  await use(listenerOf(context, receiver, origin));
};

const isOnThisMachine = ({ target, contract }: TrialContext): boolean => {
  const url = target.baseUrls[contract.service];
  return url !== undefined && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(new URL(url).hostname);
};

const listenerOf = (context: TrialContext, receiver: Receiver, origin: string | undefined): Listener => {
  const pace = context.target.values.RECEIVER_PUBLIC_URL === undefined ? "near" : "far";
  const all = (address: string) => receiver.about(wordOf(address));
  const deliveriesAt = (address: string) => all(address).filter(({ method }) => method !== "GET");
  const given: string[] = [];
  const newAddress = (): string => {
    const address = receiver.address();
    given.push(address);
    return address;
  };
  return {
    address: () => {
      const address = newAddress();
      return origin === undefined ? address : `${origin}${new URL(address).pathname}`;
    },
    addressOnOtherPort: () => {
      const url = new URL(newAddress());
      if (context.target.values.RECEIVER_PUBLIC_URL !== undefined) url.port = "8443";
      return url.href;
    },
    deliveriesAt,
    isKnown: (address) => all(address).length > 0,
    async wait(address, count, patience = "full") {
      const others = all(address).length - deliveriesAt(address).length;
      const limit = patience === "full" ? LIMIT_MS[pace] : SHORT_LIMIT_MS[pace];
      const came = await receiver.wait(wordOf(address), limit, others + count);
      if (came.length > 0) context.memory.set(REACHED, true);
      return deliveriesAt(address);
    },
    async rest(address) {
      await untilSilent(context, REST_MS[pace]);
      return deliveriesAt(address);
    },
    assertReached() {
      const isReached = given.some((address) => all(address).length > 0);
      if (origin !== undefined || context.memory.get(REACHED) === true || isReached) return;
      throw new NotTried(
        `nothing that the target sends has reached us: can it reach ${receiver.url}? See RECEIVER_PUBLIC_URL`,
      );
    },
  };
};

/** The part of an address that nobody can guess. */
const wordOf = (address: string): string => new URL(address).pathname.split("/").at(-1) ?? "";
