/** Reseller billing: the reports of a range of days, in pages, of the partners that are set up with a reseller. */
import {
  accepted,
  answered,
  itemsIn,
  type Resources,
  situation,
} from "../../../fixtures/financial-data/calls.ts";
import { conclude, recordPair } from "../../../fixtures/financial-data/conclude.ts";
import { isNew, REFUSALS } from "../../../fixtures/financial-data/reporting.ts";
import { daysAgo } from "../../../fixtures/financial-data/reports.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { checkRefused } from "../../../helpers/checks/refusal.ts";
import { instancesAt } from "../../../helpers/checks/rules.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const BILLING = "getResellerBillingReport";
const SECTION = "Report retrieval";

/** Reports of active customers, of which the reseller situation makes so many, and half as many of testing ones. */
const ENTRIES = 130;

export const resellerBillingScenarios: readonly Trial[] = [
  scenario(
    {
      id: "reseller-billing/range",
      title: "a range of more than 31 days is refused",
      section: SECTION,
      operations: [BILLING],
      requirements: [`${BILLING}.range-max-31-days`],
    },
    async (context) => {
      const reseller = context.capabilities.offers("reseller")
        ? await signedIn(context)
        : { resources: {}, headers: {} };
      const twin = await billed(context, reseller, { startDate: daysAgo(context, 30) });
      const probe = await billed(context, reseller, { startDate: daysAgo(context, 45) });
      const what = { what: "a range of 45 days", pointer: "startDate" };
      recordPair(context, `${BILLING}.range-max-31-days`, checkRefused(what, probe, twin, REFUSALS), [
        probe,
        twin,
      ]);
    },
  ),

  scenario(
    {
      id: "reseller-billing/pages",
      title: "pages count from zero and hold 100 reports by default",
      section: SECTION,
      operations: [BILLING],
      requirements: [
        "size-default-100",
        "page-zero-based",
        "page-default-0",
        "reseller-reads-customer-partners",
      ].map((suffix) => `${BILLING}.${suffix}`),
    },
    async (context) => {
      const reseller = await signedIn(context);
      const usual = await page(context, reseller, {});
      judge(
        context,
        "reseller-reads-customer-partners",
        usual.rows.length > 0,
        "reports of its partners",
        usual,
      );
      judge(context, "size-default-100", usual.rows.length === 100, "100 reports", usual);
      const first = await page(context, reseller, { page: 0 });
      const second = await page(context, reseller, { page: 1 });
      judge(
        context,
        "page-default-0",
        first.rows.join() === usual.rows.join(),
        "the page 0 by default",
        usual,
        first,
      );
      const apart = second.rows.length > 0 && !second.rows.some((row) => first.rows.includes(row));
      judge(context, "page-zero-based", apart, "other reports on page 1 than on page 0", second, first);
    },
  ),

  scenario(
    {
      id: "reseller-billing/testing",
      title: "reports of testing customers are left out unless they are asked for",
      section: SECTION,
      operations: [BILLING],
      requirements: ["viewTestingReports-default-false", "viewTestingReports-false-active-only"].map(
        (suffix) => `${BILLING}.${suffix}`,
      ),
    },
    async (context) => {
      const reseller = await signedIn(context);
      const all = await page(context, reseller, { size: 1000, viewTestingReports: true });
      const active = await page(context, reseller, { size: 1000, viewTestingReports: false });
      const usual = await page(context, reseller, { size: 1000 });
      if (all.rows.length <= ENTRIES) throw new NotTried("no report of a testing customer is shown at all");
      const actives = active.rows.length === ENTRIES;
      judge(context, "viewTestingReports-false-active-only", actives, `${ENTRIES} reports`, active, all);
      const isDefault = usual.rows.length < all.rows.length;
      judge(
        context,
        "viewTestingReports-default-false",
        isDefault,
        "no reports of testing customers",
        usual,
        all,
      );
    },
  ),
];

interface Reseller {
  readonly resources: Resources;
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws NotTried when there is no reseller to sign in as */
const signedIn = async (context: TrialContext): Promise<Reseller> => {
  const need = "a reseller partner with partners that are set up with it";
  const resources = await situation(context, "reseller", need, { entries: ENTRIES });
  const operation = context.contract.operations.find(({ token }) => token !== undefined);
  const scheme = context.contract.securitySchemes.find(({ configuration }) => configuration === undefined);
  if (operation === undefined || scheme === undefined)
    throw new NotTried("the contract names no access token");
  const exchange = await accepted(context, operation.operationId, resources);
  const pointer = context.bindings[operation.operationId] ?? operation.token ?? "";
  const [token] = instancesAt(exchange.response?.json, pointer);
  if (typeof token?.value !== "string") {
    throw new NotTried(`bind ${operation.operationId} in BINDINGS to where its token stands`);
  }
  return { resources, headers: { [scheme.header.toLowerCase()]: token.value } };
};

const billed = (
  context: TrialContext,
  { resources, headers }: Reseller,
  parameters: Readonly<Record<string, string | number | boolean>>,
): Promise<Exchange> => {
  const range = { startDate: daysAgo(context, 20), endDate: daysAgo(context, 0) + 60 };
  return answered(context, BILLING, resources, { parameters: { ...range, ...parameters }, headers });
};

interface Page {
  readonly exchange: Exchange;
  /** Each as text, to tell them apart. */
  readonly rows: readonly string[];
}

/** @throws NotTried when it is refused or shows no list */
const page = async (
  context: TrialContext,
  reseller: Reseller,
  parameters: Readonly<Record<string, string | number | boolean>>,
): Promise<Page> => {
  const exchange = await billed(context, reseller, parameters);
  if (!isAccepted(exchange)) throw new NotTried(`${BILLING} refused a valid call with ${statusOf(exchange)}`);
  return { exchange, rows: itemsIn(context, exchange).map((row) => JSON.stringify(row)) };
};

const judge = (
  context: TrialContext,
  suffix: string,
  holds: boolean,
  expected: string,
  ...pages: Page[]
): void => {
  const actual = pages.map(({ rows }) => `${rows.length} reports`).join(" and ");
  const finding = { message: `${BILLING} does not keep to it`, expected, actual };
  const exchanges = pages.map(({ exchange }) => exchange);
  conclude(context, `${BILLING}.${suffix}`, { holds, certain: isNew(context), finding }, exchanges);
};
