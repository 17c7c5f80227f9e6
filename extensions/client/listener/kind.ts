/** A kind of listener, and the messages that it gets. */
import type { Service } from "../../../helpers/contract/contract.ts";
import { steadyNow } from "../../../helpers/contract/steady-time.ts";

export interface Message {
  /** The name of the event. */
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The duties of a listener, by the name of the probe that tries each. */
export const PROBES = [
  "accepts-events",
  "accepts-unknown-events",
  "accepts-unknown-fields",
  "accepts-absent-fields",
  "accepts-other-order",
  "accepts-other-forms",
  "accepts-repeated",
  "accepts-out-of-order",
  "accepts-fifty-at-once",
  "serves-beside-slow-sender",
  "refuses-oversize",
  "refuses-malformed",
  "refuses-other-methods",
  "refuses-other-content-types",
  "stays-up",
  "counts-repeated-once",
  "loses-no-event",
  "answers-verification",
  "has-standard-port",
  "has-https",
] as const;

export type ProbeName = (typeof PROBES)[number];

export interface ListenerKind {
  readonly kind: string;
  readonly service: Service;
  /** The operation that causes the messages, or sends them. */
  readonly operationId: string;
  /** Ids of the requirements, without the service. A probe without a requirement is not tried. */
  readonly requirements: Readonly<Partial<Record<ProbeName, string>>>;
  /**
   * Returns one message for each event of the documents.
   * @param draw gives the messages other ids, and later times
   * @param age seconds between the times in the messages and now
   */
  messages(draw: number, age?: number): readonly Message[];
  /** The pointers of fields that a message may lack, with `*` for every item. */
  readonly optional: readonly string[];
  /** Returns a message with an event that no document names. */
  unknownEvent?(draw: number): Message;
  /** The parameter of a verification, whose value the listener may repeat. */
  readonly verification?: string;
}

/** Returns an id of the form of a UUID. */
export const uuid = (draw: number, index: number): string =>
  `00000000-0000-4000-8000-${String(draw * 1000 + index).padStart(12, "0")}`;

/** Messages begin some minutes before now, so that none comes from the future. */
const STARTED = steadyNow() - 600_000;

/** Later draws are later in time. @param age seconds between the time and now */
export const timeOf = (draw: number, age: number): string =>
  new Date(STARTED + (draw - age) * 1_000).toISOString();

/** Returns the ids of the requirements of a kind. @param own probes that not every kind of listener has */
export const requirementsOf = (
  kind: string,
  ...own: readonly ProbeName[]
): Partial<Record<ProbeName, string>> =>
  Object.fromEntries([...COMMON, ...own].map((name) => [name, `listener.${kind}.${name}`]));

/** The probes that not every kind of listener has. */
const OWN: readonly ProbeName[] = [
  "accepts-unknown-events",
  "answers-verification",
  "has-standard-port",
  "has-https",
];

const COMMON = PROBES.filter((name) => !OWN.includes(name));
