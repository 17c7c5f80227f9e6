/** What the service does: both enrollment paths, where they are reached, and the program that they lead to. */

import {
  type Attempt,
  firstAttempts,
  judgePath,
  requireAccepted,
} from "../../fixtures/card-enrollment/acceptance.ts";
import { acceptable, firstAccepted, responseBody } from "../../fixtures/card-enrollment/accepted.ts";
import {
  ENROLLMENT_PATHS,
  type EnrollmentPath,
  enroll,
  sampleEnrollments,
} from "../../fixtures/card-enrollment/enrollment.ts";
import { id } from "../../fixtures/card-enrollment/ids.ts";
import { scenario } from "../../fixtures/card-enrollment/trial.ts";
import { type CheckResult, HOLDS, violation } from "../../helpers/checks/check.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

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

const judgeAll = (
  context: TrialContext,
  requirements: readonly string[],
  result: CheckResult,
  exchanges: readonly Exchange[],
): void => {
  for (const requirement of requirements) context.judge.record(id(requirement), result, exchanges);
};
