/** Multi-factor challenges: operations answer 203 when the institution requires one. */

import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, statusOf } from "../../../helpers/exchange/exchange.ts";
import { answered } from "../../../helpers/trials/kit/asking.ts";
import { situation } from "../../../helpers/trials/kit/calls.ts";
import { judgeThat } from "../../../helpers/trials/kit/verdicts.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Payments data");

const CHALLENGED = [
  { operationId: "LoadHistoricTransactionsForCustomerAccount", section: "Transactions" },
  { operationId: "GetAccountOwner", section: "Payments data" },
  { operationId: "GetCustomerAccountStatement", section: "Statements, pay statements, assets" },
  { operationId: "GetCustomerAccountMultipleStatement", section: "Statements, pay statements, assets" },
];

const OPEN = "GetAccountOwnerDetails";

export const challengeScenarios: readonly Trial[] = [
  ...CHALLENGED.map(({ operationId, section }) =>
    scenario({
      id: `${operationId}/challenge`,
      title: `${operationId} answers 203 when the institution requires a multi-factor challenge`,
      section,
      operations: [operationId],
      requirements: [`${operationId}.203-mfa`],
      async run(context) {
        const exchange = await answerWithChallenge(context, operationId);
        judgeThat(context, `${operationId}.203-mfa`, statusOf(exchange) === 203, [exchange], {
          message: "a multi-factor challenge was not requested with 203",
          expected: "203",
        });
      },
    }),
  ),

  scenario({
    id: `${OPEN}/challenge`,
    title: `${OPEN} answers with a documented status when the institution requires a challenge`,
    operations: [OPEN],
    requirements: [`${OPEN}.documented-statuses`],
    async run(context) {
      const status = statusOf(await answerWithChallenge(context, OPEN));
      context.judge.observe("203 on owner details v3", OPEN, `with a required challenge: ${status}`);
    },
  }),
];

const answerWithChallenge = async (context: TrialContext, operationId: string): Promise<Exchange> => {
  const need = "an account whose institution asks for a multi-factor challenge";
  return answered(context, operationId, await situation(context, "mfa-account", need));
};
