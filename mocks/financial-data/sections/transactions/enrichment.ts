/** Transaction data enrichment: what is sent comes back with its category and whom it names. */

import type { Fields } from "../../../engine/values/fields.ts";
import { randomOf } from "../../../engine/values/random.ts";
import { refused, success } from "../../answers.ts";
import { bodyOf, partnerOf } from "../../found.ts";
import type { Handler, Section } from "../../section.ts";
import { forget, isForgotten, rememberEnriched } from "../../world/enriched.ts";
import { DESCRIPTIONS } from "../../world/habits.ts";
import type { World } from "../../world/world.ts";

const enrich: Handler = (world, call) => {
  const { transactions } = bodyOf(call);
  const sent = Array.isArray(transactions) ? (transactions as Fields[]) : [];
  const customers = new Set(sent.map(({ externalCustomerId }) => String(externalCustomerId)));
  for (const id of customers) {
    if (isForgotten(world, id)) throw refused("external-customer-gone");
    rememberEnriched(world, partnerOf(world, call).id, id);
  }
  const enriched = sent.map((transaction) => enrichedOf(world, transaction));
  const key = String(sent[0]?.externalTransactionId);
  return success(world, call, { transactions: enriched }, { key, made: "required" });
};

const enrichedOf = (world: World, transaction: Fields): Fields => {
  const { description, amount } = transaction;
  const text = String(description);
  const random = randomOf(`${world.seed} enriched ${text}`);
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

/** Whoever the sandbox itself lets trade is known by any word of the name. */
const recognized = (description: string) => {
  const text = description.toLowerCase();
  return DESCRIPTIONS.find(({ payee }) => text.includes(payee.toLowerCase()));
};

const titled = (text: string): string =>
  text
    .replace(/[^A-Za-z ]+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) || "Unknown Merchant";

export const enrichment: Section = {
  handlers: { enrichTransactions: enrich },
  situations: {
    "external-customer": (world) => {
      const id = `external-${world.newId("external-customer")}`;
      rememberEnriched(world, world.partners.main.id, id);
      return { FINANCIAL_DATA_EXTERNAL_CUSTOMER_ID: id };
    },
    "external-customer-gone": (world) => {
      const id = `external-${world.newId("external-customer")}`;
      forget(world, id);
      return { FINANCIAL_DATA_EXTERNAL_CUSTOMER_ID: id };
    },
  },
};
