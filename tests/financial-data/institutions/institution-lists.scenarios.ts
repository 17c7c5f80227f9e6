/** The three lists of institutions with their search, filters and pages, and location matches. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { isAccepted, NotTried, statusOf } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Institutions");
const ALL = "GetInstitutions";
const EMPTY = `${ALL}.empty-list-200`;
const LISTS = [ALL, "GetCertifiedInstitutions", "GetCertifiedInstitutionsWithRSSD"];
const MATCHES = "GetLocationMatches";
const MOST = `${MATCHES}.max-3`;

const NARROWED = [
  { requirement: "institutions.product-type-query", parameter: "type" },
  { requirement: "institutions.supported-countries-query", parameter: "supportedCountries" },
] as const;

const WAYS = [
  { requirement: "GetLocationMatches.by-id", name: "id", parameter: "idValue" },
  {
    requirement: "GetLocationMatches.by-name-and-address",
    name: "name and address",
    parameter: "merchantName",
  },
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

  ...WAYS.map(({ requirement, name, parameter }) =>
    scenario(`locations/${parameter}`, {
      title: `locations are matched by ${name}`,
      operations: [MATCHES],
      requirements: [requirement, MOST],
      async run(t) {
        const names = t.operationOf(MATCHES).parameterSets.find((set) => set.includes(parameter));
        if (names === undefined) throw new NotTried("document-without", MATCHES, `parameter ${parameter}`);
        for (let draw = 0; draw < LOOKUPS; draw++) {
          const query = valuesOf(t, names, draw);
          const exchange = await t.answerTo({ operationId: MATCHES, query });
          // The target decides which id types and merchants it knows.
          if (!isAccepted(exchange) && !t.isConfirmed(MATCHES)) {
            throw new NotTried("lacks", `a merchant location that the target knows (${statusOf(exchange)})`);
          }
          t.judgeThat(requirement, isAccepted(exchange), [exchange], {
            message: `a lookup by ${name} was refused`,
            expected: "200",
          });
          if (isAccepted(exchange))
            t.leaveRestUntried(MOST, "name-assumed", "no list of matches was recognised");
        }
      },
    }),
  ),
];

/** The number of lookups: the number of matches varies by merchant. */
const LOOKUPS = 4;

const valuesOf = (t: T, names: readonly string[], draw: number): Record<string, string> => {
  const drawn = { ...t, seed: t.seed + draw };
  return Object.fromEntries(
    names.map((name) => [
      name,
      name === "idValue" ? `40${draw}1552${draw}8` : drawn.parameterValue(MATCHES, name),
    ]),
  );
};
