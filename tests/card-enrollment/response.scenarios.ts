/** The body of a successful enrollment, rule by rule: what the checks saw, and what no response carried. */

import { acceptedPaths } from "../../fixtures/card-enrollment/acceptance.ts";
import { enroll, sampleEnrollments } from "../../fixtures/card-enrollment/enrollment.ts";
import { id, scenario } from "../../fixtures/card-enrollment/trial.ts";
import { checkStatusAtEnrollment } from "../../helpers/checks/enrollment-status.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { isAccepted } from "../../helpers/exchange/exchange.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

/** Rules of the 200 response that scenarios of their own look at more closely give no verdict here when absent. */
export const responseTrials = (contract: Contract): Trial[] => {
  const rules = contract.rules.filter(({ direction, status }) => direction === "response" && status === 200);
  const places = new Map(
    rules.map(({ requirement, pointer }) => [requirement, pointer.slice(1).replaceAll("/", ".")]),
  );
  return [
    scenario(
      {
        id: "response/body",
        title: "the response fits EnrollCardResponse",
        section: "EnrollCardResponse",
        requirements: [...places.keys()].map((requirement) => requirement.slice("card-enrollment.".length)),
      },
      async (context) => {
        let accepted = 0;
        for (const path of await acceptedPaths(context)) {
          for (const enrollment of await sampleEnrollments(context, path, 6)) {
            if (isAccepted(await enroll(context, enrollment))) accepted += 1;
          }
        }
        if (accepted === 0) return;
        for (const [requirement, place] of places) {
          if (context.judge.hasVerdict(requirement)) continue;
          context.judge.notTried(requirement, `no response carried ${place}`);
        }
      },
    ),
    scenario(
      {
        id: "response/states",
        title: "an enrollment gives an active profile, and never a suspended or cancelled card",
        section: "States and transitions",
        requirements: [
          "states.consumer.active-at-enrollment",
          "states.digital-card.enroll-never-suspended-or-cancelled",
        ],
      },
      async (context) => {
        let accepted = 0;
        for (const path of await acceptedPaths(context)) {
          for (const enrollment of await sampleEnrollments(context, path, 4)) {
            const exchange = await enroll(context, enrollment);
            if (!isAccepted(exchange)) continue;
            accepted += 1;
            for (const { requirement, pointer } of STATES) {
              const result = checkStatusAtEnrollment(exchange.response?.json, pointer);
              if (result !== undefined) context.judge.record(id(requirement), result, [exchange]);
            }
          }
        }
        if (accepted === 0) return;
        for (const { requirement, pointer } of STATES) {
          if (context.judge.hasVerdict(id(requirement))) continue;
          context.judge.notTried(
            id(requirement),
            `no response carried ${pointer.slice(1).replaceAll("/", ".")}`,
          );
        }
      },
    ),
  ];
};

const STATES = [
  { requirement: "states.consumer.active-at-enrollment", pointer: "/maskedConsumer/status" },
  {
    requirement: "states.digital-card.enroll-never-suspended-or-cancelled",
    pointer: "/maskedCard/digitalCardData/status",
  },
] as const;
