/** Masked card and consumer records: no response returns sensitive values in clear. */

import { acceptableByEach } from "../../fixtures/card-enrollment/acceptance.ts";
import { type Enrollment, enroll, isEnrolled } from "../../fixtures/card-enrollment/enrollment.ts";
import { scenariosIn } from "../../fixtures/card-enrollment/trial.ts";
import {
  type Clear,
  checkLooksMasked,
  checkMaskedField,
  checkNowhereInClear,
} from "../../helpers/checks/masking.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import { applyEdit } from "../../helpers/generate/edit.ts";
import { judgeThat, leaveRestUntried, record } from "../../helpers/trials/kit/verdicts.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("What the service does");

interface SentConsumer {
  readonly firstName: string;
  readonly lastName: string;
  readonly consumerIdentity: { readonly identityValue: string };
  readonly mobileNumber: { readonly phoneNumber: string };
}

/** Masked fields of the response, and the request values that each one masks. */
const MASKED_FIELDS: readonly (readonly [field: string, clear: (consumer: SentConsumer) => string[]])[] = [
  ["maskedFirstName", ({ firstName }) => [firstName]],
  ["maskedLastName", ({ lastName }) => [lastName]],
  ["maskedFullName", ({ firstName, lastName }) => [firstName, lastName]],
  ["maskedEmailAddress", ({ consumerIdentity }) => [consumerIdentity.identityValue]],
];

const REFERENCE = "response.maskedCard.paymentAccountReference.non-financial";
const ADDRESS = "response.maskedAddress.values-masked";

/** Optional fields of a response, by the requirement that is not tried without them. */
const CARRIED = [
  ...MASKED_FIELDS.map(
    ([field]) => [`response.maskedConsumer.${field}.string`, `maskedConsumer.${field}`] as const,
  ),
  [REFERENCE, "maskedCard.paymentAccountReference"],
  [ADDRESS, "maskedCard.maskedBillingAddress"],
] as const;

/** Address fields with a documented format that a mask would violate (gaps: masked address values). */
const UNMASKED_IN_ADDRESS = new Set(["addressId", "countryCode", "createTime", "lastUsedTime"]);

export const maskingScenarios: readonly Trial[] = [
  scenario({
    id: "masking/response",
    title: "the response masks the card and the consumer",
    requirements: [
      "response.card-and-consumer-records-masked",
      ...CARRIED.map(([requirement]) => requirement),
    ],
    async run(context) {
      let carried = 0;
      const enrollments = await acceptableByEach(context, 4);
      for (const enrollment of [...enrollments, ...enrollments.slice(0, 1).map(withShortNames)]) {
        const exchange = await enroll(context, enrollment);
        if (!isEnrolled(exchange)) continue;
        carried += 1;
        judgeMasking(context, enrollment, exchange);
      }
      if (carried === 0) return;
      for (const [requirement, field] of CARRIED)
        leaveRestUntried(context, requirement, `no response carried ${field}`);
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

const judgeMasking = (context: TrialContext, enrollment: Enrollment, exchange: Exchange): void => {
  const body = exchange.response?.json;
  const { consumer } = enrollment.body as unknown as { consumer: SentConsumer };
  const number = enrollment.card?.primaryAccountNumber;
  const secrets: Clear[] = [
    { what: "the identity value", value: consumer.consumerIdentity.identityValue },
    { what: "the phone number", value: consumer.mobileNumber.phoneNumber },
    ...(typeof number === "string" ? [{ what: "the card number", value: number }] : []),
  ];
  record(context, "response.card-and-consumer-records-masked", checkNowhereInClear(body, secrets), [
    exchange,
  ]);
  for (const [field, clear] of MASKED_FIELDS) {
    const result = checkMaskedField(body, `/maskedConsumer/${field}`, clear(consumer));
    record(context, `response.maskedConsumer.${field}.string`, result, [exchange]);
  }
  const { maskedCard } = (body ?? {}) as { maskedCard?: Record<string, unknown> };
  judgeAccountReference(context, maskedCard?.paymentAccountReference, number, exchange);
  for (const [field, value] of Object.entries((maskedCard?.maskedBillingAddress ?? {}) as object)) {
    if (UNMASKED_IN_ADDRESS.has(field)) continue;
    const result = checkLooksMasked(`/maskedCard/maskedBillingAddress/${field}`, value);
    record(context, ADDRESS, result, [exchange]);
  }
};

const judgeAccountReference = (
  context: TrialContext,
  reference: unknown,
  number: unknown,
  exchange: Exchange,
): void => {
  if (typeof reference !== "string" || typeof number !== "string") return;
  judgeThat(context, REFERENCE, reference.replaceAll(/\D/g, "") !== number, [exchange], {
    pointer: "/maskedCard/paymentAccountReference",
    message: "paymentAccountReference is the card number itself",
    expected: "a non-financial reference",
    actual: reference,
  });
};
