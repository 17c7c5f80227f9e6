/** What the card enrollment service remembers: clients, programs, keys, consumer profiles and their cards. */

import type { Opening } from "../engine/service.ts";
import { counter, identifiersOf } from "../engine/values/identifiers.ts";

export type CardEnrollmentState = ReturnType<typeof createState>;

/** How calls for a client fare. */
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
  /** How often it was enrolled; each time it gets a new token. */
  enrollments: number;
}

export const createState = ({ seed, clock }: Opening) => {
  const identifiers = identifiersOf(seed);
  return {
    clock,
    identifiers,
    apiKey: identifiers.key("api-key"),
    /** Of a caller whose client identity is not validated. */
    unvalidatedApiKey: identifiers.key("unvalidated-api-key"),
    /** By srcClientId; the first is the one of the configuration. */
    clients: new Map<string, Client>([[identifiers.uuid("client", 0), "served"]]),
    /** By serviceId; the first is the one of the configuration. */
    programs: ["", "-B"].map((ending) => `PROGRAM_${identifiers.digits(4, "program")}${ending}`),
    /** By identityValue. */
    profiles: new Map<string, Profile>(),
    /** Counts what is new each time, such as correlation ids. */
    next: counter(),
  };
};

/** The profile that the identity value locates, made when there is none. */
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

/** Enrolling a card again renews its token and keeps its identifier. */
export const enroll = (
  state: CardEnrollmentState,
  profile: Profile,
  program: string,
  primaryAccountNumber: string,
): EnrolledCard => {
  const key = JSON.stringify([program, primaryAccountNumber]);
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
  const srcClientId = state.identifiers.uuid("client", state.next("client"));
  state.clients.set(srcClientId, client);
  return srcClientId;
};
