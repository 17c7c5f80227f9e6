/** Statements: by index as a PDF, several at once, of each account type, and how far they reach back. */

import { tryAccountTypes } from "../../../fixtures/financial-data/account-types.ts";
import {
  accepted,
  fieldOf,
  itemsIn,
  namesAreCertain,
  operationOf,
  parameterOf,
  secondsOf,
} from "../../../fixtures/financial-data/calls.ts";
import { attempt, conclude, tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import { DAY } from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Statements, pay statements, assets";
const ONE = "GetCustomerAccountStatement";
const SEVERAL = "GetCustomerAccountMultipleStatement";
const INDEX = `${ONE}.statement-index`;
const PDF = `${ONE}.returns-pdf`;
const INDEXES = `${SEVERAL}.statement-indexes`;
const MOST = `${SEVERAL}.up-to-24`;
const REACH = "statements.24-months";
const TYPES = "statements.account-types";

const MOST_STATEMENTS = 24;
/** 24 months, and the one that a statement takes to come out. */
const REACH_DAYS = 25 * 31;

export const statementScenarios: readonly Trial[] = [
  scenario(
    {
      id: "statements/one",
      title: "the statement that an index selects comes as a PDF",
      section: SECTION,
      operations: [ONE],
      requirements: [INDEX, PDF],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings", "creditcard");
      const first = await accepted(context, ONE, resources);
      concludePdf(context, first);
      const trial = { operationId: ONE, name: "index" };
      const one = (await tryParameter(context, INDEX, resources, { ...trial, value: 1 }))?.probe;
      const two = (await tryParameter(context, INDEX, resources, { ...trial, value: 2 }))?.probe;
      if (one === undefined || two === undefined || !indexIsCertain(context, ONE)) return;
      for (const exchange of [one, two]) concludePdf(context, exchange);
      const finding = {
        message: "two indexes select the same statement",
        expected: "another file for another index",
        actual: `the same ${one.response?.body.length} bytes`,
      };
      const holds = !sameBytes(one, two);
      conclude(context, INDEX, { holds, certain: true, finding }, [two, one]);
    },
  ),

  scenario(
    {
      id: "statements/several",
      title: "several statements are selected by their indexes, up to 24 of them",
      section: SECTION,
      operations: [SEVERAL],
      requirements: [INDEXES, MOST, REACH],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings", "creditcard");
      const trial = { operationId: SEVERAL, name: "index" };
      const pair = await tryParameter(context, INDEXES, resources, { ...trial, value: "1,2" });
      if (pair !== undefined) concludeCount(context, INDEXES, pair.probe, 2);
      const all = Array.from({ length: MOST_STATEMENTS }, (_, index) => index + 1).join(",");
      const many = await tryParameter(context, MOST, resources, { ...trial, value: all });
      if (many === undefined) throw new NotTried("a call for 24 statements was refused");
      concludeCount(context, MOST, many.probe, MOST_STATEMENTS);
      concludeReach(context, many.probe);
    },
  ),

  scenario(
    {
      id: "statements/types",
      title: "statements are available for each of their account types",
      section: SECTION,
      operations: [ONE, SEVERAL],
      requirements: [TYPES],
    },
    async (context) => {
      for (const operationId of [ONE, SEVERAL]) {
        await attempt(context, [TYPES], async () => {
          await tryAccountTypes(context, TYPES, operationId, operationOf(context, operationId).accountTypes);
        });
      }
    },
  ),
];

/** The first bytes of every PDF (ISO 32000-1, 7.5.2). */
const PDF_START = "%PDF-";

const concludePdf = (context: TrialContext, exchange: Exchange): void => {
  const { headers = {}, body = Buffer.alloc(0) } = exchange.response ?? {};
  const start = body.subarray(0, 1024).toString("latin1");
  const finding = {
    message: "the statement is no PDF",
    expected: `content that begins with ${PDF_START}`,
    actual: `${headers["content-type"] ?? "no content type"}, ${statusOf(exchange)}, ${body.length} bytes`,
  };
  conclude(context, PDF, { holds: start.includes(PDF_START), certain: true, finding }, [exchange]);
};

const sameBytes = (one: Exchange, other: Exchange): boolean =>
  one.response !== undefined && other.response !== undefined && one.response.body.equals(other.response.body);

/** Whether the name that was tried is surely the one by which the target selects. */
const indexIsCertain = (context: TrialContext, operationId: string): boolean =>
  context.capabilities.has("new-implementation") ||
  parameterOf(operationOf(context, operationId), "index")?.level === "provider";

/** More than were asked for are too many; fewer there may be at an institution that has no more. */
const concludeCount = (context: TrialContext, suffix: string, exchange: Exchange, asked: number): void => {
  const count = itemsIn(context, exchange).length;
  const isOurs = context.capabilities.has("new-implementation");
  const finding = {
    message: `${asked} statements were asked for`,
    expected: isOurs ? `${asked}` : `${asked} at most`,
    actual: `${count}`,
  };
  const holds = isOurs ? count === asked : count <= asked;
  conclude(
    context,
    suffix,
    { holds, certain: indexIsCertain(context, SEVERAL) || count > MOST_STATEMENTS, finding },
    [exchange],
  );
};

const concludeReach = (context: TrialContext, exchange: Exchange): void => {
  const now = context.clock.now() / 1000;
  const dates = itemsIn(context, exchange).flatMap(
    (item) => secondsOf(fieldOf(item, "asOfDate", "documentDate")) ?? [],
  );
  if (dates.length === 0) throw new NotTried("the statements show no date under a name like asOfDate");
  const days = Math.round((now - Math.min(...dates)) / DAY);
  const finding = {
    message: "statements reach further back than 24 months",
    expected: `${REACH_DAYS} days at most`,
    actual: `${days} days`,
  };
  conclude(
    context,
    REACH,
    { holds: days <= REACH_DAYS, certain: namesAreCertain(context, SEVERAL), finding },
    [exchange],
  );
};
