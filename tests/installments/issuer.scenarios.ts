/** Certifies an issuer: sends notifications to its endpoint and judges its answers. */
import { checkRefusal, scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { checkAccepted } from "../../helpers/checks/refusal.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { HOLDS } from "../../helpers/exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { sendSlowly } from "../../helpers/flows/slow-sender.ts";
import { requestTimeout } from "../../helpers/target/load-target.ts";
import { type Call, NotTried, TargetLost } from "../../helpers/trials/kit/language.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("Events");

const OPERATION = "postNotifications";
const EXPOSED = "notifications.issuer-exposes-endpoint";
const REPEATED = "issuer.accepts-repeated";
const UNKNOWN_FIELDS = "issuer.ignores-unknown-fields";
const MALFORMED = "issuer.refuses-malformed";
const OVERSIZE = "issuer.refuses-oversize";
const BESIDE_SLOW = "issuer.serves-beside-slow-sender";
const OVERSIZE_BYTES = 8_000_001;

export const issuerTrials = (contract: Contract): Trial[] => [
  trial("valid", "a valid notification is accepted", EXPOSED, async (t) => {
    const exchange = await notify(t, { json: t.madeUpNotification() });
    if (!isServed(exchange)) {
      t.judgeThat(EXPOSED, false, [exchange], {
        message: `a notification was answered with ${statusOf(exchange)}`,
        expected: "the endpoint accepts POST",
      });
    } else if (isAccepted(exchange)) t.pass(EXPOSED, [exchange]);
    else throw refusedPayload(exchange);
  }),

  trial("repeated", "a repeated notification is accepted", REPEATED, async (t) => {
    const json = t.madeUpNotification();
    const control = await acceptedOne(t, json);
    const probe = await notify(t, { json });
    const result = checkAccepted(what("a repeated notification"), probe, control);
    t.record(REPEATED, result, [probe, control]);
  }),

  trial("unknown-fields", "an unknown field is ignored", UNKNOWN_FIELDS, async (t) => {
    const control = await acceptedOne(t, t.madeUpNotification());
    const json = { ...t.madeUpNotification(1), unheardOf: { of: ["field"] } };
    const probe = await notify(t, { json });
    const result = checkAccepted(what("a notification with an unknown field"), probe, control);
    t.record(UNKNOWN_FIELDS, result, [probe, control]);
  }),

  trial("malformed", "a notification that is not JSON is refused", MALFORMED, async (t) => {
    const body = JSON.stringify(t.madeUpNotification(1)).slice(0, -2);
    const probe = await notify(t, { raw: { body, contentType: "application/json" } });
    const control = await acceptedOne(t, t.madeUpNotification());
    t.record(MALFORMED, checkRefusal(what("a truncated body"), probe, control), [probe, control]);
  }),

  trial("oversize", "an oversize notification is refused", OVERSIZE, async (t) => {
    const json = { ...t.madeUpNotification(1), padding: "x".repeat(OVERSIZE_BYTES) };
    const probe = await notify(t, { json, unanswered: "return" });
    const control = await acceptedOne(t, t.madeUpNotification());
    // Closing the connection before the end is a refusal too.
    const result =
      probe.failure?.kind === "connection-lost"
        ? HOLDS
        : checkRefusal(what("a body of more than 8 MB"), probe, control);
    t.record(OVERSIZE, result, [withoutBody(probe), control]);
  }),

  trial("slow-sender", "a notification is accepted during a slow one", BESIDE_SLOW, besideSlowSender),

  scenario("issuer/of-the-service", {
    title: "requirements that oblige the service",
    operations: [OPERATION],
    requirements: contract.requirements
      .filter(({ subject, observable }) => subject === "service" && observable !== "not-observable")
      .map((requirement) => requirement.id.slice("installments.".length)),
    async run() {
      throw new NotTried("obliges-service", ": run without issuer");
    },
  }),
];

const trial = (name: string, title: string, requirement: string, run: (t: T) => Promise<void>): Trial => ({
  ...scenario(`issuer/${name}`, { title, operations: [OPERATION], requirements: [requirement], run }),
  observe: () => {},
});

/**
 * Sends a notification to the URL exactly as configured, because the documents do not state whether the URL ends in
 * /notifications.
 */
const notify = (t: T, call: Partial<Call>): Promise<Exchange> =>
  t.send({ ...call, operationId: OPERATION, at: "" });

/** Removes the request body, to keep the padding out of the certificate. */
const withoutBody = (exchange: Exchange): Exchange => {
  const { body: _, ...request } = exchange.request;
  return { ...exchange, request, requestJson: undefined };
};

const what = (text: string) => ({ what: text, pointer: "" });

/** @throws TargetLost or NotTried when not even a valid notification is accepted */
const acceptedOne = async (t: T, json: unknown): Promise<Exchange> => {
  const exchange = await notify(t, { json });
  if (isAccepted(exchange)) return exchange;
  if (!isServed(exchange))
    throw new TargetLost("answered", "the issuer", `${statusOf(exchange)} to a valid notification`);
  throw refusedPayload(exchange);
};

const refusedPayload = (exchange: Exchange): NotTried =>
  new NotTried("left-open", `the issuer refused the assumed payload with ${statusOf(exchange)}`);

/**
 * Whether the endpoint is served. A refused payload is distinguished from an unknown path and from a failure.
 * @throws TargetLost when there is no answer
 */
const isServed = (exchange: Exchange): boolean => {
  if (exchange.failure !== undefined) throw new TargetLost("unanswered", exchange.failure.message);
  const status = statusOf(exchange);
  return (status >= 200 && status < 300) || (status >= 400 && status < 500 && ![404, 405].includes(status));
};

async function besideSlowSender(t: T): Promise<void> {
  const { target } = t;
  const authorization = target.values.INSTALLMENTS_AUTHORIZATION;
  const before = await acceptedOne(t, t.madeUpNotification());
  const beside: Exchange[] = [];
  const slow = await sendSlowly(
    {
      url: target.baseUrls.installments ?? "",
      headers: authorization === undefined ? {} : { authorization },
      body: JSON.stringify(t.madeUpNotification(1)),
      timeLimitMs: requestTimeout(target) * 1000,
    },
    async () => {
      // The first notification may reach the issuer before the slow one; the second one arrives after it.
      for (const draw of [2, 3]) beside.push(await notify(t, { json: t.madeUpNotification(draw) }));
    },
  );
  const slowIsAccepted = "status" in slow && slow.status >= 200 && slow.status < 300;
  t.judgeThat(BESIDE_SLOW, beside.every(isAccepted) && slowIsAccepted, [...beside.toReversed(), before], {
    message: slowIsAccepted
      ? "a notification was not answered while the body of another one was being sent"
      : "a notification whose body was sent in two parts was not accepted",
    expected: "both are accepted",
    actual: slowIsAccepted ? "only the slow one" : "status" in slow ? `${slow.status}` : slow.problem,
  });
}
