/** Webhook subscriptions: pages of the list, and the request id that every operation accepts. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { CREATE, NAMES, NOWHERE, READ } from "../../../fixtures/financial-data/webhook-calls.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { type Call, type Contents, loose, NotTried } from "../../../helpers/trials/kit/language.ts";

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

export const webhookRequestScenarios = [
  scenario("webhooks/request-id", {
    title: "every operation accepts a request with the request id",
    operations: [NAMES, CREATE, ...ON_SUBSCRIPTION.map(([operationId]) => operationId)],
    requirements: [REQUEST_ID],
    async run(t) {
      const listed = await withRequestId(t, await t.validCall(NAMES));
      const name = t.identifierIn(listed, "webhook-event-name");
      const fields = { url: NOWHERE, events: [{ name }] };
      const named = { "webhook-event-name": name };
      const created = await withRequestId(t, await t.validCall(CREATE, named, { fields }));
      const about = {
        ...named,
        "webhook-subscription": t.identifierIn(created, "webhook-subscription"),
        "webhook-event": t.eventsIn(created)[0]?.id ?? "",
      };
      for (const [operationId, changed = {}] of ON_SUBSCRIPTION)
        await withRequestId(t, await t.validCall(operationId, about, changed));
    },
  }),
];

/**
 * Sends the call with a request id, and without one if the first is refused, and returns the accepted answer.
 * @throws NotTried when both are refused
 */
const withRequestId = async (t: T, call: Call): Promise<Exchange> => {
  const { parameters } = t.operationOf(call.operationId);
  const header = parameters.find((one) => one.in === "header" && loose(one.name).endsWith("requestid"));
  if (header === undefined) throw new NotTried("document-without", call.operationId, "request id");
  const probe = await t.answerTo(call);
  if (isAccepted(probe)) {
    t.pass(REQUEST_ID, [probe]);
    return probe;
  }
  const control = await t.answerTo({ ...call, headers: { ...call.headers, [header.name]: null } });
  t.assertAccepted(control);
  t.judgeAccepted(REQUEST_ID, `${call.operationId} with a request id`, [probe, control], header.name);
  return control;
};
