/** Institutions found by a routing number. */

import { answerTo, judgeRefused, judgeThat } from "../../../fixtures/financial-data/asking.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Institutions";
const BY_NUMBER = "GetInstitutionsByRoutingNumber";

export const routingNumberScenarios: readonly Trial[] = [
  scenario(
    {
      id: "institutions/routing-number",
      title: "a routing number finds the institutions that are mapped to it",
      section: SECTION,
      operations: [BY_NUMBER],
      requirements: [
        "GetInstitutionsByRoutingNumber.400-wrong-length",
        "GetInstitutionsByRoutingNumber.404-no-match",
        "GetInstitutionsByRoutingNumber.mapped-only",
      ],
    },
    async (context) => {
      const number = await routingNumber(context);
      if (number === undefined) throw new NotTried(NO_NUMBER);
      const twin = await answerTo(context, lookup(number));
      // The right length is not stated.
      for (const wrong of ["1", "1".repeat(30)]) {
        const refusal = await answerTo(context, lookup(wrong));
        judgeRefused(
          context,
          "GetInstitutionsByRoutingNumber.400-wrong-length",
          "a routing number of a wrong length",
          [refusal, twin],
          [400],
        );
      }
      const refusal = await answerTo(context, lookup(UNASSIGNED));
      judgeRefused(
        context,
        "GetInstitutionsByRoutingNumber.404-no-match",
        "a routing number of nobody",
        [refusal, twin],
        [404],
      );
      const unmapped = await unmappedInstitution(context);
      judgeThat(
        context,
        "GetInstitutionsByRoutingNumber.mapped-only",
        !holdsValue(twin.response?.json, unmapped),
        [twin],
        {
          message: "an institution that is mapped to none is found by a routing number",
          expected: "institutions mapped to the network",
          actual: "one more",
        },
      );
    },
  ),
];

export const lookup = (number: string): Call => ({
  operationId: BY_NUMBER,
  path: { routing_number: number },
});

/** Its check digit is right, and no region has its first digits. */
const UNASSIGNED = "990000000";
export const NO_NUMBER = "needs routing-number: set FINANCIAL_DATA_ROUTING_NUMBER";

export const routingNumber = async ({ target, capabilities }: TrialContext): Promise<string | undefined> => {
  const configured = target.values.FINANCIAL_DATA_ROUTING_NUMBER;
  if (configured !== undefined || !capabilities.offers("routing-number")) return configured;
  return (await capabilities.arrange("routing-number")).FINANCIAL_DATA_ROUTING_NUMBER;
};

const unmappedInstitution = async ({ capabilities }: TrialContext): Promise<string> => {
  const values = capabilities.offers("routing-number") ? await capabilities.arrange("routing-number") : {};
  const unmapped = values.FINANCIAL_DATA_UNMAPPED_INSTITUTION_ID;
  if (unmapped === undefined)
    throw new NotTried(
      "needs an institution of which is known that it is mapped to none: no answer shows it",
    );
  return unmapped;
};
