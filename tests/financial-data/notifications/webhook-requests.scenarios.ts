/** Webhook subscriptions: pages of the list, and the request id that every operation accepts. */

import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import {
  CREATE,
  eventNames,
  eventsIn,
  NAMES,
  NOWHERE,
  READ,
  subscribing,
} from "../../../fixtures/financial-data/webhook-calls.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { accepted, answerTo, assertAccepted } from "../../../helpers/trials/kit/asking.ts";
import { type Contents, validCall } from "../../../helpers/trials/kit/calls.ts";
import { judgePages } from "../../../helpers/trials/kit/lists.ts";
import { loose, operationOf } from "../../../helpers/trials/kit/names.ts";
import { identifierIn, itemsIn } from "../../../helpers/trials/kit/reading.ts";
import { judgeAccepted, pass } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Webhook subscriptions");
const LIST = "listWebhookSubscriptions";
const REQUEST_ID = "webhooks.request-id-header-accepted";

/**
 * Operations on an existing subscription. Their order ensures that each operation finds the resources that it needs.
 */
const ON_SUBSCRIPTION: readonly (readonly [operationId: string, contents?: Contents])[] = [
  [READ],
  [LIST],
  ["updateWebhookSubscription", { fields: { url: NOWHERE } }],
  ["updateWebhookSubscriptionEvent"],
  ["changeWebhookSubscriptionEventStatus", { fields: { status: "active" } }],
  ["changeWebhookSubscriptionStatus", { fields: { status: "active" } }],
  ["testWebhookSubscription"],
  ["testWebhookSubscriptionBasedOnEventId"],
  ["deleteWebhookSubscriptionEvent"],
  ["deleteWebhookSubscription"],
];

export const webhookRequestScenarios: readonly Trial[] = [
  scenario({
    id: "webhooks/pages",
    title: "offset and limit page the list of subscriptions",
    operations: [LIST],
    requirements: ["listWebhookSubscriptions.offset-limit"],
    run: (context) =>
      subscribing(context, async (subscribe) => {
        const [name = ""] = await eventNames(context);
        for (let index = 0; index < 3; index++) await subscribe(NOWHERE, [{ name }]);
        await readUntil(
          context,
          () => accepted(context, LIST),
          (exchange) => itemsIn(context, exchange).length > 1,
        );
        await judgePages(context, "listWebhookSubscriptions.offset-limit", LIST, {}, true);
      }),
  }),

  scenario({
    id: "webhooks/request-id",
    title: "every operation accepts a request with the request id",
    operations: [NAMES, CREATE, ...ON_SUBSCRIPTION.map(([operationId]) => operationId)],
    requirements: [REQUEST_ID],
    async run(context) {
      const listed = await withRequestId(context, await validCall(context, NAMES));
      const name = identifierIn(context, listed, "webhook-event-name");
      const fields = { url: NOWHERE, events: [{ name }] };
      const named = { "webhook-event-name": name };
      const created = await withRequestId(context, await validCall(context, CREATE, named, { fields }));
      const about = {
        ...named,
        "webhook-subscription": identifierIn(context, created, "webhook-subscription"),
        "webhook-event": eventsIn(context, created)[0]?.id ?? "",
      };
      for (const [operationId, changed = {}] of ON_SUBSCRIPTION)
        await withRequestId(context, await validCall(context, operationId, about, changed));
    },
  }),
];

/**
 * Sends the call with a request id, and without one if the first is refused, and returns the accepted answer.
 * @throws NotTried when both are refused
 */
const withRequestId = async (context: TrialContext, call: Call): Promise<Exchange> => {
  const { parameters } = operationOf(context, call.operationId);
  const header = parameters.find((one) => one.in === "header" && loose(one.name).endsWith("requestid"));
  if (header === undefined)
    throw new NotTried(`${call.operationId} takes no request id in the document that was given`);
  const probe = await answerTo(context, call);
  if (isAccepted(probe)) {
    pass(context, REQUEST_ID, [probe]);
    return probe;
  }
  const control = await answerTo(context, { ...call, headers: { ...call.headers, [header.name]: null } });
  assertAccepted(context, control);
  judgeAccepted(context, REQUEST_ID, `${call.operationId} with a request id`, [probe, control], header.name);
  return control;
};
