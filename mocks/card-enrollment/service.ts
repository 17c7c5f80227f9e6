/** The sandbox of card enrollment. */
import { headerOf } from "../../helpers/contract/lookups.ts";
import type { Answer } from "../engine/call.ts";
import { dumpOf, fillState, schemaOf } from "../engine/data/kinds.ts";
import { isTakenFor } from "../engine/lax-comparison.ts";
import type { OpenService, SandboxService } from "../engine/service.ts";
import { missingHeader } from "../engine/wording.ts";
import { KINDS } from "./data.ts";
import { CARD_ENROLLMENT_DIFFERENCES, GENERAL } from "./differences.ts";
import { CARD_ENROLLMENT_FAULTS, type Call, UNJUDGED } from "./faults.ts";
import { cardKeys, keysIn, OTHER_ALGORITHMS, pemOf } from "./keys.ts";
import { putCard } from "./put-card.ts";
import { otherShape, refuse, tooManyCalls, unauthorized, unavailable } from "./refusals.ts";
import { addClient, type CardEnrollmentState, createState } from "./state.ts";

export const service: SandboxService = {
  service: "card-enrollment",
  open: async (opening): Promise<OpenService> => {
    let keys = await cardKeys();
    const state = createState(opening, pemOf(keys));
    fillState(KINDS, state, opening.data, opening.allows);
    return {
      environment: (baseUrl) => ({
        CARD_ENROLLMENT_BASE_URL: baseUrl,
        CARD_ENROLLMENT_API_KEY: state.keys.apiKey,
        CARD_ENROLLMENT_UNVALIDATED_API_KEY: state.keys.unvalidatedApiKey,
        CARD_ENROLLMENT_SRC_CLIENT_ID: [...state.clients.keys()][0] ?? "",
        CARD_ENROLLMENT_SERVICE_ID: state.programs[0] ?? "",
        CARD_ENROLLMENT_ENCRYPTION_KEY: keys.publicJwk,
        ...(opening.differs("other-algorithms") && {
          CARD_ENROLLMENT_ENCRYPTION_ALG: OTHER_ALGORITHMS.alg,
          CARD_ENROLLMENT_ENCRYPTION_ENC: OTHER_ALGORITHMS.enc,
        }),
      }),
      authenticate: (call) => authenticate(state, headerOf(opening.contract, "clientId"), call),
      dump: () => dumpOf(KINDS, state),
      stores: () => ({
        keys: state.encryption,
        clients: state.clients,
        profiles: state.profiles,
        counts: state.next.counts,
      }),
      resume: () => {
        // Clients hold the public key of the process that wrote the image or the data.
        if (state.encryption.privateKey !== pemOf(keys)) keys = keysIn(state.encryption.privateKey);
      },
      handlers: { putCard: (call) => putCard(state, keys, call) },
      situations: {
        "internal-failure": () => ({ CARD_ENROLLMENT_SRC_CLIENT_ID: addClient(state, "failing") }),
        "declared-error-shape": () => ({
          CARD_ENROLLMENT_SRC_CLIENT_ID: addClient(state, "refused-in-declared-shape"),
        }),
        "temporarily-unavailable": () => ({ CARD_ENROLLMENT_SRC_CLIENT_ID: addClient(state, "unavailable") }),
      },
    };
  },
  refuse,
  dataSchema: schemaOf("The data of the sandbox of card enrollment", KINDS),
  otherRefusal: otherShape,
  deviations: [...CARD_ENROLLMENT_DIFFERENCES, ...CARD_ENROLLMENT_FAULTS],
  generalDifferences: GENERAL,
  testData: { "internal-failure": [{}], "declared-error-shape": [{}], "temporarily-unavailable": [{}] },
  unjudged: UNJUDGED,
};

const authenticate = (state: CardEnrollmentState, header: string, call: Call): Answer | undefined => {
  const { headers, faulty } = call;
  const interruption = interrupt(state, call);
  if (interruption !== undefined) return interruption;
  const key = headers[header];
  if (key === undefined || key === "") {
    if (faulty("absent-key-accepted")) return undefined;
    const isKey = (value: string) => value === state.keys.apiKey || value === state.keys.unvalidatedApiKey;
    return unauthorized(401, header, "absent-key", missingHeader(header, headers, isKey));
  }
  if (key === state.keys.unvalidatedApiKey) {
    if (faulty("unvalidated-key-accepted")) return undefined;
    return unauthorized(403, header, "unvalidated-key", "The client identity is not validated.");
  }
  const isTaken = isTakenFor(faulty, "key", String(key), state.keys.apiKey);
  if (key === state.keys.apiKey || isTaken || faulty("unknown-key-accepted")) return undefined;
  return unauthorized(401, header, "unknown-key", "The key is unknown.");
};

/** The number of calls from one interruption to the next. */
const INTERRUPTION_EVERY = 80;

const interrupt = (state: CardEnrollmentState, { differs }: Call): Answer | undefined => {
  const [limited, down] = [differs("rate-limited"), differs("unavailable-at-times")];
  if (!limited && !down) return undefined;
  if (state.next("call") % INTERRUPTION_EVERY !== 0) return undefined;
  return limited ? tooManyCalls(1) : unavailable("1");
};
