/** Multi-factor challenges: operations answer 203 when the institution requires one. */
import { answered } from "../../../fixtures/engine/asking.ts";
import { situation } from "../../../fixtures/engine/calls.ts";
import { judgeThat } from "../../../fixtures/engine/verdicts.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";

const CHALLENGED = [
  { operationId: "LoadHistoricTransactionsForCustomerAccount", section: "Transactions" },
  { operationId: "GetAccountOwner", section: "Payments data" },
  { operationId: "GetCustomerAccountStatement", section: "Statements, pay statements, assets" },
  { operationId: "GetCustomerAccountMultipleStatement", section: "Statements, pay statements, assets" },
];

export const challengeScenarios: readonly Trial[] = CHALLENGED.map(({ operationId, section }) =>
  scenario(
    {
      id: `${operationId}/challenge`,
      title: `${operationId} answers 203 when the institution requires a multi-factor challenge`,
      section,
      operations: [operationId],
      requirements: [`${operationId}.203-mfa`],
    },
    async (context) => {
      const need = "an account whose institution asks for a multi-factor challenge";
      const named = await situation(context, "mfa-account", need);
      const exchange = await answered(context, operationId, named);
      judgeThat(context, `${operationId}.203-mfa`, statusOf(exchange) === 203, [exchange], {
        message: "a multi-factor challenge was not requested with 203",
        expected: "203",
      });
    },
  ),
);
