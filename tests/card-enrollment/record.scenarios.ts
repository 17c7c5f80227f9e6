/** The record that an enrollment leaves: its identifiers, its digits, its time. */

import { requireAccepted } from "../../fixtures/card-enrollment/acceptance.ts";
import { acceptable, responseBody, sendAll } from "../../fixtures/card-enrollment/accepted.ts";
import { enroll, sampleEnrollments } from "../../fixtures/card-enrollment/enrollment.ts";
import { id } from "../../fixtures/card-enrollment/ids.ts";
import { scenario } from "../../fixtures/card-enrollment/trial.ts";
import { checkBin, checkLastFour } from "../../helpers/checks/card-digits.ts";
import { checkEchoed, checkGenerated } from "../../helpers/checks/correlation-id.ts";
import { checkDistinct, checkSame } from "../../helpers/checks/identity.ts";
import { checkTimeOfEvent } from "../../helpers/checks/time-of-event.ts";
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { seedOf } from "../../helpers/trials/seed.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

export const recordScenarios: readonly Trial[] = [
  scenario(
    {
      id: "record/correlation-echoed",
      title: "a correlation id comes back as it was sent",
      section: "SrcCorrelationId",
      requirements: ["response.srcCorrelationId.echoed"],
    },
    async (context) => {
      for (const enrollment of await acceptable(context, 3, { with: ["/srcCorrelationId"] })) {
        const exchange = await enroll(context, enrollment);
        if (!isAccepted(exchange)) continue;
        const { srcCorrelationId } = enrollment.body as { srcCorrelationId: string };
        const result = checkEchoed(srcCorrelationId, responseBody(exchange).srcCorrelationId);
        context.judge.record(id("response.srcCorrelationId.echoed"), result, [exchange]);
      }
    },
  ),

  scenario(
    {
      id: "record/correlation-generated",
      title: "a request without a correlation id gets a new one",
      section: "SrcCorrelationId",
      requirements: ["response.srcCorrelationId.generated-when-absent"],
    },
    async (context) => {
      const exchanges = await sendAll(
        context,
        await acceptable(context, 3, { without: ["/srcCorrelationId"] }),
      );
      if (exchanges.length < 2) return;
      const result = checkGenerated(exchanges.map((exchange) => responseBody(exchange).srcCorrelationId));
      context.judge.record(id("response.srcCorrelationId.generated-when-absent"), result, exchanges);
    },
  ),

  scenario(
    {
      id: "record/profile",
      title: "identityValue leads to one profile, and another value to another",
      section: "ConsumerIdentity",
      requirements: ["request.consumer.consumerIdentity.identityValue.locates-profile"],
    },
    async (context) => {
      const requirement = id("request.consumer.consumerIdentity.identityValue.locates-profile");
      const [first, second, third] = await acceptable(context, 3);
      if (first === undefined || second === undefined || third === undefined) return;
      const again = { ...second, body: { ...second.body, consumer: first.body.consumer } };
      const exchanges = await sendAll(context, [first, again, third]);
      if (exchanges.length < 3) return;
      const ids = exchanges.map((exchange) => responseBody(exchange).maskedConsumer?.srcConsumerId);
      if (ids.includes(undefined)) {
        context.judge.notTried(requirement, "no response carried maskedConsumer.srcConsumerId");
        return;
      }
      const pointer = "/maskedConsumer/srcConsumerId";
      const [one, same, other] = exchanges as [Exchange, Exchange, Exchange];
      context.judge.record(requirement, checkSame(pointer, "identityValue", ids.slice(0, 2)), [same, one]);
      context.judge.record(requirement, checkDistinct(pointer, "identityValue", [ids[0], ids[2]]), [
        other,
        one,
      ]);
    },
  ),

  scenario(
    {
      id: "record/unique-ids",
      title: "two different cards never share an identifier",
      section: "MaskedCard",
      requirements: [
        "response.maskedCard.srcDigitalCardId.unique",
        "response.maskedCard.tokenUniqueReference.reference",
      ],
    },
    async (context) => {
      const exchanges = await sendAll(context, await acceptable(context, 4));
      if (exchanges.length < 2) return;
      for (const [field, requirement] of [
        ["srcDigitalCardId", "response.maskedCard.srcDigitalCardId.unique"],
        ["tokenUniqueReference", "response.maskedCard.tokenUniqueReference.reference"],
      ] as const) {
        const values = exchanges.map((exchange) => responseBody(exchange).maskedCard?.[field]);
        if (values.every((value) => value === undefined)) {
          context.judge.notTried(id(requirement), `no response carried maskedCard.${field}`);
          continue;
        }
        const present = values.filter((value) => value !== undefined);
        const result = checkDistinct(`/maskedCard/${field}`, "card", present);
        context.judge.record(id(requirement), result, exchanges);
      }
    },
  ),

  scenario(
    {
      id: "record/digits",
      title: "the digits shown are those of the enrolled card",
      section: "MaskedCard",
      requirements: [
        "response.maskedCard.panBin.first-pan-digits",
        "response.maskedCard.panLastFour.last-pan-digits",
      ],
    },
    async (context) => {
      await requireAccepted(context, "card-number");
      for (const enrollment of await sampleEnrollments(context, "card-number", 5)) {
        const exchange = await enroll(context, enrollment);
        const { maskedCard } = responseBody(exchange);
        const number = enrollment.card?.primaryAccountNumber;
        if (!isAccepted(exchange) || typeof number !== "string") continue;
        const { judge } = context;
        judge.record(
          id("response.maskedCard.panBin.first-pan-digits"),
          checkBin(number, maskedCard?.panBin),
          [exchange],
        );
        judge.record(
          id("response.maskedCard.panLastFour.last-pan-digits"),
          checkLastFour(number, maskedCard?.panLastFour),
          [exchange],
        );
      }
    },
  ),

  scenario(
    {
      id: "record/time",
      title: "dateOfCardCreated is the time of the enrollment",
      section: "MaskedCard",
      requirements: ["response.maskedCard.dateOfCardCreated.is-enrollment-time"],
    },
    async (context) => {
      const requirement = id("response.maskedCard.dateOfCardCreated.is-enrollment-time");
      // Cards of this run alone: one that an earlier run enrolled may keep the time of that.
      const seed = seedOf(context.seed, context.tag ?? "");
      const exchanges = await sendAll(context, await acceptable(context, 3, {}, seed));
      for (const exchange of exchanges) {
        const pointer = "/maskedCard/dateOfCardCreated";
        const stated = responseBody(exchange).maskedCard?.dateOfCardCreated;
        const result = checkTimeOfEvent(exchange, pointer, stated, context.clock.ahead);
        if (result !== undefined) context.judge.record(requirement, result, [exchange]);
      }
      if (exchanges.length > 0 && !context.judge.hasVerdict(requirement)) {
        context.judge.notTried(requirement, "no dateOfCardCreated is in a notation that can be read here");
      }
    },
  ),
];
