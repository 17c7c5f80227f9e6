/** The three lists of institutions, searched, narrowed and paged, and matches of locations. */

import {
  answerTo,
  judgeParameter,
  judgeThat,
  namesAreCertain,
  operationOf,
  parameterValue,
} from "../../../fixtures/financial-data/asking.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { pageAt, pagesOf } from "../../../fixtures/financial-data/paging.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { instancesAt } from "../../../helpers/checks/rules.ts";
import { isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Institutions";
const LISTS = ["GetInstitutions", "GetCertifiedInstitutions", "GetCertifiedInstitutionsWithRSSD"];
const MATCHES = "GetLocationMatches";

const NARROWED = [
  { requirement: "institutions.search-query", parameter: "search" },
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

export const institutionListScenarios: readonly Trial[] = [
  ...NARROWED.map(({ requirement, parameter }) =>
    scenario(
      {
        id: `institutions/${parameter}`,
        title: `lists of institutions take the query parameter ${parameter}`,
        section: SECTION,
        operations: LISTS,
        requirements: [requirement],
      },
      async (context) => {
        for (const operationId of LISTS) {
          const value = await parameterValue(context, operationId, parameter);
          const exchange = await answerTo(context, { operationId, query: { [parameter]: value } });
          const twin = await answerTo(context, { operationId });
          judgeParameter(context, requirement, parameter, [exchange, twin]);
        }
      },
    ),
  ),

  scenario(
    {
      id: "institutions/paging",
      title: "pages of institutions show each once",
      section: SECTION,
      operations: LISTS,
      requirements: ["institutions.paging"],
    },
    async (context) => {
      for (const operationId of LISTS) {
        const twin = await answerTo(context, { operationId });
        for (const [name, value] of Object.entries({ start: 1, limit: 2 })) {
          const exchange = await answerTo(context, { operationId, query: { [name]: value } });
          judgeParameter(context, "institutions.paging", name, [exchange, twin]);
        }
        const { problem, exchanges } = await pagesOf(context, { operationId }, (item) =>
          String(instancesAt(item, "/id")[0]?.value ?? JSON.stringify(item)),
        );
        judgeThat(context, "institutions.paging", problem === undefined, exchanges, {
          message: problem ?? "",
          expected: "each institution on one page",
          actual: "pages that do not fit together",
        });
      }
    },
  ),

  scenario(
    {
      id: "institutions/no-match",
      title: "a search without a match gives an empty list",
      section: SECTION,
      operations: ["GetInstitutions"],
      requirements: ["GetInstitutions.empty-list-200"],
    },
    async (context) => {
      const requirement = "GetInstitutions.empty-list-200";
      const exchange = await answerTo(context, {
        operationId: "GetInstitutions",
        query: { search: "zzqxjvkwq xqzvwkjq" },
      });
      const twin = await answerTo(context, { operationId: "GetInstitutions" });
      if (!isAccepted(twin))
        throw new NotTried(`GetInstitutions answered ${statusOf(twin)} without a search, too`);
      judgeThat(context, requirement, statusOf(exchange) === 200, [exchange, twin], {
        message: "a search that nothing matches was refused",
        expected: "200 with an empty list",
        actual: `${statusOf(exchange)}`,
      });
      if (!isAccepted(exchange)) return;
      const { shown } = await pageAt(
        context,
        { operationId: "GetInstitutions", query: { search: "zzqxjvkwq xqzvwkjq" } },
        0,
        10,
      );
      if (shown.length > 0 && !namesAreCertain(context, "GetInstitutions")) {
        throw new NotTried("the search was ignored: how its parameter is called is not shown");
      }
      judgeThat(context, requirement, shown.length === 0, [exchange, twin], {
        message: "a search that nothing matches found institutions",
        expected: "an empty list",
        actual: `${shown.length} institutions`,
      });
    },
  ),

  ...WAYS.map(({ requirement, name, parameter }) =>
    scenario(
      {
        id: `locations/${parameter}`,
        title: `locations are matched by ${name}`,
        section: SECTION,
        operations: [MATCHES],
        requirements: [requirement, "GetLocationMatches.max-3"],
      },
      async (context) => {
        const names = operationOf(context, MATCHES).parameterSets.find((set) => set.includes(parameter));
        if (names === undefined)
          throw new NotTried(`${MATCHES} has no parameter ${parameter} in the document given`);
        for (let draw = 0; draw < LOOKUPS; draw++) {
          const exchange = await answerTo(context, {
            operationId: MATCHES,
            query: await valuesOf(context, names, draw),
          });
          // Values of the id type, and which merchants it knows, are the target's.
          if (!isAccepted(exchange) && !namesAreCertain(context, MATCHES)) {
            throw new NotTried(`needs a merchant location that the target knows (${statusOf(exchange)})`);
          }
          judgeThat(context, requirement, isAccepted(exchange), [exchange], {
            message: `a lookup by ${name} was refused`,
            expected: "200",
            actual: `${statusOf(exchange)}`,
          });
          if (isAccepted(exchange) && !context.judge.hasVerdict(id("GetLocationMatches.max-3"))) {
            context.judge.notTried(id("GetLocationMatches.max-3"), "no list of matches was recognised");
          }
        }
      },
    ),
  ),
];

/** How many matches there are differs from merchant to merchant. */
const LOOKUPS = 4;

const valuesOf = async (
  context: TrialContext,
  names: readonly string[],
  draw: number,
): Promise<Record<string, string>> => {
  const values: Record<string, string> = {};
  for (const name of names) {
    const isIdentifier = name === "idValue";
    values[name] = isIdentifier
      ? `40${draw}1552${draw}8`
      : await parameterValue({ ...context, seed: context.seed + draw }, MATCHES, name);
  }
  return values;
};
