/** The three lists of institutions with their search and filters. */
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { isAccepted, NotTried, statusOf } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Institutions");
const ALL = "GetInstitutions";
const EMPTY = `${ALL}.empty-list-200`;
const LISTS = [ALL, "GetCertifiedInstitutions", "GetCertifiedInstitutionsWithRSSD"];

const NARROWED = [
  { requirement: "institutions.product-type-query", parameter: "type" },
  { requirement: "institutions.supported-countries-query", parameter: "supportedCountries" },
] as const;

export const institutionListScenarios = [
  ...NARROWED.map(({ requirement, parameter }) =>
    scenario(`institutions/${parameter}`, {
      title: `lists of institutions accept the query parameter ${parameter}`,
      operations: LISTS,
      requirements: [requirement],
      async run(t) {
        for (const operationId of LISTS) await t.tryParameter(requirement, { operationId, name: parameter });
      },
    }),
  ),

  scenario("institutions/no-match", {
    title: "a search without a match returns an empty list",
    operations: [ALL],
    requirements: [EMPTY],
    async run(t) {
      const call = { operationId: ALL, query: { search: "zzqxjvkwq xqzvwkjq" } };
      const exchange = await t.answerTo(call);
      const control = await t.answerTo({ operationId: ALL });
      if (!isAccepted(control))
        throw new NotTried("answered", ALL, `${statusOf(control)} without a search, too`);
      t.judgeThat(EMPTY, statusOf(exchange) === 200, [exchange, control], {
        message: "a search without a match was refused",
        expected: "200 with an empty list",
      });
      if (!isAccepted(exchange)) return;
      const { items } = await t.pageAt(call, 0, 10);
      t.recordIfConfirmed(EMPTY, items.length === 0, [exchange, control], {
        confirmed: t.isConfirmed(ALL),
        message: "a search without a match returned institutions",
        expected: "an empty list",
        actual: `${items.length} institutions`,
      });
    },
  }),
];
