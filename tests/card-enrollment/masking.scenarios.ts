/** Masked card and consumer records: no response returns sensitive values in clear. */
import { checkAddress, checkReference, MASKED_FIELDS } from "../../fixtures/card-enrollment/answers.ts";
import { type Enrollment, isEnrolled } from "../../fixtures/card-enrollment/enrollment.ts";
import { scenariosIn, type T } from "../../fixtures/card-enrollment/trial.ts";
import { type Clear, checkMaskedField, checkNowhereInClear } from "../../helpers/checks/masking.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import { applyEdit } from "../../helpers/generate/edit.ts";

const scenario = scenariosIn("What the service does");

const REFERENCE = "response.maskedCard.paymentAccountReference.non-financial";
const ADDRESS = "response.maskedAddress.values-masked";

/** Optional fields of a response, by the requirement that is not tried without them. */
const CARRIED = [
  ...Object.keys(MASKED_FIELDS).map(
    (field) => [`response.maskedConsumer.${field}.string`, `maskedConsumer.${field}`] as const,
  ),
  [REFERENCE, "maskedCard.paymentAccountReference"],
  [ADDRESS, "maskedCard.maskedBillingAddress"],
] as const;

export const maskingScenarios = [
  scenario("masking/response", {
    title: "the response masks the card and the consumer",
    requirements: [
      "response.card-and-consumer-records-masked",
      ...CARRIED.map(([requirement]) => requirement),
    ],
    async run(t) {
      let carried = 0;
      const enrollments = await t.acceptableByEach(4);
      for (const enrollment of [...enrollments, ...enrollments.slice(0, 1).map(withShortNames)]) {
        const exchange = await t.enroll(enrollment);
        if (!isEnrolled(exchange)) continue;
        carried += 1;
        judgeMasking(t, enrollment, exchange);
      }
      if (carried === 0) return;
      for (const [requirement, field] of CARRIED)
        t.leaveRestUntried(requirement, "not-shown", `no response carried ${field}`);
    },
  }),
];

/** Names of one and two letters, which a mask that keeps letters may show in full. */
const withShortNames = (enrollment: Enrollment): Enrollment => ({
  ...enrollment,
  body: ["Q", "Zo"].reduce<unknown>(
    (body, value, index) =>
      applyEdit(body, { pointer: `/consumer/${index === 0 ? "firstName" : "lastName"}`, value }),
    enrollment.body,
  ) as Enrollment["body"],
});

const judgeMasking = (t: T, enrollment: Enrollment, exchange: Exchange): void => {
  const body = exchange.response?.json;
  const sent = (pointer: string): string => String(atPointer(enrollment.body, `/consumer${pointer}`));
  const number = enrollment.card?.primaryAccountNumber;
  const secrets: Clear[] = [
    { what: "the identity value", value: sent("/consumerIdentity/identityValue") },
    { what: "the phone number", value: sent("/mobileNumber/phoneNumber") },
    ...(typeof number === "string" ? [{ what: "the card number", value: number }] : []),
  ];
  t.record("response.card-and-consumer-records-masked", checkNowhereInClear(body, secrets), [exchange]);
  for (const [field, clear] of Object.entries(MASKED_FIELDS)) {
    const result = checkMaskedField(body, `/maskedConsumer/${field}`, clear.map(sent));
    t.record(`response.maskedConsumer.${field}.string`, result, [exchange]);
  }
  t.record(REFERENCE, checkReference(exchange, t), [exchange]);
  t.record(ADDRESS, checkAddress(exchange), [exchange]);
};
