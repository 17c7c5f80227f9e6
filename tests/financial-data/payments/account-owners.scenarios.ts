/** The owners of an account, in full and with insights, and the payment details of a loan. */
import { takesParameter } from "../../../fixtures/financial-data/account-parameters.ts";
import type { LinkedAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, fieldOf, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Payments data");
const DETAILS = "GetAccountOwnerDetails";
const CONTENT = `${DETAILS}.content`;
const LOAN = "GetLoanPaymentDetails";
const LOAN_DETAILS = `${LOAN}.returns-loan-details`;

/** The parts of a holder, each with the names that it may have. */
const PARTS: readonly (readonly string[])[] = [
  ["addresses", "address"],
  ["emails", "email"],
  ["phones", "phone"],
  ["documentations", "documentation", "documents"],
  ["identityInsights", "insights"],
];

export const accountOwnerScenarios = [
  ...[
    { name: "withInsights", requirement: `${DETAILS}.with-insights-query` },
    { name: "metadata", requirement: `${DETAILS}.metadata-query` },
  ].map(({ name, requirement }) =>
    takesParameter(scenario, `payments-data/owner-${name.toLowerCase()}`, {
      title: `owner details accept the query parameter ${name}`,
      operations: [DETAILS],
      requirement,
      name,
    }),
  ),

  scenario("payments-data/owner-content", {
    title: "owner details return the holders with addresses, emails, phones, documentation and insights",
    operations: [DETAILS],
    requirements: [CONTENT],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings");
      const hasInsights = t.parameterOf(DETAILS, "withInsights") !== undefined;
      const parameters = hasInsights && t.isConfirmed(DETAILS) ? { withInsights: true } : {};
      const exchange = await t.accepted(DETAILS, resources, { parameters });
      concludeHolders(t, exchange);
    },
  }),

  scenario("payments-data/loan", {
    title: "loan payment details belong to the account in the path",
    operations: [LOAN],
    requirements: [LOAN_DETAILS],
    async run(t) {
      const account = await t.accountOfType("loan", "mortgage", "studentloan");
      const exchange = await t.accepted(LOAN, account.resources);
      const { json } = exchange.response ?? {};
      const isEmpty = Object.keys((json ?? {}) as object).length === 0;
      t.judgeThat(LOAN_DETAILS, !isEmpty, [exchange], {
        message: "the loan payment details are empty",
        expected: "details",
        actual: JSON.stringify(json),
      });
      if (!isEmpty) judgeLoan(t, exchange, account);
    },
  }),
];

/**
 * Judges the holders. Institutions know different parts of a holder; only a server built from the contract must return
 * all parts.
 */
const concludeHolders = (t: T, exchange: Exchange): void => {
  const holders = fieldOf(contentOf(exchange), "holders", "owners", "accountHolders");
  const hasHolders = Array.isArray(holders) && holders.length > 0;
  t.recordIfConfirmed(CONTENT, hasHolders, [exchange], {
    confirmed: t.isConfirmed(DETAILS),
    message: "no account holder is returned",
    expected: "the holders",
    actual: JSON.stringify(holders) ?? "",
  });
  if (!hasHolders || !t.isConfirmed()) return;
  const missing = PARTS.filter((names) => holders.every((holder) => fieldOf(holder, ...names) === undefined));
  t.judgeThat(CONTENT, missing.length === 0, [exchange], {
    message: "the holders lack parts that the institution knows",
    expected: PARTS.map(([name]) => name).join(", "),
    actual: `no ${missing.map(([name]) => name).join(", ")}`,
  });
};

/** Judges that the loan belongs to the account, by the last digits of its number. */
const judgeLoan = (t: T, exchange: Exchange, { fields }: LinkedAccount): void => {
  const digits = String(
    fieldOf(fields, "accountNumberDisplay", "realAccountNumberLast4", "number") ?? "",
  ).replace(/\D/g, "");
  if (digits.length < 4)
    throw new NotTried("part-not-shown", "the account shows no digits of its number to know its loan by");
  const number = fieldOf(contentOf(exchange), "loanNumber", "accountNumber");
  const holds = String(number).endsWith(digits.slice(-4));
  // A lender may use different numbers for its loans and accounts.
  t.recordIfConfirmed(LOAN_DETAILS, holds, [exchange], {
    message: "the loan payment details belong to another account",
    expected: `a number that ends in ${digits.slice(-4)}`,
    actual: String(number).slice(-4),
  });
};
