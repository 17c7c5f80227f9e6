/** The state of the card enrollment service: clients, programs, keys, consumer profiles and their cards. */

import type { Clock } from "../engine/clock.ts";
import type { Opening } from "../engine/service.ts";
import type { Fields } from "../engine/values/fields.ts";
import { type Counter, counter, type Identifiers, identifiersOf } from "../engine/values/identifiers.ts";

export interface CardEnrollmentState {
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly apiKey: string;
  /** The key of a caller whose client identity is not validated. */
  readonly unvalidatedApiKey: string;
  /** By srcClientId. The first client is in the configuration. */
  readonly clients: Map<string, Client>;
  /** By serviceId. The first program is in the configuration. */
  readonly programs: readonly string[];
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

/** The data that a user may choose. `data.schema.json` describes the same for the user. */
export interface Chosen {
  readonly keys?: { readonly apiKey?: string; readonly unvalidatedApiKey?: string };
  readonly clients?: readonly { readonly id: string; readonly result?: Client }[];
  readonly programs?: readonly string[];
  readonly profiles?: readonly ChosenProfile[];
}

interface ChosenProfile {
  readonly identityValue: string;
  readonly srcConsumerId?: string;
  readonly added?: string;
  readonly cards?: readonly {
    readonly srcDigitalCardId?: string;
    readonly program: string;
    readonly primaryAccountNumber: string;
    readonly enrollments?: number;
  }[];
}

export const createState = ({ seed, clock, data }: Opening) => {
  const identifiers = identifiersOf(seed);
  const { keys = {}, clients, programs, profiles = [] } = data as Chosen;
  const served = clients ?? [{ id: identifiers.uuid("client", 0) }];
  const state: CardEnrollmentState = {
    clock,
    identifiers,
    apiKey: keys.apiKey ?? identifiers.key("api-key"),
    unvalidatedApiKey: keys.unvalidatedApiKey ?? identifiers.key("unvalidated-api-key"),
    clients: new Map(
      served.map(({ id, result = "served" }: { id: string; result?: Client }) => [id, result]),
    ),
    programs: programs ?? ["", "-B"].map((ending) => `PROGRAM_${identifiers.digits(4, "program")}${ending}`),
    profiles: new Map(),
    next: counter(),
  };
  for (const profile of profiles) putProfile(state, profile);
  return state;
};

const putProfile = (state: CardEnrollmentState, chosen: ChosenProfile): void => {
  const { identityValue, added, cards = [], srcConsumerId } = chosen;
  const identity = JSON.stringify(identityValue);
  const profile: Profile = {
    srcConsumerId: srcConsumerId ?? state.identifiers.uuid("consumer", identity),
    added: added === undefined ? state.clock.now() : new Date(added),
    cards: new Map(),
  };
  state.profiles.set(identity, profile);
  for (const { program, primaryAccountNumber, enrollments = 1, srcDigitalCardId } of cards) {
    const card = enroll(state, profile, program, primaryAccountNumber);
    profile.cards.set(cardKey(program, primaryAccountNumber), {
      ...card,
      enrollments,
      ...(srcDigitalCardId !== undefined && { srcDigitalCardId }),
    });
  }
};

const cardKey = (program: string, primaryAccountNumber: string): string =>
  JSON.stringify([program, primaryAccountNumber]);

/** Returns the present state in the form of `data.schema.json`. */
export const dumpOf = (state: CardEnrollmentState): Fields => {
  const { apiKey, unvalidatedApiKey, clients, programs, profiles } = state;
  return {
    keys: { apiKey, unvalidatedApiKey },
    clients: [...clients].map(([id, result]) => ({ id, result })),
    programs,
    profiles: [...profiles].map(([identity, { srcConsumerId, added, cards }]) => ({
      identityValue: JSON.parse(identity),
      srcConsumerId,
      added: added.toISOString(),
      cards: [...cards].map(([key, { srcDigitalCardId, program, enrollments }]) => {
        const primaryAccountNumber = JSON.parse(key)[1];
        return { srcDigitalCardId, program, primaryAccountNumber, enrollments };
      }),
    })),
  };
};

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
  const srcClientId = state.identifiers.uuid("client", state.next("client"));
  state.clients.set(srcClientId, client);
  return srcClientId;
};
