/** Statements: by index as a PDF, several in one call, for each account type, and their date range. */
import { checkPdf } from "../../../fixtures/financial-data/answers.ts";
import { DAY } from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, fieldOf, NotTried, secondsOf } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Statements, pay statements, assets");
const ONE = "GetCustomerAccountStatement";
const SEVERAL = "GetCustomerAccountMultipleStatement";
const INDEX = `${ONE}.statement-index`;
const PDF = `${ONE}.returns-pdf`;
const INDEXES = `${SEVERAL}.statement-indexes`;
const MOST = `${SEVERAL}.up-to-24`;
const REACH = "statements.24-months";
const TYPES = "statements.account-types";

const MOST_STATEMENTS = 24;
/** 24 months, and one month until a statement is issued. */
const REACH_DAYS = 25 * 31;

export const statementScenarios = [
  scenario("statements/one", {
    title: "an index selects a statement, which is a PDF",
    operations: [ONE],
    requirements: [INDEX, PDF],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings", "creditcard");
      const first = await t.accepted(ONE, resources);
      t.record(PDF, checkPdf(first), [first]);
      const trial = { operationId: ONE, name: "index" };
      const one = (await t.tryParameter(INDEX, { ...trial, value: 1 }, resources))?.probe;
      const two = (await t.tryParameter(INDEX, { ...trial, value: 2 }, resources))?.probe;
      if (one === undefined || two === undefined || !t.isParameterConfirmed(ONE, "index")) return;
      for (const exchange of [one, two]) t.record(PDF, checkPdf(exchange), [exchange]);
      t.judgeThat(INDEX, !sameBytes(one, two), [two, one], {
        message: "two indexes select the same statement",
        expected: "another file for another index",
        actual: `the same ${one.response?.body.length} bytes`,
      });
    },
  }),

  scenario("statements/several", {
    title: "several statements are selected by their indexes, up to 24 of them",
    operations: [SEVERAL],
    requirements: [INDEXES, MOST, REACH],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings", "creditcard");
      const trial = { operationId: SEVERAL, name: "index" };
      const pair = await t.tryParameter(INDEXES, { ...trial, value: "1,2" }, resources);
      if (pair !== undefined) concludeCount(t, INDEXES, pair.probe, 2);
      const all = Array.from({ length: MOST_STATEMENTS }, (_, index) => index + 1).join(",");
      const many = await t.tryParameter(MOST, { ...trial, value: all }, resources);
      if (many === undefined) throw new NotTried("not-arranged", "a call for 24 statements was refused");
      concludeCount(t, MOST, many.probe, MOST_STATEMENTS);
      concludeReach(t, many.probe);
    },
  }),

  scenario("statements/types", {
    title: "statements are available for each of their account types",
    operations: [ONE, SEVERAL],
    requirements: [TYPES],
    run: (t) => t.tryAccountTypes(TYPES, ONE, SEVERAL),
  }),
];

const sameBytes = ({ response: one }: Exchange, { response: other }: Exchange): boolean =>
  one !== undefined && other !== undefined && one.body.equals(other.body);

/** Judges the number of statements: never more than requested, but an institution may have fewer. */
const concludeCount = (t: T, suffix: string, exchange: Exchange, asked: number): void => {
  const count = t.itemsIn(exchange).length;
  const isOurs = t.isConfirmed();
  const holds = isOurs ? count === asked : count <= asked;
  t.recordIfConfirmed(suffix, holds, [exchange], {
    confirmed: t.isParameterConfirmed(SEVERAL, "index") || count > MOST_STATEMENTS,
    message: `${asked} statements were requested`,
    expected: isOurs ? `${asked}` : `${asked} at most`,
    actual: `${count}`,
  });
};

const concludeReach = (t: T, exchange: Exchange): void => {
  const now = t.clock.now() / 1000;
  const dates = t
    .itemsIn(exchange)
    .flatMap((item) => secondsOf(fieldOf(item, "asOfDate", "documentDate")) ?? []);
  if (dates.length === 0)
    throw new NotTried("name-assumed", "the statements show no date under a name like asOfDate");
  const days = Math.round((now - Math.min(...dates)) / DAY);
  t.recordIfConfirmed(REACH, days <= REACH_DAYS, [exchange], {
    confirmed: t.isConfirmed(SEVERAL),
    message: "statements reach further back than 24 months",
    expected: `${REACH_DAYS} days at most`,
    actual: `${days} days`,
  });
};
