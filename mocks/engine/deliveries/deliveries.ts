/** Sends webhooks, events and callbacks, retries them on the clock of their tenant, and logs them. */
import { setImmediate as immediately, setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { counter } from "../values/identifiers.ts";
import type { Stores } from "../values/image.ts";
import { type Edit, editAt } from "../values/pointer.ts";
import { type Destinations, NO_DESTINATIONS, type Resolution, routeTo } from "./destinations.ts";
import { type OutgoingRequest, type Reply, sendTo } from "./outgoing.ts";

export interface Deliveries {
  /** Sends immediately, and retries on failure. It never throws, because the log records the result. */
  send(delivery: Delivery): Promise<DeliveryRecord>;
  /** Logs a delivery that the sandbox only simulates, such as an e-mail. */
  note(delivery: Delivery): DeliveryRecord;
  /** Sends a single call that is not a delivery, such as the verification of a listener. */
  call(request: OutgoingRequest): Promise<Reply>;
  /** Waits until no request is in flight. Deliveries that wait for a retry do not count. */
  settled(): Promise<void>;
  readonly log: readonly DeliveryRecord[];
  /** The objects in which deliveries are kept. */
  readonly stores: Stores;
  /** Continues the retries of an image. */
  resume(): void;
  /** Sends all further requests for that host and port to another address. */
  resolve(resolution: Resolution): void;
}

export interface Delivery extends Omit<OutgoingRequest, "method"> {
  /** A name for people: `report-callback`, `webhook`. */
  readonly kind: string;
  readonly body: unknown;
  /** POST if absent. */
  readonly method?: OutgoingRequest["method"];
  /** Milliseconds to wait before the first attempt. */
  readonly lateBy?: number;
  /** What a fault changes in the body, after it has been written in the words of the provider's document. */
  readonly changes?: readonly { readonly pointer: string; readonly edit: Edit }[];
}

export interface DeliveryRecord extends Omit<Delivery, "headers" | "changes"> {
  readonly id: number;
  /** `pending` until the last attempt; `refused` when the sandbox may not send to that address. */
  status: "pending" | "delivered" | "failed" | "refused";
  readonly attempts: {
    /** ISO 8601, on the clock of the tenant. */
    readonly at: string;
    readonly status?: number;
    readonly problem?: string;
  }[];
}

/** A delivery whose next attempt is due. */
interface Waiting {
  readonly delivery: Delivery;
  readonly record: DeliveryRecord;
  /** Milliseconds since 1970. */
  readonly due: number;
}

/** Milliseconds from each failed attempt to the next attempt. */
const RETRY_AFTER: readonly number[] = [30_000, 300_000, 3_600_000];

const KEPT = 10_000;

export const deliveriesOf = (clock: Clock, destinations: Destinations = NO_DESTINATIONS): Deliveries => {
  const log: DeliveryRecord[] = [];
  const resolutions = [...destinations.resolutions];
  const reach = { allowed: destinations.allowed, resolutions };
  const underWay = new Set<Promise<Reply>>();
  const waiting = new Set<Waiting>();
  const next = counter();
  const retry = (entry: Waiting): void => {
    waiting.add(entry);
    clock.at(entry.due, () => {
      waiting.delete(entry);
      return attempt(entry.delivery, entry.record);
    });
  };
  const exchange = (request: OutgoingRequest, lateBy?: number): Promise<Reply> => {
    const exchanged = () => exchangeWith(reach, request);
    const reply = lateBy === undefined ? exchanged() : wait(lateBy).then(exchanged);
    underWay.add(reply);
    return reply.finally(() => underWay.delete(reply));
  };
  const attempt = async (delivery: Delivery, record: DeliveryRecord): Promise<void> => {
    const { lateBy } = record.attempts.length === 0 ? delivery : {};
    const reply = await exchange({ method: "POST", ...delivery }, lateBy);
    record.attempts.push({
      at: clock.now().toISOString(),
      ...("status" in reply ? { status: reply.status } : { problem: reply.problem }),
    });
    if ("refused" in reply) record.status = "refused";
    else if ("status" in reply && reply.status < 300) record.status = "delivered";
    else {
      const pause = RETRY_AFTER[record.attempts.length - 1];
      if (pause === undefined) record.status = "failed";
      else retry({ delivery, record, due: clock.now().getTime() + pause });
    }
  };
  const logged = ({ kind, url, body }: Delivery, status: DeliveryRecord["status"]): DeliveryRecord => {
    const record: DeliveryRecord = { id: next("delivery"), kind, url, body, status, attempts: [] };
    log.push(record);
    if (log.length > KEPT) log.shift();
    return record;
  };
  return {
    note: (delivery) => logged(delivery, "delivered"),
    send: async ({ changes = [], ...given }) => {
      const body = changes.reduce((changed, { pointer, edit }) => editAt(changed, pointer, edit), given.body);
      const delivery = { ...given, body };
      const record = logged(delivery, "pending");
      await attempt(delivery, record);
      return record;
    },
    call: (request) => exchange(request),
    settled: async () => {
      // A response can cause another request, which is sent right after it.
      do {
        await Promise.all(underWay);
        await immediately();
      } while (underWay.size > 0);
    },
    log,
    stores: { deliveries: { log, waiting }, "delivery-counts": next.counts },
    resume: () => {
      for (const entry of [...waiting]) retry(entry);
    },
    resolve: (resolution) => {
      resolutions.unshift(resolution);
    },
  };
};

const exchangeWith = async (destinations: Destinations, request: OutgoingRequest): Promise<Reply> => {
  if (!URL.canParse(request.url)) return { problem: "The address is malformed.", refused: true };
  const url = new URL(request.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { problem: "Only http and https addresses can be reached.", refused: true };
  }
  const route = routeTo(url, destinations);
  if ("refused" in route) return { problem: route.refused, refused: true };
  return sendTo(url, route, request);
};
