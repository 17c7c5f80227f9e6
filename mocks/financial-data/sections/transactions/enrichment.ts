/** Transaction data enrichment: adds the category and the merchant to submitted transactions. */
import { type Fields, fieldsIn, listIn } from "../../../engine/values/fields.ts";
import { randomOf } from "../../../engine/values/random.ts";
import { refused, success } from "../../answers.ts";
import { bodyOf, partnerOf } from "../../found.ts";
import type { Section } from "../../section.ts";
import { DESCRIPTIONS } from "../../state/spending-patterns.ts";
import { type State, stored } from "../../state/state.ts";

/** Pairs of a partner and an external customer whose transactions the partner submitted. */
export const enrichedFor = stored("enriched", () => new Set<`${string} ${string}`>());

/** External customers whose transactions can no longer be enriched. */
export const forgotten = stored("forgotten-enrichments", () => new Set<string>());

const enrichedOf = (state: State, transaction: Fields): Fields => {
  const { description, amount } = transaction;
  const text = String(description);
  const random = randomOf(`${state.seed} enriched ${text}`);
  const { payee, category } = recognized(text) ?? { payee: titled(text), category: "Uncategorized" };
  return {
    ...transaction,
    directionIndicator: transaction.directionIndicator ?? (Number(amount) < 0 ? "Debit" : "Credit"),
    transactionCategory: category,
    transactionCategoryScore: random.integer(70, 99),
    transactionCategoryGroup: category,
    entities: [
      {
        id: `e${random.digits(8)}`,
        name: payee,
        group: "merchant",
        category,
        entityStandardizationConfidenceScore: random.integer(70, 99),
      },
    ],
    isRecurringTransaction: transaction.inputIsRecurringTransaction ?? false,
    matchConfidenceScore: random.integer(70, 99),
  };
};

/** Finds a payee of the sandbox whose name is in the description. */
const recognized = (description: string) => {
  const text = description.toLowerCase();
  return PAYEES.find(({ name }) => text.includes(name));
};

const PAYEES = DESCRIPTIONS.map(({ payee, category }) => ({ payee, category, name: payee.toLowerCase() }));

const titled = (text: string): string =>
  text
    .replace(/[^A-Za-z ]+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) || "Unknown Merchant";

const LARGEST_BATCH = 1_000;

export const enrichment: Section = {
  handlers: {
    enrichTransactions(state, call) {
      const sent = listIn(bodyOf(call).transactions).map(fieldsIn);
      const customers = new Set(sent.map(({ externalCustomerId }) => String(externalCustomerId)));
      for (const id of customers) {
        if (forgotten(state).has(id)) throw refused("external-customer-gone");
        enrichedFor(state).add(`${partnerOf(state, call).id} ${id}`);
      }
      const accepted = call.differs("large-pages-cut") ? sent.slice(0, LARGEST_BATCH) : sent;
      const enriched = accepted.map((transaction) => enrichedOf(state, transaction));
      const key = String(sent[0]?.externalTransactionId);
      return success(state, call, { transactions: enriched }, { key, made: "required" });
    },
  },
  situations: {
    "external-customer": (state) => {
      const id = `external-${state.newId("external-customer")}`;
      enrichedFor(state).add(`${state.partners.main.id} ${id}`);
      return { FINANCIAL_DATA_EXTERNAL_CUSTOMER_ID: id };
    },
    "external-customer-gone": (state) => {
      const id = `external-${state.newId("external-customer")}`;
      forgotten(state).add(id);
      return { FINANCIAL_DATA_EXTERNAL_CUSTOMER_ID: id };
    },
  },
};
