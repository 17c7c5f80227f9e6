/** Multi-factor challenges: a 203 from each operation that has one, where the institution asks for one. */
import { answered, situation } from "../../../fixtures/financial-data/calls.ts";
import { conclude } from "../../../fixtures/financial-data/conclude.ts";
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
      title: `${operationId} answers 203 when the institution asks for a multi-factor challenge`,
      section,
      operations: [operationId],
      requirements: [`${operationId}.203-mfa`],
    },
    async (context) => {
      const need = "an account whose institution asks for a multi-factor challenge";
      const named = await situation(context, "mfa-account", need);
      const exchange = await answered(context, operationId, named);
      const finding = {
        message: "a multi-factor challenge was not asked for with 203",
        expected: "203",
        actual: `${statusOf(exchange)}`,
      };
      conclude(
        context,
        `${operationId}.203-mfa`,
        { holds: statusOf(exchange) === 203, certain: true, finding },
        [exchange],
      );
    },
  ),
);
