/** The other way round: an issuer's own endpoint is sent notifications, and its answers are judged. */

import { id } from "../../fixtures/installments/ids.ts";
import { madeUpNotification } from "../../fixtures/installments/steps.ts";
import { checkRefusal, scenario } from "../../fixtures/installments/trial.ts";
import { HOLDS, violation } from "../../helpers/checks/check.ts";
import { checkAccepted } from "../../helpers/checks/refusal.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { sendSlowly } from "../../helpers/flows/slow-sender.ts";
import { requestTimeout } from "../../helpers/target/load-target.ts";
import type { Call } from "../../helpers/trials/call.ts";
import { NotTried, TargetLost } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

const OPERATION = "postNotifications";
const EXPOSED = "notifications.issuer-exposes-endpoint";
const OVERSIZE_BYTES = 8_000_001;

export const issuerTrials = (contract: Contract): Trial[] => [
  trial("valid", "a valid notification is accepted", EXPOSED, async (context) => {
    const exchange = await notify(context, { json: madeUpNotification(context) });
    const result = endpointProblem(exchange);
    if (result !== undefined) context.judge.record(id(EXPOSED), result, [exchange]);
    else if (isAccepted(exchange)) context.judge.passed(id(EXPOSED), [exchange]);
    else throw refusedPayload(exchange);
  }),

  trial("repeated", "a notification that comes twice", "issuer.accepts-repeated", async (context) => {
    const json = madeUpNotification(context);
    const twin = await acceptedOne(context, json);
    const probe = await notify(context, { json });
    record(context, "issuer.accepts-repeated", checkAccepted(what("a repeated notification"), probe, twin), [
      probe,
      twin,
    ]);
  }),

  trial("unknown-fields", "a field that nobody knows", "issuer.ignores-unknown-fields", async (context) => {
    const json = madeUpNotification(context);
    const twin = await acceptedOne(context, json);
    const probe = await notify(context, {
      json: { ...madeUpNotification(context, 1), unheardOf: { of: ["field"] } },
    });
    const result = checkAccepted(what("a notification with an unknown field"), probe, twin);
    record(context, "issuer.ignores-unknown-fields", result, [probe, twin]);
  }),

  trial("malformed", "a notification that is no JSON", "issuer.refuses-malformed", async (context) => {
    const json = madeUpNotification(context);
    const body = JSON.stringify(madeUpNotification(context, 1)).slice(0, -2);
    const probe = await notify(context, { raw: { body, contentType: "application/json" } });
    const twin = await acceptedOne(context, json);
    record(context, "issuer.refuses-malformed", checkRefusal(what("a body that breaks off"), probe, twin), [
      probe,
      twin,
    ]);
  }),

  trial("oversize", "a notification far too long", "issuer.refuses-oversize", async (context) => {
    const json = { ...madeUpNotification(context, 1), padding: "x".repeat(OVERSIZE_BYTES) };
    const probe = await notify(context, { json });
    const twin = await acceptedOne(context, madeUpNotification(context));
    // Who hangs up before the end refuses as well.
    const result =
      probe.failure?.kind === "connection-lost"
        ? HOLDS
        : checkRefusal(what("a body of more than 8 MB"), probe, twin);
    record(context, "issuer.refuses-oversize", result, [withoutBody(probe), twin]);
  }),

  trial("slow-sender", "a sender that takes its time", "issuer.serves-beside-slow-sender", besideSlowSender),

  scenario(
    {
      id: "issuer/of-the-service",
      title: "what obliges the service",
      section: "Events",
      operations: [OPERATION],
      requirements: contract.requirements
        .filter(({ subject, observable }) => subject === "service" && observable !== "not-observable")
        .map((requirement) => requirement.id.slice("installments.".length)),
    },
    async () => {
      throw new NotTried("obliges the service: run without --issuer");
    },
  ),
];

const trial = (
  name: string,
  title: string,
  requirement: string,
  run: (context: TrialContext) => Promise<void>,
): Trial => ({
  ...scenario(
    { id: `issuer/${name}`, title, section: "Events", operations: [OPERATION], requirements: [requirement] },
    run,
  ),
  observe: () => {},
});

/** The address is used as it is: whether it ends with /notifications is not shown. */
const notify = (context: TrialContext, call: Partial<Call>): Promise<Exchange> =>
  context.send({ ...call, operationId: OPERATION, at: "" });

/** What is shown of it: nobody wants the padding in a certificate. */
const withoutBody = (exchange: Exchange): Exchange => {
  const { body: _, ...request } = exchange.request;
  return { ...exchange, request, requestJson: undefined };
};

const what = (text: string) => ({ what: text, pointer: "" });

/** @throws TargetLost or NotTried when not even a valid notification is accepted */
const acceptedOne = async (context: TrialContext, json: unknown): Promise<Exchange> => {
  const exchange = await notify(context, { json });
  if (isAccepted(exchange)) return exchange;
  if (exchange.failure !== undefined) throw new TargetLost(exchange.failure.message);
  if (endpointProblem(exchange) !== undefined)
    throw new TargetLost(`a valid notification got ${statusOf(exchange)}`);
  throw refusedPayload(exchange);
};

const refusedPayload = (exchange: Exchange): NotTried =>
  new NotTried(`the issuer refused the assumed payload with ${statusOf(exchange)}, which no document shows`);

/** Nobody there, nothing served, or a failure: the endpoint is not exposed. A refused payload is another matter. */
const endpointProblem = (exchange: Exchange) => {
  if (exchange.failure !== undefined) throw new TargetLost(exchange.failure.message);
  const status = statusOf(exchange);
  const served =
    (status >= 200 && status < 300) || (status >= 400 && status < 500 && ![404, 405].includes(status));
  if (served) return undefined;
  return violation({
    pointer: "",
    message: `a notification was answered with ${status}`,
    expected: "the endpoint takes POST",
    actual: `${status}`,
  });
};

const record = (
  { judge }: TrialContext,
  suffix: string,
  result: ReturnType<typeof checkRefusal>,
  exchanges: readonly Exchange[],
): void => {
  if (result !== undefined) judge.record(id(suffix), result, exchanges);
};

async function besideSlowSender(context: TrialContext): Promise<void> {
  const { target } = context;
  const suffix = "issuer.serves-beside-slow-sender";
  const authorization = target.values.INSTALLMENTS_AUTHORIZATION;
  const before = await acceptedOne(context, madeUpNotification(context));
  const beside: Exchange[] = [];
  const slow = await sendSlowly(
    {
      url: target.baseUrls.installments ?? "",
      headers: authorization === undefined ? {} : { authorization },
      body: JSON.stringify(madeUpNotification(context, 1)),
      timeLimitMs: requestTimeout(target) * 1000,
    },
    async () => {
      // The first may overtake the slow one on its way to the issuer, the second does not.
      for (const draw of [2, 3])
        beside.push(await notify(context, { json: madeUpNotification(context, draw) }));
    },
  );
  const exchanges = [...beside.toReversed(), before];
  const accepted = "status" in slow && slow.status >= 200 && slow.status < 300;
  if (beside.every(isAccepted) && accepted) {
    context.judge.passed(id(suffix), exchanges);
    return;
  }
  context.judge.record(
    id(suffix),
    violation({
      pointer: "",
      message: accepted
        ? "a notification was not answered while the body of another was under way"
        : "a notification whose body came in two parts was not accepted",
      expected: "both are accepted",
      actual: accepted ? "only the slow one" : "status" in slow ? `${slow.status}` : slow.problem,
    }),
    exchanges,
  );
}
