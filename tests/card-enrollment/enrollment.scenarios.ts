/** What the service does: both enrollment paths, and the record that an enrollment leaves. */

import {
  ENROLLMENT_PATHS,
  type Enrollment,
  type EnrollmentPath,
  enroll,
  sampleEnrollments,
} from "../../fixtures/enrollment.ts";
import { checkBin, checkLastFour } from "../../helpers/checks/card-digits.ts";
import { HOLDS, violation } from "../../helpers/checks/check.ts";
import { checkEchoed, checkGenerated } from "../../helpers/checks/correlation-id.ts";
import { checkDistinct, checkSame } from "../../helpers/checks/identity.ts";
import { checkTimeOfEvent } from "../../helpers/checks/time-of-event.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { NotTried, type Trial, type TrialContext } from "../../helpers/trials/trial.ts";
import { type Attempt, acceptedPaths, firstAttempts, judgePath, requireAccepted } from "./acceptance.ts";
import { id, scenario } from "./trial.ts";

const SECTION = "What the service does";

const pathScenario = (path: EnrollmentPath, title: string): Trial =>
  scenario(
    { id: `enrollment/${path}`, title, section: SECTION, requirements: [`enrollment.${path}-path`] },
    async (context) => {
      if (await judgePath(context, path)) {
        for (const enrollment of await sampleEnrollments(context, path, 5)) await enroll(context, enrollment);
      }
    },
  );

export const enrollmentScenarios: readonly Trial[] = [
  pathScenario("card-number", "a card is enrolled by its encrypted number"),
  pathScenario("push-account-receipt", "a card is enrolled by its push account receipt"),

  scenario(
    {
      id: "enrollment/reached",
      title: "the operation is reached with a JSON body at POST {base_url}/cards",
      section: SECTION,
      requirements: [
        "path.post-cards",
        "request.content-type",
        "version.no-path-segment",
        "base-url.path-prefix",
        "putCard.documented-statuses",
        "response.json-body",
      ],
    },
    async (context) => {
      const { contract, judge, target } = context;
      const { pathname } = new URL(target.baseUrls["card-enrollment"] ?? "");
      await lookForVersions(context);
      const path = await firstAccepted(context);
      const { exchange } = await requireAccepted(context, path);
      for (const kept of ["path.post-cards", "request.content-type", "version.no-path-segment"]) {
        judge.passed(id(kept), [exchange]);
      }
      judge.record(
        id("base-url.path-prefix"),
        pathname.replace(/\/+$/, "").endsWith(contract.basePath)
          ? HOLDS
          : violation({
              pointer: "",
              message: "the base address does not end in the documented path prefix",
              expected: `…${contract.basePath}`,
              actual: pathname,
            }),
        [exchange],
      );
    },
  ),

  scenario(
    {
      id: "enrollment/program",
      title: "the card goes into the program that serviceId names",
      section: SECTION,
      requirements: [
        "enrollment.into-profile-for-named-service",
        "request.serviceId.identifies-program",
        "response.maskedCard.serviceId.program",
      ],
    },
    async (context) => {
      const { enrollment, exchange } = await requireAccepted(context, await firstAccepted(context));
      const { serviceId } = enrollment.body as { serviceId: string };
      const returned = responseBody(exchange).maskedCard?.serviceId;
      if (returned === undefined) {
        const [sample = enrollment] = await acceptable(context, 1);
        const body = { ...sample.body, serviceId: `unknown-${context.seed >>> 0}` };
        const refusal = await enroll(context, { ...sample, body });
        const result = isAccepted(refusal)
          ? violation({
              pointer: "/serviceId",
              message: "a serviceId that names no program was accepted",
              expected: "the program that serviceId names, or a refusal",
              actual: "200",
            })
          : HOLDS;
        judgeAll(
          context,
          ["enrollment.into-profile-for-named-service", "request.serviceId.identifies-program"],
          result,
          [refusal, exchange],
        );
        context.judge.notTried(
          id("response.maskedCard.serviceId.program"),
          "no response carried maskedCard.serviceId",
        );
        return;
      }
      const result =
        returned === serviceId
          ? HOLDS
          : violation({
              pointer: "/maskedCard/serviceId",
              message: "the card was enrolled for another program than the one named",
              expected: serviceId,
              actual: String(returned),
            });
      judgeAll(
        context,
        [
          "enrollment.into-profile-for-named-service",
          "request.serviceId.identifies-program",
          "response.maskedCard.serviceId.program",
        ],
        result,
        [exchange],
      );
    },
  ),

  scenario(
    {
      id: "enrollment/correlation-echoed",
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
      id: "enrollment/correlation-generated",
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
      id: "enrollment/profile",
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
      id: "enrollment/unique-ids",
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
      id: "enrollment/digits",
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
      id: "enrollment/time",
      title: "dateOfCardCreated is the time of the enrollment",
      section: "MaskedCard",
      requirements: ["response.maskedCard.dateOfCardCreated.is-enrollment-time"],
    },
    async (context) => {
      const requirement = id("response.maskedCard.dateOfCardCreated.is-enrollment-time");
      // Cards of this run alone: one that an earlier run enrolled may keep the time of that.
      const exchanges = await sendAll(context, await acceptable(context, 3, {}, Date.now() | 0));
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

/** A server without the documented path may serve the operation below a version segment, which breaks a rule of its own. */
const lookForVersions = async (context: TrialContext): Promise<void> => {
  for (const path of ENROLLMENT_PATHS) {
    const attempts = await firstAttempts(context, path).catch(nothingToTry);
    const lost = attempts.find(({ exchange }) => statusOf(exchange) === 404);
    if (lost === undefined) continue;
    for (const version of ["v1", "v2"]) {
      const exchange = await enroll(context, lost.enrollment, { at: `/${version}/cards`, judged: false });
      if (!isAccepted(exchange)) continue;
      const result = violation({
        pointer: "",
        message: `the operation is served at /${version}/cards`,
        expected: "POST {base_url}/cards",
        actual: `POST {base_url}/${version}/cards`,
      });
      context.judge.record(id("version.no-path-segment"), result, [exchange]);
      return;
    }
  }
};

/** The other path may have all that it needs. */
const nothingToTry = (error: unknown): readonly Attempt[] => {
  if (error instanceof NotTried) return [];
  throw error;
};

interface ResponseBody {
  readonly srcCorrelationId?: unknown;
  readonly maskedCard?: Readonly<Record<string, unknown>>;
  readonly maskedConsumer?: Readonly<Record<string, unknown>>;
}

const responseBody = (exchange: Exchange): ResponseBody => (exchange.response?.json ?? {}) as ResponseBody;

const firstAccepted = async (context: TrialContext): Promise<EnrollmentPath> =>
  (await acceptedPaths(context))[0] ?? "card-number";

const acceptable = async (
  context: TrialContext,
  count: number,
  shape: Parameters<typeof sampleEnrollments>[3] = {},
  seed: number = context.seed,
): Promise<Enrollment[]> => sampleEnrollments(context, await firstAccepted(context), count, shape, seed);

/** The accepted ones of the exchanges; a strict server may refuse a generated value now and then. */
const sendAll = async (context: TrialContext, list: readonly Enrollment[]): Promise<Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const enrollment of list) exchanges.push(await enroll(context, enrollment));
  return exchanges.filter(isAccepted);
};

const judgeAll = (
  context: TrialContext,
  requirements: readonly string[],
  result: ReturnType<typeof checkEchoed>,
  exchanges: readonly Exchange[],
): void => {
  for (const requirement of requirements) context.judge.record(id(requirement), result, exchanges);
};
