/** Builds the body of an accepted enrollment, with every optional field (EnrollCardResponse). */
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Fields } from "../engine/values/fields.ts";
import type { Card } from "./cards.ts";
import type { Behaviour, Call } from "./faults.ts";
import sample from "./sample-data.json" with { type: "json" };
import type { CardEnrollmentState, EnrolledCard, Profile } from "./state.ts";

export interface Enrollment {
  readonly profile: Profile;
  readonly enrolled: EnrolledCard;
  readonly card: Card;
}

export const enrollmentBody = (state: CardEnrollmentState, given: Call, enrollment: Enrollment): unknown => {
  const call = withRare(given, enrollment);
  return {
    srcCorrelationId: correlationOf(state, call),
    maskedCard: maskedCard(state, call, enrollment),
    maskedConsumer: maskedConsumer(state, call, enrollment),
  };
};

/** Adds the faults that few answers show: of a first name as long as it may be, or of some cards in a wallet. */
const withRare = (call: Call, { card }: Enrollment): Call => {
  const name = readAt(call.body, "/consumer/firstName");
  const isLong = typeof name === "string" && Array.from(name).length === LONGEST_NAME;
  const isOfWallet = readAt(call.body, "/cardSource") === "WALLET";
  if (!isLong && !(isOfWallet && /[34]$/.test(card.primaryAccountNumber))) return call;
  return { ...call, faulty: (asked) => call.faulty(asked) || call.faulty(`${asked}-rarely` as Behaviour) };
};

const LONGEST_NAME = 30;

const DAY = 86_400_000;

const correlationOf = (state: CardEnrollmentState, { body, faulty, differs }: Call): unknown => {
  const sent = readAt(body, "/srcCorrelationId");
  if (typeof sent === "string") state.lastCorrelation = sent;
  else if (faulty("correlation-of-last") && state.lastCorrelation !== undefined) return state.lastCorrelation;
  if (typeof sent === "string" && !faulty("correlation-not-echoed"))
    return differs("correlation-normalized") ? sent.slice(-36).toUpperCase() : sent;
  if (sent === undefined && faulty("correlation-not-generated")) return undefined;
  if (sent === undefined && faulty("correlation-constant")) return state.identifiers.uuid("correlation");
  return state.identifiers.uuid("correlation", state.next("correlation"));
};

const maskedCard = (
  state: CardEnrollmentState,
  call: Call,
  { profile, enrolled, card }: Enrollment,
): Fields => {
  const { faulty, differs } = call;
  const { identifiers, clock } = state;
  const pan = card.primaryAccountNumber;
  const bin = pan.slice(0, differs("bin-of-eight-digits") ? 8 : differs("bin-of-four-digits") ? 4 : 6);
  const token = faulty("one-token-for-all") ? [] : [enrolled.srcDigitalCardId, enrolled.enrollments];
  return {
    srcDigitalCardId: faulty("one-card-id-for-all")
      ? identifiers.uuid("card")
      : cardIdOf(state, call, enrolled),
    panBin: faulty("bin-of-another-card") ? otherDigits(bin) : bin,
    panLastFour: faulty("last-four-of-another-card") ? otherDigits(pan.slice(-4)) : pan.slice(-4),
    tokenUniqueReference: identifiers.key("token", ...token),
    tokenLastFour: identifiers.digits(4, "token", ...token),
    ...sample.card,
    digitalCardData: digitalCardData(call, enrolled),
    panExpirationMonth: card.panExpirationMonth,
    panExpirationYear: card.panExpirationYear,
    dateOfCardCreated: timeText(enrollmentDate(clock.now(), faulty), differs),
    serviceId: faulty("other-program-shown") ? `${enrolled.program}-2` : enrolled.program,
    maskedBillingAddress: maskedAddress(state, call, profile),
    paymentAccountReference: faulty("pan-as-account-reference") ? pan : identifiers.key("account", pan),
    ...(faulty("pan-in-clear") && { primaryAccountNumber: pan }),
  };
};

const isNewAgain = ({ differs }: Call, { enrollments }: EnrolledCard): boolean =>
  enrollments > 1 && differs("enrolled-again-as-new-card");

const cardIdOf = ({ identifiers }: CardEnrollmentState, call: Call, enrolled: EnrolledCard): string =>
  isNewAgain(call, enrolled)
    ? identifiers.uuid("card", enrolled.srcDigitalCardId, enrolled.enrollments)
    : enrolled.srcDigitalCardId;

const digitalCardData = (call: Call, enrolled: EnrolledCard): Fields => {
  const { status, descriptorName, ...others } = sample.digitalCardData;
  const isByReceipt = readAt(call.body, "/encryptedCard") === undefined;
  return {
    ...(!(isByReceipt && call.differs("no-card-status-for-receipts")) && { status }),
    ...(call.faulty("card-suspended") && { status: "SUSPENDED" }),
    descriptorName: isNewAgain(call, enrolled) ? `${descriptorName}, replaced` : descriptorName,
    ...others,
  };
};

const enrollmentDate = (now: Date, faulty: Call["faulty"]): Date => {
  const shift = faulty("created-in-the-past") ? -400 * DAY : faulty("created-in-the-future") ? 400 * DAY : 0;
  return new Date(now.getTime() + shift);
};

/** Writes a time in ISO 8601, in UTC. */
const timeText = (time: Date, differs: Call["differs"]): string => {
  const text = time.toISOString();
  if (differs("times-to-the-second")) return text.replace(/\.\d+/, "");
  if (differs("times-in-basic-format")) return text.replaceAll(/[-:]|\.\d+/g, "");
  return differs("times-with-zero-offset") ? text.replace("Z", "+00:00") : text;
};

const otherDigits = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));

const maskedAddress = (
  { identifiers, clock }: CardEnrollmentState,
  { differs, faulty }: Call,
  profile: Profile,
): Fields => ({
  ...sample.maskedAddress,
  ...(faulty("line1-in-clear") && { line1: "12 Harbour Lane" }),
  addressId: identifiers.uuid("address", profile.srcConsumerId),
  createTime: timeText(profile.added, differs),
  lastUsedTime: timeText(clock.now(), differs),
});

const maskedConsumer = (
  { clock }: CardEnrollmentState,
  { body, faulty, differs }: Call,
  { profile }: Enrollment,
): Fields => {
  const text = (pointer: string): string => {
    const value = readAt(body, pointer);
    return typeof value === "string" ? value : "";
  };
  const shown = (
    field: "identity-value" | "email" | "first-name" | "full-name" | "last-name" | "phone-number",
    value: string,
    mask: (clear: string) => string,
  ) => (faulty(`${field}-in-clear`) ? value : mask(value));
  const unlessShort =
    (behaviour: "short-first-name-in-clear" | "short-last-name-in-clear", longest: number) =>
    (value: string): string =>
      value.length <= longest && faulty(behaviour) ? value : maskText(value);
  const email = text("/consumer/consumerIdentity/identityValue");
  const [first, last] = [text("/consumer/firstName"), text("/consumer/lastName")];
  const maskWords = (value: string) => value.split(" ").map(maskText).join(" ");
  return {
    complianceSettings: {
      privacy: { acceptedVersion: text("/complianceSettings/privacy/latestVersionUri") },
      tnc: { acceptedVersion: text("/complianceSettings/tnc/latestVersionUri") },
    },
    countryCode: twoLetters(text("/consumer/countryCode"), "US"),
    dateConsumerAdded: timeText(profile.added, differs),
    dateConsumerLastUsed: timeText(clock.now(), differs),
    languageCode: twoLetters(text("/consumer/languageCode"), "en"),
    maskedConsumerIdentity: {
      identityType: "EMAIL_ADDRESS",
      maskedIdentityValue: shown("identity-value", email, maskEmail),
    },
    maskedEmailAddress: shown("email", email, maskEmail),
    maskedFirstName: shown("first-name", first, unlessShort("short-first-name-in-clear", 1)),
    maskedFullName: shown("full-name", `${first} ${last}`, maskWords),
    maskedLastName: shown("last-name", last, unlessShort("short-last-name-in-clear", 2)),
    maskedMobileNumber: {
      countryCode: text("/consumer/mobileNumber/countryCode"),
      phoneNumber: shown("phone-number", text("/consumer/mobileNumber/phoneNumber"), (clear) =>
        maskNumber(clear, differs("phone-masked-with-digits") ? "0" : "*"),
      ),
    },
    srcConsumerId: profile.srcConsumerId,
    status: faulty("profile-locked") ? "LOCKED" : "ACTIVE",
  };
};

/** Replaces an invalid value that a fault accepted, so that the answer stays valid. */
const twoLetters = (value: string, fallback: string): string =>
  /^[A-Za-z]{2}$/.test(value) ? value : fallback;

/** A mask. A masked value keeps a recognizable part but is never complete. */
const MASK = "***";

/** Keeps the first letter of a value that is long enough. */
const maskText = (value: string): string => {
  const letters = Array.from(value);
  return letters.length > 3 ? `${letters[0]}${MASK}` : MASK;
};

/** Keeps the first letters of the local part and of the domain. */
const maskEmail = (value: string): string => {
  const at = value.lastIndexOf("@");
  if (at < 0) return maskText(value);
  return `${maskText(value.slice(0, at))}@${maskText(value.slice(at + 1))}`;
};

/** Keeps the last two digits of a number that is long enough. */
const maskNumber = (value: string, mask: string): string =>
  value.length > 5 ? `${mask.repeat(value.length - 2)}${value.slice(-2)}` : mask.repeat(MASK.length);
