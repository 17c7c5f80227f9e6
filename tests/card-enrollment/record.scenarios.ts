/** The record of an enrollment: its identifiers, its digits and its time. */
import { type Enrollment, responseBody } from "../../fixtures/card-enrollment/enrollment.ts";
import { scenariosIn, type T } from "../../fixtures/card-enrollment/trial.ts";
import { checkBin, checkLastFour } from "../../helpers/checks/card-digits.ts";
import { checkEchoed, checkGenerated } from "../../helpers/checks/correlation-id.ts";
import { checkDistinct, checkSame } from "../../helpers/checks/identity.ts";
import { checkTimeOfEvent } from "../../helpers/checks/time-of-event.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { seedOf } from "../../helpers/trials/seed.ts";

const scenario = scenariosIn("MaskedCard");

const ECHOED = "response.srcCorrelationId.echoed";
const GENERATED = "response.srcCorrelationId.generated-when-absent";
const PROFILE = "request.consumer.consumerIdentity.identityValue.locates-profile";
const FIRST_DIGITS = "response.maskedCard.panBin.first-pan-digits";
const LAST_DIGITS = "response.maskedCard.panLastFour.last-pan-digits";
const TIME = "response.maskedCard.dateOfCardCreated.is-enrollment-time";

/** Requirements by the field of the masked card that must differ between cards. */
const UNIQUE = {
  srcDigitalCardId: "response.maskedCard.srcDigitalCardId.unique",
  tokenUniqueReference: "response.maskedCard.tokenUniqueReference.reference",
} as const;

export const recordScenarios = [
  scenario("record/correlation-echoed", {
    title: "the response returns the correlation id of the request",
    section: "SrcCorrelationId",
    requirements: [ECHOED],
    async run(t) {
      for (const enrollment of await t.acceptable(3, { with: ["/srcCorrelationId"] })) {
        const exchange = await t.enroll(enrollment);
        if (!isAccepted(exchange)) continue;
        const { srcCorrelationId } = enrollment.body as { srcCorrelationId: string };
        const result = checkEchoed(srcCorrelationId, responseBody(exchange).srcCorrelationId);
        t.record(ECHOED, result, [exchange]);
      }
    },
  }),

  scenario("record/correlation-generated", {
    title: "a request without a correlation id gets a new one",
    section: "SrcCorrelationId",
    requirements: [GENERATED],
    async run(t) {
      // A server may repeat what it was sent last.
      const given = await sendAll(t, await t.acceptable(1, { with: ["/srcCorrelationId"] }));
      const samples = await t.acceptable(3, { without: ["/srcCorrelationId"] });
      const exchanges = await sendAll(t, samples);
      if (exchanges.length < 2) return;
      const idOf = (exchange: Exchange) => responseBody(exchange).srcCorrelationId;
      const result = checkGenerated(exchanges.map(idOf), given.map(idOf));
      t.record(GENERATED, result, [...exchanges, ...given]);
    },
  }),

  scenario("record/profile", {
    title: "one identityValue leads to one profile, and different values to different profiles",
    section: "ConsumerIdentity",
    requirements: [PROFILE],
    async run(t) {
      const [first, ...others] = await t.acceptable(5);
      const [own = {}, , phone = {}, address = {}, other = {}] = [first, ...others].map(consumerOf);
      const consumers = [
        { consumer: own, check: checkSame },
        { consumer: { ...own, mobileNumber: phone.mobileNumber }, check: checkSame },
        // The documents do not state by what else a service finds a profile.
        { consumer: { ...own, consumerIdentity: address.consumerIdentity }, check: isFoundOtherwise },
        { consumer: other, check: checkDistinct },
      ];
      const one = first && (await t.enroll(first));
      for (const [index, { consumer, check }] of consumers.entries()) {
        const card = others[index];
        if (one === undefined || card === undefined) return;
        const exchange = await t.enroll({ ...card, body: { ...card.body, consumer } });
        const ids = [one, exchange].map((each) => responseBody(each).maskedConsumer?.srcConsumerId);
        if (!isAccepted(one) || !isAccepted(exchange) || ids.includes(undefined)) continue;
        t.record(PROFILE, check("/maskedConsumer/srcConsumerId", "identityValue", ids), [exchange, one]);
      }
      t.leaveRestUntried(PROFILE, "not-shown", "no response carried maskedConsumer.srcConsumerId");
    },
  }),

  scenario("record/unique-ids", {
    title: "two different cards never share an identifier",
    requirements: Object.values(UNIQUE),
    async run(t) {
      const exchanges = await sendAll(t, await t.acceptable(4));
      if (exchanges.length < 2) return;
      for (const [field, requirement] of Object.entries(UNIQUE)) {
        const values = exchanges.map((exchange) => responseBody(exchange).maskedCard?.[field]);
        if (values.every((value) => value === undefined)) {
          t.leaveUntried(requirement, "not-shown", `no response carried maskedCard.${field}`);
          continue;
        }
        const present = values.filter((value) => value !== undefined);
        const result = checkDistinct(`/maskedCard/${field}`, "card", present);
        t.record(requirement, result, exchanges);
      }
    },
  }),

  scenario("record/digits", {
    title: "the digits shown are those of the enrolled card",
    requirements: [FIRST_DIGITS, LAST_DIGITS],
    async run(t) {
      await t.requireAccepted("card-number");
      for (const enrollment of await t.sampleEnrollments("card-number", 5)) {
        const exchange = await t.enroll(enrollment);
        const { maskedCard } = responseBody(exchange);
        const number = enrollment.card?.primaryAccountNumber;
        if (!isAccepted(exchange) || typeof number !== "string") continue;
        t.record(FIRST_DIGITS, checkBin(number, maskedCard?.panBin), [exchange]);
        t.record(LAST_DIGITS, checkLastFour(number, maskedCard?.panLastFour), [exchange]);
      }
    },
  }),

  scenario("record/time", {
    title: "dateOfCardCreated is the time of the enrollment",
    requirements: [TIME],
    async run(t) {
      // These cards are unique to this run, because a card from an earlier run may have the time of that run.
      const seed = seedOf(t.seed, t.tag ?? "");
      const exchanges = await sendAll(t, await t.acceptable(3, {}, seed));
      for (const exchange of exchanges) {
        const pointer = "/maskedCard/dateOfCardCreated";
        const stated = responseBody(exchange).maskedCard?.dateOfCardCreated;
        const result = checkTimeOfEvent(exchange, pointer, stated, t.clock.ahead);
        t.record(TIME, result, [exchange]);
      }
      if (exchanges.length > 0)
        t.leaveRestUntried(TIME, "name-assumed", "no dateOfCardCreated has a known date format");
    },
  }),
];

const consumerOf = (enrollment: Enrollment | undefined) =>
  (enrollment?.body.consumer ?? {}) as Readonly<Record<string, unknown>>;

const isFoundOtherwise: typeof checkDistinct = (...ids) => {
  const result = checkDistinct(...ids);
  return result.holds ? result : { ...result, suspected: true };
};

/** Sends the enrollments and returns the accepted exchanges; a strict server may refuse some generated values. */
const sendAll = async (t: T, list: readonly Enrollment[]): Promise<Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const enrollment of list) exchanges.push(await t.enroll(enrollment));
  return exchanges.filter(isAccepted);
};
