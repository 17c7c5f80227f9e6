/** Institutions: reads with GET, the facts about an institution, and response times. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried, valuesIn } from "../../../helpers/trials/kit/language.ts";
import { lookup, NO_NUMBER, routingNumber } from "./routing-numbers.scenarios.ts";

const scenario = scenariosIn("Institutions");
const BY_NUMBER = "GetInstitutionsByRoutingNumber";
const CERTIFIED = ["GetCertifiedInstitutions", "GetCertifiedInstitutionsWithRSSD"] as const;
const LISTS = ["GetInstitutions", ...CERTIFIED];
const READ = "GetInstitution";
const BRANDING = "GetInstitutionBranding";
const LOOKUP_TIME = `${BY_NUMBER}.response-time-1000ms`;
const FACTS = "institution.facts";
const RSSD = `${CERTIFIED[1]}.rssd`;
const SVG = `${BRANDING}.svg-links`;

export const institutionScenarios = [
  scenario("institutions/get", {
    title: "each institution operation answers GET within its response time",
    operations: [...LISTS, READ, BRANDING, BY_NUMBER],
    requirements: ["institutions.get-only", "institutions.response-time-500ms", LOOKUP_TIME],
    async run(t) {
      const answers: Exchange[] = [];
      for (const operationId of [...LISTS, READ, BRANDING]) answers.push(await t.answered(operationId));
      const number = await routingNumber(t);
      const lookups = number === undefined ? [] : [await t.answerTo(lookup(number))];
      for (const exchange of [...answers, ...lookups]) {
        const isServed = ![404, 405, 501].includes(statusOf(exchange)) || isBrandless(exchange);
        const message = `GET of ${exchange.operationId} is not served`;
        t.judgeThat("institutions.get-only", isServed, [exchange], { message, expected: "200" });
      }
      judgeAverage(t, "institutions.response-time-500ms", answers, 500);
      if (lookups.length > 0) judgeAverage(t, LOOKUP_TIME, lookups, 1000);
      else t.leaveUntried(LOOKUP_TIME, NO_NUMBER);
    },
  }),

  scenario("institutions/facts", {
    title: "an institution has branding, certification details and an RSSD identifier",
    section: "Resources and their fields",
    operations: LISTS,
    requirements: [FACTS, ...CERTIFIED.map((list) => `${list}.certification-details`), RSSD, SVG],
    async run(t) {
      for (const operationId of CERTIFIED) {
        const list = await t.accepted(operationId);
        // The documents do not name the details. Any boolean, such as a supported product, counts as a detail.
        const details = hasDetails(t, list);
        judgeNamed(t, [`${operationId}.certification-details`], list, details, "certification details");
        if (operationId === CERTIFIED[1])
          judgeNamed(t, [RSSD, FACTS], list, hasRssd(list), "RSSD identifier");
      }
      const branding = await t.answered(BRANDING);
      if (!isAccepted(branding))
        throw new NotTried("not-shown", `the institution in use has no branding (${statusOf(branding)})`);
      const links = valuesIn(contentOf(branding)).filter((value) => LINK.test(value));
      const assets = valuesIn(contentOf(branding)).filter((value) => !COLOR.test(value));
      const certain = t.isConfirmed(branding.operationId);
      const svg = certain ? assets.length > 0 && assets.every(isSvgLink) : links.some(isSvgLink);
      t.judgeThat(FACTS, links.length > 0, [branding], {
        message: "the branding of the institution has no asset",
        expected: "links to branding assets",
        actual: "none in the body",
      });
      judgeNamed(t, [SVG], branding, svg, "link to an SVG asset");
    },
  }),

  scenario("institutions/not-found", {
    title: "an unknown institution, or one without branding, is answered with 404",
    operations: [READ, BRANDING],
    requirements: [`${READ}.404`, `${BRANDING}.404`],
    async run(t) {
      const unknown = await t.answered(READ, { institution: "999999999" });
      const known = await t.answered(READ);
      t.judgeRefused(`${READ}.404`, "an unknown institution", [unknown, known], [404]);
      const need = "an institution without branding assets";
      const plain = await t.situation("institution-without-branding", need);
      const refusal = await t.answered(BRANDING, plain);
      const control = await t.answered(BRANDING);
      t.judgeRefused(`${BRANDING}.404`, need, [refusal, control], [404]);
    },
  }),
];

const COLOR = /^#?[0-9a-f]{3,8}$/i;

/** An address, or a relative reference (RFC 3986, 4.2) that has a path with folders, or the ending of a file. */
const LINK = /^(?:https?:)?\/\S+$|^[^\s:]+(?:\/|\.[a-z]+\b)\S*$/i;

const isSvgLink = (value: string): boolean => LINK.test(value) && /\.svg\b/i.test(value);

const isBrandless = ({ operationId, response }: Exchange): boolean =>
  operationId === BRANDING && response?.status === 404;

/**
 * Whether records have certification details. All required details must be present if their names are known; otherwise
 * any detail is enough.
 */
const hasDetails = (t: T, exchange: Exchange): boolean => {
  const { operationId } = exchange;
  const records = recordsIn(contentOf(exchange));
  const demanded = t.isConfirmed(operationId) ? (flagsByOperation(t.contract).get(operationId) ?? []) : [];
  if (demanded.length === 0) return records.some((record) => Object.values(record).some(isFlag));
  return records.length > 0 && records.every((record) => demanded.every((name) => isFlag(record[name])));
};

const isFlag = (value: unknown): boolean => typeof value === "boolean";

/** Returns the names of the required flags in the lists of each operation's answers. */
const flagsByOperation = memoize(({ rules }: Contract) => {
  const flags = new Map<string, string[]>();
  for (const { operationId, direction, keyword, pointer, schema } of rules) {
    const name = /^\/\w+\/\*\/(\w+)$/.exec(pointer)?.[1];
    if (name === undefined || direction !== "response") continue;
    if (keyword === "required" && schema.type === "boolean")
      flags.set(operationId, [...(flags.get(operationId) ?? []), name]);
  }
  return flags;
});

const hasRssd = (exchange: Exchange): boolean =>
  recordsIn(contentOf(exchange)).some((record) =>
    Object.entries(record).some(([name, value]) => /rssd/i.test(name) && value !== null),
  );

/** Returns the objects in the lists of a body. */
const recordsIn = (json: unknown): Record<string, unknown>[] =>
  Object.values((json ?? {}) as object)
    .filter(Array.isArray)
    .flat()
    .filter((item) => typeof item === "object" && item !== null) as Record<string, unknown>[];

/** Records whether an answer has the named field; the target may use another name for it. */
const judgeNamed = (
  t: T,
  requirements: readonly string[],
  exchange: Exchange,
  holds: boolean,
  what: string,
): void =>
  t.recordIfConfirmed(requirements, holds, [exchange], {
    confirmed: t.isConfirmed(exchange.operationId),
    message: `${exchange.operationId} shows no ${what}`,
    expected: `a ${what} with each institution`,
    actual: "none in the body",
  });

/** Judges the average response time. The documents do not state where it is measured. */
const judgeAverage = (t: T, requirement: string, exchanges: readonly Exchange[], limitMs: number): void => {
  const average = Math.round(
    exchanges.reduce((sum, { durationMs }) => sum + durationMs, 0) / exchanges.length,
  );
  t.judgeThat(requirement, average < limitMs, exchanges.slice(0, 3), {
    message: `the average answer took ${average} ms`,
    expected: `under ${limitMs} ms`,
    actual: `${average} ms over ${exchanges.length} calls`,
  });
};
