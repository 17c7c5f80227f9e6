/** Multi-factor challenges: operations answer 203 when the institution requires one. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, statusOf } from "../../../helpers/exchange/exchange.ts";

const scenario = scenariosIn("Payments data");

const CHALLENGED = [
  { operationId: "LoadHistoricTransactionsForCustomerAccount", section: "Transactions" },
  { operationId: "GetAccountOwner", section: "Payments data" },
  { operationId: "GetCustomerAccountStatement", section: "Statements, pay statements, assets" },
  { operationId: "GetCustomerAccountMultipleStatement", section: "Statements, pay statements, assets" },
];

const OPEN = "GetAccountOwnerDetails";

export const challengeScenarios = [
  ...CHALLENGED.map(({ operationId, section }) =>
    scenario(`${operationId}/challenge`, {
      title: `${operationId} answers 203 when the institution requires a multi-factor challenge`,
      section,
      operations: [operationId],
      requirements: [`${operationId}.203-mfa`],
      async run(t) {
        const exchange = await answerWithChallenge(t, operationId);
        t.judgeThat(`${operationId}.203-mfa`, statusOf(exchange) === 203, [exchange], {
          message: "a multi-factor challenge was not requested with 203",
          expected: "203",
        });
      },
    }),
  ),

  scenario(`${OPEN}/challenge`, {
    title: `${OPEN} answers with a documented status when the institution requires a challenge`,
    operations: [OPEN],
    requirements: [`${OPEN}.documented-statuses`],
    async run(t) {
      const status = statusOf(await answerWithChallenge(t, OPEN));
      t.judge.observe("203 on owner details v3", OPEN, `with a required challenge: ${status}`);
    },
  }),
];

const answerWithChallenge = async (t: T, operationId: string): Promise<Exchange> => {
  const need = "an account whose institution asks for a multi-factor challenge";
  return t.answered(operationId, await t.situation("mfa-account", need));
};
