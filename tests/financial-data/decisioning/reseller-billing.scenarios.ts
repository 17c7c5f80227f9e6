/** Reseller billing: a paged list of the reports of a reseller's partners within a range of days. */
import { REFUSALS } from "../../../fixtures/financial-data/reporting.ts";
import { LOG_IN } from "../../../fixtures/financial-data/signing-in.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { checkSize } from "../../../helpers/checks/obedience.ts";
import { isObject, movedNames, steadyText } from "../../../helpers/contract/json.ts";
import { tokenHeader } from "../../../helpers/contract/lookups.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { type Contents, NotTried, type Resources } from "../../../helpers/trials/kit/language.ts";

const BILLING = "getResellerBillingReport";
const RANGE = `${BILLING}.range-max-31-days`;
const MOST = `${BILLING}.size-max-1000`;
const READS = "reseller-reads-customer-partners";
const scenario = scenariosIn("Report retrieval");

/** The reports of active customers for whom we ask: more than fit on one page. */
const ENTRIES = 130;

export const resellerBillingScenarios = [
  scenario("reseller-billing/range", {
    title: "a range of more than 31 days is refused",
    operations: [BILLING],
    requirements: [RANGE],
    async run(t) {
      const reseller = t.capabilities.offers("reseller") ? await signedIn(t) : {};
      const control = await billed(t, reseller, { startDate: t.daysAgo(30) });
      const probe = await billed(t, reseller, { startDate: t.daysAgo(45) });
      t.judgeRefused(RANGE, "a range of 45 days", [probe, control], REFUSALS);
    },
  }),

  scenario("reseller-billing/pages", {
    title: "pages are numbered from zero and contain 100 reports by default",
    operations: [BILLING],
    requirements: ["size-default-100", "page-zero-based", "page-default-0", READS].map(
      (suffix) => `${BILLING}.${suffix}`,
    ),
    async run(t) {
      const reseller = await signedIn(t);
      const usual = await page(t, reseller, {});
      // Each answer of a run is judged by its size.
      await page(t, reseller, { size: 5 });
      const reads = usual.rows.length > 0;
      judge(t, READS, reads, "reports of its partners", false, usual);
      const first = await page(t, reseller, { page: 0 });
      const second = await page(t, reseller, { page: 1 });
      // A time that moves of itself may be in whole seconds.
      await t.clock.pass(1.1);
      const again = await page(t, reseller, {});
      const moving = usual.rows.flatMap((row, index) => movedNames(row, again.rows[index]));
      const apart = areApart(first, second, moving);
      const third = apart ? undefined : await page(t, reseller, { page: 2 });
      // Only a target that knows the parameter has two different pages.
      const isPaged = apart ? second.rows.length > 0 : areApart(first, third ?? first, moving);
      judge(t, "size-default-100", usual.rows.length === 100, "100 reports", isPaged, usual, second);
      const same = textsOf(first, moving).join() === textsOf(usual, moving).join();
      judge(t, "page-default-0", same, "page 0 by default", isPaged, usual, first);
      const different = "different reports on page 1 and page 0";
      judge(t, "page-zero-based", apart, different, isPaged, second, first);
    },
  }),

  scenario("reseller-billing/largest-page", {
    title: "a page has 1000 reports at most, also if the call asks for more",
    operations: [BILLING],
    requirements: [MOST],
    async run(t) {
      const reseller = await signedIn(t, LARGEST + 1);
      const whole = await page(t, reseller, { size: LARGEST });
      const next = await page(t, reseller, { size: LARGEST, page: 1 });
      if (next.rows.length === 0) throw new NotTried("lacks", `a reseller with more than ${LARGEST} reports`);
      const probe = await billed(t, reseller, { size: LARGEST + 1 });
      const shown = isAccepted(probe) ? t.itemsIn(probe).length : 0;
      t.record(MOST, checkSize("size", LARGEST, shown), [probe, whole.exchange]);
      t.showOccasion(MOST);
    },
  }),

  scenario("reseller-billing/testing", {
    title: "reports of testing customers are omitted unless requested",
    operations: [BILLING],
    requirements: ["viewTestingReports-default-false", "viewTestingReports-false-active-only"].map(
      (suffix) => `${BILLING}.${suffix}`,
    ),
    async run(t) {
      const reseller = await signedIn(t);
      const all = await page(t, reseller, { size: 1000, viewTestingReports: true });
      const active = await page(t, reseller, { size: 1000, viewTestingReports: false });
      const usual = await page(t, reseller, { size: 1000 });
      const entries = Number(reseller.resources?.["active-reports"]);
      if (all.rows.length <= entries)
        throw new NotTried("not-shown", "no report of a testing customer is shown at all");
      const actives = active.rows.length === entries;
      judge(t, "viewTestingReports-false-active-only", actives, `${entries} reports`, false, active, all);
      const fewer = usual.rows.length < all.rows.length;
      const none = "no reports of testing customers";
      const isKnown = active.rows.length < all.rows.length;
      judge(t, "viewTestingReports-default-false", fewer, none, isKnown, usual, all);
    },
  }),
];

/** The largest page. */
const LARGEST = 1000;

interface Reseller {
  readonly resources?: Resources;
  readonly headers?: Contents["headers"];
}

/** @throws NotTried when there is no reseller to sign in as */
const signedIn = async (t: T, entries = ENTRIES): Promise<Reseller> => {
  const need = "a reseller partner with partners that are set up with it";
  const resources = await t.situation("reseller", need, { entries });
  const token = t.tokenIn(await t.accepted(LOG_IN, resources));
  return { resources, headers: { [tokenHeader(t.contract)]: token } };
};

const billed = (
  t: T,
  { resources, headers }: Reseller,
  parameters: Contents["parameters"],
): Promise<Exchange> => {
  const range = { startDate: t.daysAgo(20), endDate: t.daysAgo(0) + 60 };
  return t.answered(BILLING, resources, { parameters: { ...range, ...parameters }, headers });
};

interface Page {
  readonly exchange: Exchange;
  readonly rows: readonly unknown[];
}

/** @throws NotTried when the page is refused or has no list */
const page = async (t: T, reseller: Reseller, parameters: Contents["parameters"]): Promise<Page> => {
  const exchange = await billed(t, reseller, parameters);
  t.assertAccepted(exchange);
  return { exchange, rows: t.itemsIn(exchange) };
};

/** Returns each row as text, for comparison, without the members that differ from read to read. */
const textsOf = ({ rows }: Page, moving: readonly string[]): readonly string[] =>
  rows.map((row) => (moving.length === 0 && isObject(row) ? textOfObject(row) : steadyText(row, moving)));

/** Changed copies of an answer share most of its rows. */
const textOfObject = memoize((row: object): string => JSON.stringify(row));

/** Whether two pages differ. Two reports may look the same, because a row shows only parts of their ids. */
const areApart = (one: Page, other: Page, moving: readonly string[]): boolean => {
  const known = new Set(textsOf(one, moving));
  return textsOf(other, moving).filter((row) => known.has(row)).length < other.rows.length / 2;
};

/** @param isKnown whether the target has shown that it knows the parameter by its name */
const judge = (
  t: T,
  suffix: string,
  holds: boolean,
  expected: string,
  isKnown: boolean,
  ...pages: Page[]
): void =>
  t.recordIfConfirmed(
    `${BILLING}.${suffix}`,
    holds,
    pages.map(({ exchange }) => exchange),
    {
      confirmed: isKnown || t.isConfirmed(),
      message: `${BILLING} does not return the expected reports`,
      expected,
      actual: pages.map(({ rows }) => `${rows.length} reports`).join(" and "),
    },
  );
