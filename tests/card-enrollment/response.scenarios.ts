/** The states of the profile and the card after a successful enrollment. */
import { STATES } from "../../fixtures/card-enrollment/answers.ts";
import { id } from "../../fixtures/card-enrollment/ids.ts";
import { scenariosIn } from "../../fixtures/card-enrollment/trial.ts";
import { checkStatusAtEnrollment } from "../../helpers/checks/enrollment-status.ts";
import { isAccepted } from "../../helpers/exchange/exchange.ts";
import { because } from "../../helpers/reasons/reason.ts";

const scenario = scenariosIn("States and transitions");

export const responseScenarios = [
  scenario("response/states", {
    title: "an enrollment returns an active profile, and never a suspended or cancelled card",
    requirements: Object.keys(STATES),
    async run(t) {
      let accepted = 0;
      for (const path of await t.acceptedPaths()) {
        for (const enrollment of await t.sampleEnrollments(path, 4)) {
          const exchange = await t.enroll(enrollment);
          if (!isAccepted(exchange)) continue;
          accepted += 1;
          for (const [requirement, pointer] of Object.entries(STATES)) {
            const result = checkStatusAtEnrollment(exchange.response?.json, pointer);
            if (result !== undefined) t.judge.record(id(requirement), result, [exchange]);
          }
        }
      }
      if (accepted === 0) return;
      for (const [requirement, pointer] of Object.entries(STATES)) {
        if (t.judge.hasVerdict(id(requirement))) continue;
        t.judge.notTried(
          id(requirement),
          because("not-shown", `no response carried ${pointer.slice(1).replaceAll("/", ".")}`),
        );
      }
    },
  }),
];
