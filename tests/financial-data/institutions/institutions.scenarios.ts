/** Institutions: that they are read with GET, what is told of one, and how long they take to answer. */

import {
  answerTo,
  judgeRefused,
  judgeThat,
  namesAreCertain,
  taken,
  valuesIn,
} from "../../../fixtures/financial-data/asking.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";
import { lookup, NO_NUMBER, routingNumber } from "./routing-numbers.scenarios.ts";

const SECTION = "Institutions";
const BY_NUMBER = "GetInstitutionsByRoutingNumber";
const LISTS = ["GetInstitutions", "GetCertifiedInstitutions", "GetCertifiedInstitutionsWithRSSD"];

export const institutionScenarios: readonly Trial[] = [
  scenario(
    {
      id: "institutions/get",
      title: "each institution operation answers to GET, soon enough",
      section: SECTION,
      operations: [...LISTS, "GetInstitution", "GetInstitutionBranding", BY_NUMBER],
      requirements: [
        "institutions.get-only",
        "institutions.response-time-500ms",
        "GetInstitutionsByRoutingNumber.response-time-1000ms",
      ],
    },
    async (context) => {
      const path = { institutionId: await context.arrange.need("institution") };
      const reads: Call[] = [
        ...LISTS.map((operationId) => ({ operationId })),
        { operationId: "GetInstitution", path },
        { operationId: "GetInstitutionBranding", path },
      ];
      const answers: Exchange[] = [];
      for (const call of reads) answers.push(await answerTo(context, call));
      const number = await routingNumber(context);
      const lookups = number === undefined ? [] : [await answerTo(context, lookup(number))];
      for (const exchange of [...answers, ...lookups]) {
        judgeThat(
          context,
          "institutions.get-only",
          ![404, 405, 501].includes(statusOf(exchange)) || isBrandless(exchange),
          [exchange],
          {
            message: `GET of ${exchange.operationId} is not served`,
            expected: "200",
            actual: `${statusOf(exchange)}`,
          },
        );
      }
      judgeAverage(context, "institutions.response-time-500ms", answers, 500);
      if (lookups.length > 0)
        judgeAverage(context, "GetInstitutionsByRoutingNumber.response-time-1000ms", lookups, 1000);
      else context.judge.notTried(id("GetInstitutionsByRoutingNumber.response-time-1000ms"), NO_NUMBER);
    },
  ),

  scenario(
    {
      id: "institutions/facts",
      title: "an institution has branding, certification details and an RSSD identifier",
      section: "Resources and their fields",
      operations: LISTS,
      requirements: [
        "institution.facts",
        "GetCertifiedInstitutions.certification-details",
        "GetCertifiedInstitutionsWithRSSD.certification-details",
        "GetCertifiedInstitutionsWithRSSD.rssd",
        "GetInstitutionBranding.svg-links",
      ],
    },
    async (context) => {
      const withRssd = await taken(context, { operationId: "GetCertifiedInstitutionsWithRSSD" });
      for (const exchange of [await taken(context, { operationId: "GetCertifiedInstitutions" }), withRssd]) {
        // What details there are is not shown: whatever a product is called, it is supported or not.
        judgeNamed(
          context,
          [`${exchange.operationId}.certification-details`],
          exchange,
          hasDetails(context, exchange),
          "certification details",
        );
      }
      const rssd = hasRssd(withRssd);
      judgeNamed(
        context,
        ["GetCertifiedInstitutionsWithRSSD.rssd", "institution.facts"],
        withRssd,
        rssd,
        "RSSD identifier",
      );
      const path = { institutionId: await context.arrange.need("institution") };
      const branding = await answerTo(context, { operationId: "GetInstitutionBranding", path });
      if (!isAccepted(branding))
        throw new NotTried(`the institution in use has no branding (${statusOf(branding)})`);
      const links = valuesIn(branding.response?.json).filter((value) => /^https?:\/\//.test(value));
      const assets = valuesIn(branding.response?.json).filter((value) => !COLOR.test(value));
      const certain = namesAreCertain(context, branding.operationId);
      const svg = certain ? assets.length > 0 && assets.every(isSvgLink) : links.some(isSvgLink);
      judgeThat(context, "institution.facts", links.length > 0, [branding], {
        message: "the branding of the institution holds no asset",
        expected: "links to branding assets",
        actual: "none in the body",
      });
      judgeNamed(context, ["GetInstitutionBranding.svg-links"], branding, svg, "link to an SVG asset");
    },
  ),

  scenario(
    {
      id: "institutions/not-found",
      title: "an institution that is not there, or has no branding, is answered with 404",
      section: SECTION,
      operations: ["GetInstitution", "GetInstitutionBranding"],
      requirements: ["GetInstitution.404", "GetInstitutionBranding.404"],
    },
    async (context) => {
      const institutionId = await context.arrange.need("institution");
      const unknown = await answerTo(context, {
        operationId: "GetInstitution",
        path: { institutionId: "999999999" },
      });
      const known = await answerTo(context, { operationId: "GetInstitution", path: { institutionId } });
      judgeRefused(
        context,
        "GetInstitution.404",
        "an institution that is not there",
        [unknown, known],
        [404],
      );
      if (!context.capabilities.offers("institution-without-branding"))
        throw new NotTried("needs an institution without branding assets");
      const values = await context.capabilities.arrange("institution-without-branding");
      const plain = { institutionId: values.FINANCIAL_DATA_INSTITUTION_ID ?? "" };
      const refusal = await answerTo(context, { operationId: "GetInstitutionBranding", path: plain });
      const twin = await answerTo(context, {
        operationId: "GetInstitutionBranding",
        path: { institutionId },
      });
      judgeRefused(
        context,
        "GetInstitutionBranding.404",
        "an institution without branding",
        [refusal, twin],
        [404],
      );
    },
  ),
];

const COLOR = /^#?[0-9a-f]{3,8}$/i;

const isSvgLink = (value: string): boolean => /^https?:\/\/.*\.svg\b/i.test(value);

const isBrandless = ({ operationId, response }: Exchange): boolean =>
  operationId === "GetInstitutionBranding" && response?.status === 404;

/** One detail is enough where their names are not known, else each record has all that the contract demands of it. */
const hasDetails = (context: TrialContext, { operationId, response }: Exchange): boolean => {
  const records = recordsIn(response?.json);
  const demanded = namesAreCertain(context, operationId) ? flagsOf(context, operationId) : [];
  if (demanded.length === 0) return records.some((record) => Object.values(record).some(isFlag));
  return records.length > 0 && records.every((record) => demanded.every((name) => isFlag(record[name])));
};

const isFlag = (value: unknown): boolean => typeof value === "boolean";

const flagsOf = (context: TrialContext, operationId: string): string[] =>
  context.contract.rules.flatMap(({ operationId: of, direction, keyword, pointer, schema }) => {
    const listed = /^\/\w+\/\*\/(\w+)$/.exec(pointer)?.[1];
    return of === operationId &&
      direction === "response" &&
      keyword === "required" &&
      schema.type === "boolean"
      ? [listed ?? []].flat()
      : [];
  });

const hasRssd = ({ response }: Exchange): boolean =>
  recordsIn(response?.json).some((record) =>
    Object.entries(record).some(([name, value]) => /rssd/i.test(name) && value !== null),
  );

/** The objects in the lists of a body. */
const recordsIn = (json: unknown): Record<string, unknown>[] =>
  Object.values((json ?? {}) as object)
    .filter(Array.isArray)
    .flat()
    .filter((item) => typeof item === "object" && item !== null) as Record<string, unknown>[];

/** Where nothing of that kind is found, another name may be what it has. */
const judgeNamed = (
  context: TrialContext,
  requirements: readonly string[],
  exchange: Exchange,
  holds: boolean,
  what: string,
): void => {
  for (const requirement of requirements) {
    if (!holds && !namesAreCertain(context, exchange.operationId)) {
      context.judge.notTried(
        id(requirement),
        `no ${what} was recognised: its name is not shown; give the provider's document with --contract`,
      );
    } else {
      judgeThat(context, requirement, holds, [exchange], {
        message: `${exchange.operationId} shows no ${what}`,
        expected: `a ${what} with each institution`,
        actual: "none in the body",
      });
    }
  }
};

/** Where the time is measured is not stated, so it is a remark. */
const judgeAverage = (
  context: TrialContext,
  requirement: string,
  exchanges: readonly Exchange[],
  limitMs: number,
): void => {
  const average = Math.round(
    exchanges.reduce((sum, { durationMs }) => sum + durationMs, 0) / exchanges.length,
  );
  judgeThat(context, requirement, average < limitMs, exchanges.slice(0, 3), {
    message: `the average answer took ${average} ms`,
    expected: `under ${limitMs} ms`,
    actual: `${average} ms over ${exchanges.length} calls`,
  });
};
