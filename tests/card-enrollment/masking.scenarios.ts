/** Masked card and consumer records: nothing that was sent in clear comes back in clear. */

import { acceptedPaths } from "../../fixtures/card-enrollment/acceptance.ts";
import {
  type Enrollment,
  enroll,
  isEnrolled,
  sampleEnrollments,
} from "../../fixtures/card-enrollment/enrollment.ts";
import { id } from "../../fixtures/card-enrollment/ids.ts";
import { scenario } from "../../fixtures/card-enrollment/trial.ts";
import { HOLDS, violation } from "../../helpers/checks/check.ts";
import {
  type Clear,
  checkLooksMasked,
  checkMaskedField,
  checkNowhereInClear,
} from "../../helpers/checks/masking.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

interface SentConsumer {
  readonly firstName: string;
  readonly lastName: string;
  readonly consumerIdentity: { readonly identityValue: string };
  readonly mobileNumber: { readonly phoneNumber: string };
}

/** Masked field of the response, and the parts of the request that its value is made of. */
const MASKED_FIELDS: readonly (readonly [field: string, clear: (consumer: SentConsumer) => string[]])[] = [
  ["maskedFirstName", ({ firstName }) => [firstName]],
  ["maskedLastName", ({ lastName }) => [lastName]],
  ["maskedFullName", ({ firstName, lastName }) => [firstName, lastName]],
  ["maskedEmailAddress", ({ consumerIdentity }) => [consumerIdentity.identityValue]],
];

/** Values of the address that the document itself gives a form that no mask fits (gaps: masked address values). */
const UNMASKED_IN_ADDRESS = new Set(["addressId", "countryCode", "createTime", "lastUsedTime"]);

export const maskingScenarios: readonly Trial[] = [
  scenario(
    {
      id: "masking/response",
      title: "card and consumer come back masked",
      section: "What the service does",
      requirements: [
        "response.card-and-consumer-records-masked",
        ...MASKED_FIELDS.map(([field]) => `response.maskedConsumer.${field}.string`),
        "response.maskedCard.paymentAccountReference.non-financial",
        "response.maskedAddress.values-masked",
      ],
    },
    async (context) => {
      let carried = 0;
      for (const path of await acceptedPaths(context)) {
        for (const enrollment of await sampleEnrollments(context, path, 4)) {
          const exchange = await enroll(context, enrollment);
          if (!isEnrolled(exchange)) continue;
          carried += 1;
          judgeMasking(context, enrollment, exchange);
        }
      }
      if (carried > 0) sayWhatWasNotCarried(context);
    },
  ),
];

const judgeMasking = (context: TrialContext, enrollment: Enrollment, exchange: Exchange): void => {
  const { judge } = context;
  const body = exchange.response?.json;
  const { consumer } = enrollment.body as unknown as { consumer: SentConsumer };
  const number = enrollment.card?.primaryAccountNumber;
  const secrets: Clear[] = [
    { what: "the identity value", value: consumer.consumerIdentity.identityValue },
    { what: "the phone number", value: consumer.mobileNumber.phoneNumber },
    ...(typeof number === "string" ? [{ what: "the card number", value: number }] : []),
  ];
  judge.record(id("response.card-and-consumer-records-masked"), checkNowhereInClear(body, secrets), [
    exchange,
  ]);
  for (const [field, clear] of MASKED_FIELDS) {
    const result = checkMaskedField(body, `/maskedConsumer/${field}`, clear(consumer));
    if (result !== undefined) judge.record(id(`response.maskedConsumer.${field}.string`), result, [exchange]);
  }
  const { maskedCard } = (body ?? {}) as { maskedCard?: Record<string, unknown> };
  judgeAccountReference(context, maskedCard?.paymentAccountReference, number, exchange);
  for (const [field, value] of Object.entries((maskedCard?.maskedBillingAddress ?? {}) as object)) {
    if (UNMASKED_IN_ADDRESS.has(field)) continue;
    const result = checkLooksMasked(`/maskedCard/maskedBillingAddress/${field}`, value);
    if (result !== undefined) judge.record(id("response.maskedAddress.values-masked"), result, [exchange]);
  }
};

const judgeAccountReference = (
  { judge }: TrialContext,
  reference: unknown,
  number: unknown,
  exchange: Exchange,
): void => {
  if (typeof reference !== "string" || typeof number !== "string") return;
  const isNumber = reference.replaceAll(/\D/g, "") === number;
  const result = isNumber
    ? violation({
        pointer: "/maskedCard/paymentAccountReference",
        message: "paymentAccountReference is the card number itself",
        expected: "a non-financial reference",
        actual: reference,
      })
    : HOLDS;
  judge.record(id("response.maskedCard.paymentAccountReference.non-financial"), result, [exchange]);
};

const sayWhatWasNotCarried = ({ judge }: TrialContext): void => {
  for (const [field] of MASKED_FIELDS) {
    const requirement = id(`response.maskedConsumer.${field}.string`);
    if (!judge.hasVerdict(requirement))
      judge.notTried(requirement, `no response carried maskedConsumer.${field}`);
  }
  const rest = [
    ["response.maskedCard.paymentAccountReference.non-financial", "maskedCard.paymentAccountReference"],
    ["response.maskedAddress.values-masked", "maskedCard.maskedBillingAddress"],
  ] as const;
  for (const [requirement, field] of rest) {
    if (!judge.hasVerdict(id(requirement))) judge.notTried(id(requirement), `no response carried ${field}`);
  }
};
