/** The body of a successful enrollment, rule by rule: what the checks saw, and what no response carried. */

import { acceptableByEach } from "../../fixtures/card-enrollment/acceptance.ts";
import { enroll } from "../../fixtures/card-enrollment/enrollment.ts";
import { id, scenario } from "../../fixtures/card-enrollment/trial.ts";
import { leaveRestUntried, record } from "../../fixtures/engine/verdicts.ts";
import { checkStatusAtEnrollment } from "../../helpers/checks/enrollment-status.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { isAccepted } from "../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

/** Rules of the 200 response that scenarios of their own look at more closely give no verdict here when absent. */
export const responseTrials = (contract: Contract): Trial[] => {
  const rules = contract.rules.filter(({ direction, status }) => direction === "response" && status === 200);
  const places = new Map(
    rules.map(({ requirement, pointer }) => [requirement.slice(id("").length), pointer]),
  );
  return [
    scenario(
      {
        id: "response/body",
        title: "the response fits EnrollCardResponse",
        section: "EnrollCardResponse",
        requirements: [...places.keys()],
      },
      async (context) => {
        let accepted = 0;
        for (const enrollment of await acceptableByEach(context, 6)) {
          if (isAccepted(await enroll(context, enrollment))) accepted += 1;
        }
        if (accepted > 0) sayWhatWasNotCarried(context, places);
      },
    ),
    scenario(
      {
        id: "response/states",
        title: "an enrollment gives an active profile, and never a suspended or cancelled card",
        section: "States and transitions",
        requirements: [...STATES.keys()],
      },
      async (context) => {
        let accepted = 0;
        for (const enrollment of await acceptableByEach(context, 4)) {
          const exchange = await enroll(context, enrollment);
          if (!isAccepted(exchange)) continue;
          accepted += 1;
          for (const [requirement, pointer] of STATES) {
            const result = checkStatusAtEnrollment(exchange.response?.json, pointer);
            record(context, requirement, result, [exchange]);
          }
        }
        if (accepted > 0) sayWhatWasNotCarried(context, STATES);
      },
    ),
  ];
};

/** Pointers, by requirement. */
const STATES: ReadonlyMap<string, string> = new Map([
  ["states.consumer.active-at-enrollment", "/maskedConsumer/status"],
  ["states.digital-card.enroll-never-suspended-or-cancelled", "/maskedCard/digitalCardData/status"],
]);

const sayWhatWasNotCarried = (context: TrialContext, places: ReadonlyMap<string, string>): void => {
  for (const [requirement, pointer] of places) {
    const reason = `no response carried ${pointer.slice(1).replaceAll("/", ".")}`;
    leaveRestUntried(context, requirement, reason);
  }
};
