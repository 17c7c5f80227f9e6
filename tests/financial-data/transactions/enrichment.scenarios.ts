/** Transaction data enrichment: categories and entities. */
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { type Call, withFields } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Transaction data enrichment");
const ENRICH = "enrichTransactions";

export const enrichmentScenarios = [
  scenario("enrichment/added", {
    title: "enriched transactions have a category and recognized entities",
    operations: [ENRICH],
    requirements: [
      "enrichTransactions.request-body",
      "enrichTransactions.categorization",
      "enrichTransactions.entity-recognition",
    ],
    async run(t) {
      const call = await t.validCall(ENRICH);
      const described = withDescription(call, "COFFEE HOUSE 114 FAIRVIEW TX");
      const exchange = await t.acceptanceOf(described, ["enrichTransactions.request-body"]);
      const [item] = t.itemsIn(exchange);
      const sent = new Set(Object.keys(transactionOf(described)));
      const added = Object.keys(item ?? {}).filter((name) => !sent.has(name));
      for (const [requirement, word] of [
        ["enrichTransactions.categorization", /categor/i],
        ["enrichTransactions.entity-recognition", /entit|merchant/i],
      ] as const) {
        const isAdded = added.some((name) => word.test(name));
        t.recordIfConfirmed(requirement, isAdded, [exchange], {
          message: "the transaction was returned without the fields that enrichment adds",
          expected: `a field like ${word.source.replace("|", " or ")}`,
          actual: `added: ${added.join(", ") || "nothing"}`,
        });
      }
    },
  }),
];

const transactionOf = ({ json }: Call): Json =>
  ((json as { readonly transactions?: readonly Json[] }).transactions ?? [])[0] ?? {};

/** Returns the call with its first transaction only, with this description. */
const withDescription = (call: Call, description: string): Call =>
  withFields(call, { transactions: [{ ...transactionOf(call), description }] });
