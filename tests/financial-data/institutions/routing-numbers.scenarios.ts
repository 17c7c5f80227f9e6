/** Searches for institutions by routing number. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { because, type Call, contentOf, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Institutions");
const BY_NUMBER = "GetInstitutionsByRoutingNumber";
const WRONG = `${BY_NUMBER}.400-wrong-length`;
const NO_MATCH = `${BY_NUMBER}.404-no-match`;
const MAPPED = `${BY_NUMBER}.mapped-only`;

export const routingNumberScenarios = [
  scenario("institutions/routing-number", {
    title: "a routing number finds the institutions that are mapped to it",
    operations: [BY_NUMBER],
    requirements: [WRONG, NO_MATCH, MAPPED],
    async run(t) {
      const number = await routingNumber(t);
      if (number === undefined) throw new NotTried(NO_NUMBER);
      const control = await t.answerTo(lookup(number));
      // The document does not state the right length.
      for (const wrong of ["1", "1".repeat(30)]) {
        const refusal = await t.answerTo(lookup(wrong));
        t.judgeRefused(WRONG, "a routing number of a wrong length", [refusal, control], [400]);
      }
      const refusal = await t.answerTo(lookup(UNASSIGNED));
      t.judgeRefused(NO_MATCH, "an unassigned routing number", [refusal, control], [404]);
      const unmapped = (await t.situationIfOffered("routing-number"))?.["unmapped-institution"];
      if (unmapped === undefined)
        throw new NotTried("lacks", "an institution that is known to have no routing number");
      t.judgeThat(MAPPED, !holdsValue(contentOf(control), unmapped), [control], {
        message: "an institution without a routing number is found by one",
        expected: "only institutions mapped to the network",
        actual: "one other institution",
      });
    },
  }),
];

export const lookup = (number: string): Call => ({
  operationId: BY_NUMBER,
  path: { routing_number: number },
});

/** A routing number with a valid check digit whose first digits belong to no region. */
const UNASSIGNED = "990000000";
export const NO_NUMBER = because("lacks-setting", "routing-number", "FINANCIAL_DATA_ROUTING_NUMBER");

export const routingNumber = async (t: T): Promise<string | undefined> =>
  t.target.values.FINANCIAL_DATA_ROUTING_NUMBER ??
  (await t.situationIfOffered("routing-number"))?.["routing-number"];
