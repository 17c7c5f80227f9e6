/** POST /cards: enrolls a card into the consumer profile of the identity value. */
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/call.ts";
import { isObject } from "../engine/values/fields.ts";
import { type CardOrRefusal, cardOfReceipt, decryptCard } from "./cards.ts";
import { enrollmentBody } from "./enrollment-body.ts";
import type { Call } from "./faults.ts";
import type { CardKeys } from "./keys.ts";
import { openViolations } from "./open-violations.ts";
import {
  conflict,
  inDeclaredShape,
  internalFailure,
  invalidArgument,
  invalidState,
  unavailable,
} from "./refusals.ts";
import { type CardEnrollmentState, enroll, profileOf } from "./state.ts";

const RETRY_AFTER_SECONDS = 30;

export const putCard = async (state: CardEnrollmentState, keys: CardKeys, call: Call): Promise<Answer> => {
  const violations = openViolations(call);
  if (violations.length > 0) return invalidArgument(violations);
  const unresolved = resolve(state, call);
  if (unresolved !== undefined) return unresolved;
  const found = await findCard(state, keys, call);
  if ("refusal" in found) return found.refusal;
  const program = programOf(state, call);
  const profile = profileOf(state, identityOf(state, call));
  const enrolled = enroll(state, profile, program, found.card.primaryAccountNumber);
  const refusal = enrolled.enrollments > 1 ? repeated(call) : undefined;
  if (refusal !== undefined) return refusal;
  const json = enrollmentBody(state, call, { profile, enrolled, card: found.card });
  const seen = found.difference && { headers: { "encryption-seen": found.difference } };
  return { status: 200, json, ...seen };
};

/**
 * Refuses unknown ids and simulates failures. Malformed ids arrive only if a fault accepts them; this function accepts
 * them too.
 */
const resolve = (state: CardEnrollmentState, { body, faulty, differs }: Call): Answer | undefined => {
  const srcClientId = readAt(body, "/srcClientId");
  const client = typeof srcClientId === "string" ? clientOf(state, srcClientId, faulty) : undefined;
  if (client === "failing") return internalFailure();
  if (client === "unavailable") {
    const recovery = new Date(state.clock.now().getTime() + RETRY_AFTER_SECONDS * 1000);
    return unavailable(differs("recovery-as-date") ? recovery.toUTCString() : String(RETRY_AFTER_SECONDS));
  }
  if (client === "refused-in-declared-shape") return inDeclaredShape("srcClientId");
  if (client === undefined && isUuid(srcClientId) && !faulty("unknown-client-accepted")) {
    return invalidState("srcClientId", "unknown-client");
  }
  const serviceId = readAt(body, "/serviceId");
  if (serviceId === "" && differs("empty-service-accepted")) return undefined;
  const wellFormed = typeof serviceId === "string" && /^[0-9a-zA-Z#_-]*$/.test(serviceId);
  const isTaken = state.programs.some((one) => isTakenForProgram(String(serviceId), one, faulty));
  if (wellFormed && !state.programs.includes(serviceId) && !isTaken && !faulty("unknown-program-accepted")) {
    return invalidState("serviceId", "unknown-program");
  }
  return undefined;
};

/** Returns the client of an identifier, or with a fault the client of a similar one. */
const clientOf = ({ clients }: CardEnrollmentState, id: string, faulty: Call["faulty"]) => {
  const isLike = (right: string): boolean =>
    (faulty("start-of-client-accepted") && id.slice(0, HALF) === right.slice(0, HALF)) ||
    (faulty("end-of-client-accepted") && id.slice(HALF) === right.slice(HALF));
  return clients.get(id) ?? [...clients].find(([right]) => isLike(right))?.[1];
};

/** Half of the characters of a UUID. */
const HALF = 18;

const isTakenForProgram = (given: string, right: string, faulty: Call["faulty"]): boolean =>
  (faulty("longer-program-accepted") && given.startsWith(right)) ||
  (faulty("prefixed-program-accepted") && given.endsWith(right)) ||
  (faulty("program-with-other-middle-accepted") && given.length === right.length && given[0] === right[0]);

const repeated = ({ differs }: Call): Answer | undefined => {
  if (differs("repeated-enrollment-conflict")) return conflict();
  return differs("repeated-enrollment-refused") ? invalidState("encryptedCard", "repeated") : undefined;
};

const isUuid = (value: unknown): boolean =>
  typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

/**
 * Finds the card. The document does not define a request with both enrollment paths or with none; this service refuses
 * it as ambiguous, unless a permitted difference accepts it.
 */
const findCard = async (state: CardEnrollmentState, keys: CardKeys, call: Call): Promise<CardOrRefusal> => {
  const { body, faulty, differs } = call;
  const encrypted = readAt(body, "/encryptedCard");
  const reference = readAt(body, "/enrolmentReferenceData");
  const undecided = (encrypted === undefined) === (reference === undefined);
  if (undecided && body !== undefined && !faulty("schema-not-enforced") && isObject(body)) {
    const onFile = encrypted === undefined;
    if (onFile && differs("neither-accepted")) {
      return { card: cardOfReceipt(state.identifiers, `on file ${identityOf(state, call)}`) };
    }
    if (onFile) return { refusal: demand("encryptedCard") };
    if (!differs("both-accepted"))
      return { refusal: invalidArgument([{ path: ["encryptedCard"], keyword: "not", absent: false }]) };
  }
  if (typeof encrypted === "string") {
    if (faulty("card-number-path-refused")) return { refusal: demand("enrolmentReferenceData") };
    return decryptCard(encrypted, keys, call, cardOfReceipt(state.identifiers, ""));
  }
  if (faulty("receipt-path-refused")) return { refusal: demand("encryptedCard") };
  if (differs("receipts-unknown"))
    return { refusal: invalidState("enrolmentReferenceData.enrolmentReferenceId", "unknown-receipt") };
  const receipt = JSON.stringify(readAt(reference, "/enrolmentReferenceId") ?? "");
  return { card: cardOfReceipt(state.identifiers, receipt) };
};

const demand = (field: string): Answer =>
  invalidArgument([{ path: [field], keyword: "required", absent: true }]);

const programOf = (state: CardEnrollmentState, { body, faulty }: Call): string => {
  const [first = "", second = ""] = state.programs;
  const requested = readAt(body, "/serviceId") || undefined;
  if (faulty("other-program")) return requested === first ? second : first;
  return typeof requested === "string" ? requested : first;
};

const identityOf = (state: CardEnrollmentState, { body, faulty }: Call): string => {
  if (faulty("one-profile-for-all")) return "";
  const valueAt = (pointer: string): string => JSON.stringify(readAt(body, `/consumer${pointer}`) ?? "");
  if (faulty("profile-by-phone")) return valueAt("/mobileNumber");
  const identity = valueAt("/consumerIdentity/identityValue");
  if (faulty("profile-by-address-and-phone")) return `${identity} ${valueAt("/mobileNumber")}`;
  return faulty("new-profile-each-time") ? `${identity} ${state.next("profile")}` : identity;
};
