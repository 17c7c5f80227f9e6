/** The state of the card enrollment service: clients, programs, keys, consumer profiles and their cards. */
import type { Clock } from "../engine/clock.ts";
import type { Opening } from "../engine/service.ts";
import {
  type Counter,
  counter,
  freeId,
  type Identifiers,
  identifiersOf,
} from "../engine/values/identifiers.ts";

export interface CardEnrollmentState {
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly keys: {
    apiKey: string;
    /** The key of a caller whose client identity is not validated. */
    unvalidatedApiKey: string;
  };
  /** For encrypted cards, as PEM (PKCS #8). */
  readonly encryption: { privateKey: string };
  /** By srcClientId. The first client is in the configuration. */
  readonly clients: Map<string, Client>;
  /** By serviceId. The first program is in the configuration. */
  readonly programs: string[];
  /** The last srcCorrelationId that a request had. */
  lastCorrelation?: string;
  /** By identityValue. */
  readonly profiles: Map<string, Profile>;
  /** Counts new resources, such as correlation ids. */
  readonly next: Counter;
}

/** The result of calls for a client. */
export type Client = "served" | "failing" | "unavailable" | "refused-in-declared-shape";

export interface Profile {
  readonly srcConsumerId: string;
  readonly added: Date;
  /** By program and account number. */
  readonly cards: Map<string, EnrolledCard>;
}

export interface EnrolledCard {
  readonly srcDigitalCardId: string;
  readonly program: string;
  /** The number of enrollments of this card. Each one creates a new token. */
  enrollments: number;
}

/** @param privateKey for encrypted cards, as PEM (PKCS #8) */
export const createState = ({ seed, clock }: Opening, privateKey: string): CardEnrollmentState => {
  const identifiers = identifiersOf(seed);
  return {
    clock,
    identifiers,
    keys: {
      apiKey: identifiers.key("api-key"),
      unvalidatedApiKey: identifiers.key("unvalidated-api-key"),
    },
    encryption: { privateKey },
    clients: new Map([[identifiers.uuid("client", 0), "served"]]),
    programs: ["", "-B"].map((ending) => `PROGRAM_${identifiers.digits(4, "program")}${ending}`),
    profiles: new Map(),
    next: counter(),
  };
};

export const cardKey = (program: string, primaryAccountNumber: string): string =>
  JSON.stringify([program, primaryAccountNumber]);

/** Returns the profile of the identity value, and creates it if there is none. */
export const profileOf = (state: CardEnrollmentState, identity: string): Profile => {
  const known = state.profiles.get(identity);
  if (known !== undefined) return known;
  const profile: Profile = {
    srcConsumerId: state.identifiers.uuid("consumer", identity),
    added: state.clock.now(),
    cards: new Map(),
  };
  state.profiles.set(identity, profile);
  return profile;
};

/** Enrolls a card. A repeated enrollment renews the token and keeps the identifier. */
export const enroll = (
  state: CardEnrollmentState,
  profile: Profile,
  program: string,
  primaryAccountNumber: string,
): EnrolledCard => {
  const key = cardKey(program, primaryAccountNumber);
  const known = profile.cards.get(key);
  if (known !== undefined) {
    known.enrollments += 1;
    return known;
  }
  const srcDigitalCardId = state.identifiers.uuid("card", profile.srcConsumerId, key);
  const card: EnrolledCard = { srcDigitalCardId, program, enrollments: 1 };
  profile.cards.set(key, card);
  return card;
};

export const addClient = (state: CardEnrollmentState, client: Client): string => {
  const srcClientId = freeId(
    () => state.identifiers.uuid("client", state.next("client")),
    (id) => state.clients.has(id),
  );
  state.clients.set(srcClientId, client);
  return srcClientId;
};
