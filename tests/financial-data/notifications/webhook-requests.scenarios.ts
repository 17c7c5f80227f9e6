/** Webhook subscriptions: pages of the list, and the request id that every operation takes. */

import {
  answerTo,
  identifierIn,
  judgeThat,
  operationOf,
  validCall,
  withFields,
} from "../../../fixtures/financial-data/asking.ts";
import { itemsIn, loose } from "../../../fixtures/financial-data/calls.ts";
import { tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import {
  CREATE,
  eventNames,
  eventsIn,
  NAMES,
  READ,
  subscribing,
} from "../../../fixtures/financial-data/webhook-calls.ts";
import { HOLDS } from "../../../helpers/checks/check.ts";
import { checkAccepted } from "../../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Webhook subscriptions";
const LIST = "listWebhookSubscriptions";
const REQUEST_ID = "webhooks.request-id-header-accepted";

/** Nobody is to be found there, and nothing is to be sent there. */
const NOWHERE = "https://listener.example.com/webhooks";

/** On a subscription that is there, in an order in which each finds what it needs. */
const ON_SUBSCRIPTION: readonly (readonly [
  operationId: string,
  fields?: Readonly<Record<string, unknown>>,
])[] = [
  [LIST],
  ["updateWebhookSubscription", { url: NOWHERE }],
  ["updateWebhookSubscriptionEvent"],
  ["changeWebhookSubscriptionEventStatus", { status: "active" }],
  ["changeWebhookSubscriptionStatus", { status: "active" }],
  ["testWebhookSubscription"],
  ["testWebhookSubscriptionBasedOnEventId"],
  ["deleteWebhookSubscriptionEvent"],
  ["deleteWebhookSubscription"],
];

export const webhookRequestScenarios: readonly Trial[] = [
  scenario(
    {
      id: "webhooks/pages",
      title: "offset and limit page the list of subscriptions",
      section: SECTION,
      operations: [LIST],
      requirements: ["listWebhookSubscriptions.offset-limit"],
    },
    (context) =>
      subscribing(context, async (subscribe) => {
        const requirement = "listWebhookSubscriptions.offset-limit";
        const [name = ""] = await eventNames(context);
        for (let index = 0; index < 3; index++) await subscribe(NOWHERE, [{ name }]);
        const limit = { operationId: LIST, name: "limit", value: 1, certain: true };
        if ((await tryParameter(context, requirement, {}, limit)) === undefined) return;
        const pages = [];
        for (const value of [1, 2]) {
          const base = { parameters: { limit: 1 } };
          const offset = { operationId: LIST, name: "offset", value, base, certain: true };
          const shown = await tryParameter(context, requirement, {}, offset);
          if (shown === undefined) return;
          pages.push(shown.probe);
        }
        const items = pages.map((page) => itemsIn(context, page));
        const sizes = items.map(({ length }) => length);
        const differ = JSON.stringify(items[0]) !== JSON.stringify(items[1]);
        judgeThat(context, requirement, sizes.every((size) => size === 1) && differ, pages, {
          message: differ ? "a page has not as many items as limit says" : "two pages are the same",
          expected: "one subscription on each page, another one on each",
          actual: `${sizes.join(" and ")} subscriptions${differ ? "" : ", the same ones"}`,
        });
      }),
  ),

  scenario(
    {
      id: "webhooks/request-id",
      title: "every operation accepts a request that carries the request id",
      section: SECTION,
      operations: [NAMES, CREATE, READ, ...ON_SUBSCRIPTION.map(([operationId]) => operationId)],
      requirements: [REQUEST_ID],
    },
    async (context) => {
      const listed = await withRequestId(context, await validCall(context, NAMES));
      const name = identifierIn(context, listed, "webhook-event-name");
      const named = having(context.arrange, { "webhook-event-name": name });
      const fields = { url: NOWHERE, events: [{ name }] };
      const created = await withRequestId(
        context,
        withFields(await validCall(context, CREATE, named), fields),
      );
      const subscription = having(named, {
        "webhook-subscription": identifierIn(context, created, "webhook-subscription"),
        "webhook-event": eventsIn(context, created)[0]?.id ?? "",
      });
      await withRequestId(context, await validCall(context, READ, subscription));
      for (const [operationId, changed] of ON_SUBSCRIPTION) {
        const call = await validCall(context, operationId, subscription);
        await withRequestId(context, changed === undefined ? call : withFields(call, changed));
      }
    },
  ),
];

/**
 * The answer to the call with a request id, or without one where only that is accepted.
 * @throws NotTried when both are refused
 */
const withRequestId = async (context: TrialContext, call: Call): Promise<Exchange> => {
  const { parameters } = operationOf(context, call.operationId);
  const header = parameters.find((one) => one.in === "header" && loose(one.name).endsWith("requestid"));
  if (header === undefined)
    throw new NotTried(`${call.operationId} takes no request id in the document given`);
  const probe = await answerTo(context, call);
  if (isAccepted(probe)) {
    context.judge.record(id(REQUEST_ID), HOLDS, [probe]);
    return probe;
  }
  const twin = await answerTo(context, { ...call, headers: { ...call.headers, [header.name]: null } });
  const result = checkAccepted(
    { what: `${call.operationId} with a request id`, pointer: header.name },
    probe,
    twin,
  );
  if (result === undefined)
    throw new NotTried(
      `${call.operationId} refused a call with and without a request id (${statusOf(twin)})`,
    );
  context.judge.record(id(REQUEST_ID), result, [probe, twin]);
  return twin;
};
