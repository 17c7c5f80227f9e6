/** The kinds of data that a user may choose. */
import { defined } from "../../helpers/contract/json.ts";
import { type Kind, resources, single } from "../engine/data/kinds.ts";
import {
  described,
  filledText,
  integer,
  listOf,
  milliseconds,
  oneOf,
  optional,
  record,
  textLike,
  uuid,
} from "../engine/data/parts.ts";
import { type CardEnrollmentState, cardKey } from "./state.ts";

const keys: Kind<CardEnrollmentState> = single({
  name: "keys",
  holds: ["keys"],
  part: record({
    apiKey: optional(filledText),
    unvalidatedApiKey: optional(filledText),
    encryption: optional(textLike(/^-----BEGIN PRIVATE KEY-----/)),
  }),
  of: ({ keys: own, encryption: { privateKey } }) => ({ ...own, encryption: privateKey }),
  set: (state, { encryption = state.encryption.privateKey, ...chosen }) => {
    Object.assign(state.keys, defined(chosen));
    state.encryption.privateKey = encryption;
  },
});

const clients: Kind<CardEnrollmentState> = resources({
  name: "clients",
  holds: ["clients"],
  limits: { minItems: 1 },
  description: "They replace the clients of the sandbox. The first one is in the configuration.",
  key: "id",
  row: record({
    id: uuid,
    result: optional(oneOf("served", "failing", "unavailable", "refused-in-declared-shape")),
  }),
  all: (state) => [...state.clients].map(([id, result]) => ({ id, result })),
  clear: (state) => state.clients.clear(),
  add: (state, { id, result = "served" }) => void state.clients.set(id, result),
});

const programs: Kind<CardEnrollmentState> = single({
  name: "programs",
  holds: [],
  part: described(
    listOf(textLike(/^[0-9a-zA-Z#_-]+$/), { minItems: 1 }),
    "They replace the programs of the sandbox. The first one is in the configuration.",
  ),
  of: ({ programs: own }) => own,
  set: (state, chosen) => void state.programs.splice(0, state.programs.length, ...chosen),
});

const profiles: Kind<CardEnrollmentState> = resources({
  name: "profiles",
  holds: ["profiles"],
  key: "identityValue",
  row: record({
    identityValue: filledText,
    srcConsumerId: optional(uuid),
    added: optional(milliseconds),
    cards: optional(
      listOf(
        record({
          srcDigitalCardId: optional(uuid),
          program: filledText,
          primaryAccountNumber: textLike(/^\d{10,19}$/),
          enrollments: optional(integer({ minimum: 1 })),
        }),
      ),
    ),
  }),
  all: (state) =>
    [...state.profiles].map(([identity, { srcConsumerId, added, cards }]) => ({
      identityValue: JSON.parse(identity) as string,
      srcConsumerId,
      added: added.getTime(),
      cards: [...cards].map(([key, { srcDigitalCardId, program, enrollments }]) => {
        const primaryAccountNumber = JSON.parse(key)[1] as string;
        return { srcDigitalCardId, program, primaryAccountNumber, enrollments };
      }),
    })),
  add: (state, { identityValue, added, cards = [], srcConsumerId }) => {
    const identity = JSON.stringify(identityValue);
    const consumer = srcConsumerId ?? state.identifiers.uuid("consumer", identity);
    state.profiles.set(identity, {
      srcConsumerId: consumer,
      added: added === undefined ? state.clock.now() : new Date(added),
      cards: new Map(
        cards.map(({ program, primaryAccountNumber, enrollments = 1, srcDigitalCardId }) => {
          const key = cardKey(program, primaryAccountNumber);
          const id = srcDigitalCardId ?? state.identifiers.uuid("card", consumer, key);
          return [key, { srcDigitalCardId: id, program, enrollments }];
        }),
      ),
    });
  },
});

export const KINDS: readonly Kind<CardEnrollmentState>[] = [keys, clients, programs, profiles];
