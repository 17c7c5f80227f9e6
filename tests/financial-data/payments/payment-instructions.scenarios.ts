/** Payment instructions of an account: ACH details, real-time payments, and coexisting variants of operations. */
import {
  OF_ACCOUNT,
  OF_CUSTOMER,
  TRANSACTION_LISTS,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { fieldOf, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Payments data");
const ACH = "GetAccountACHDetails";
const INSTRUCTIONS = "GetAccountPaymentInstructionDetails";
const INCLUDES = `${INSTRUCTIONS}.includes-ach-details`;
const COEXIST = "version.variants-coexist";

/** Older and newer variants of one operation. */
const VARIANTS: readonly (readonly [older: string, newer: string])[] = [
  ["GetAccountOwner", "GetAccountOwnerDetails"],
  [ACH, INSTRUCTIONS],
  [OF_CUSTOMER, OF_ACCOUNT],
];

export const paymentInstructionScenarios = [
  ...[ACH, INSTRUCTIONS].map((operationId) =>
    scenario(`payments-data/${operationId}-types`, {
      title: `${operationId} serves each of its account types`,
      operations: [operationId],
      requirements: [`${operationId}.account-types`],
      run: (t) => t.tryAccountTypes(`${operationId}.account-types`, operationId),
    }),
  ),

  scenario("payments-data/instructions", {
    title: "payment instructions include the ACH details of the account",
    operations: [ACH, INSTRUCTIONS],
    requirements: [INCLUDES],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings", "moneymarket");
      const ach = await t.accepted(ACH, resources);
      const instructions = await t.accepted(INSTRUCTIONS, resources);
      const numbers = Object.values((contentOf(ach) ?? {}) as object).filter(isAccountNumber);
      if (numbers.length === 0) throw new NotTried("part-not-shown", `${ACH} shows no number to look for`);
      const entry = achEntryOf(instructions) ?? contentOf(instructions);
      const missing = numbers.filter((number) => !holdsValue(entry, number));
      const holds =
        missing.length === 0 && (achEntryOf(instructions) !== undefined || !t.isConfirmed(INSTRUCTIONS));
      // An institution may return another number for the same account in its newer answers.
      t.recordIfConfirmed(INCLUDES, holds, [instructions, ach], {
        message: "the payment instructions lack the ACH details of the account",
        expected: `the ${numbers.length} numbers of ${ACH}`,
        actual: `${missing.length} of them missing`,
      });
    },
  }),

  scenario("payments-data/transfers", {
    title: "payment instructions show which real-time payments an account can receive and send",
    operations: [INSTRUCTIONS],
    requirements: ["transferInEnabled", "transferOutEnabled"].map((name) => `${INSTRUCTIONS}.${name}`),
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings", "moneymarket");
      const exchange = await t.accepted(INSTRUCTIONS, resources);
      const entries = instructionsOf(exchange);
      const realTime = entries.filter((entry) => !/^ach$/i.test(typeOf(entry)));
      if (realTime.length === 0) throw new NotTried("lacks", "an account with real-time payments");
      for (const name of ["transferInEnabled", "transferOutEnabled"]) {
        // The type of the field is assumed.
        const bare = realTime.filter((entry) => fieldOf(entry, name) === undefined);
        t.judgeThat(`${INSTRUCTIONS}.${name}`, bare.length === 0, [exchange], {
          message: `${name} is missing`,
          expected: `${name} for each real-time payment type`,
          actual: `none for ${bare.map(typeOf).join(", ")}`,
        });
      }
    },
  }),

  scenario("versions/variants", {
    title: "newer variants of operations coexist with the older ones",
    section: "Versioning",
    operations: VARIANTS.flat(),
    requirements: [COEXIST],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings");
      const spanned = { parameters: t.lastDays(30) };
      for (const variants of VARIANTS) {
        const wanted = TRANSACTION_LISTS.includes(variants[0]) ? spanned : {};
        const older = await t.answered(variants[0], resources, wanted);
        const newer = await t.answered(variants[1], resources, wanted);
        await judgeVariants(t, older, newer);
      }
    },
  }),
];

const isAccountNumber = (value: unknown): value is string =>
  typeof value === "string" && /^[\dX*-]{4,}$/i.test(value);

/** Returns the entries of the first list in the answer, under any name. */
const instructionsOf = (exchange: Exchange): unknown[] => {
  const lists = Object.values((contentOf(exchange) ?? {}) as object).filter((value) => Array.isArray(value));
  return (lists[0] ?? []) as unknown[];
};

const typeOf = (entry: unknown): string => String(fieldOf(entry, "type", "paymentType") ?? "");

const achEntryOf = (exchange: Exchange): unknown =>
  instructionsOf(exchange).find((entry) => /^ach$/i.test(typeOf(entry)));

const judgeVariants = async (t: T, older: Exchange, newer: Exchange): Promise<void> => {
  const [gone, there] = isAccepted(older) ? [newer, older] : [older, newer];
  if (isAccepted(gone)) t.pass(COEXIST, [older, newer]);
  else if (isAccepted(there) && (statusOf(gone) === 410 || (await t.isUnserved(gone)))) {
    t.judgeThat(COEXIST, false, [gone, there], {
      message: `${gone.operationId} is not served for an account that ${there.operationId} serves`,
      expected: "both variants",
    });
  } else t.leaveUntried(COEXIST, "answered", gone.operationId, statusOf(gone));
};
