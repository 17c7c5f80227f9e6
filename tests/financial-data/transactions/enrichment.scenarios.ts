/** Transaction data enrichment: categories and entities for up to a thousand transactions per call. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { type Call, NotTried, withFields } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Transaction data enrichment");
const ENRICH = "enrichTransactions";
const MOST = 1000;
const DRAWS = 8;

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
      const described = withTransactions(call, 1, { description: "COFFEE HOUSE 114 FAIRVIEW TX" });
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

  scenario("enrichment/batches", {
    title: "a batch may have up to a thousand transactions",
    operations: [ENRICH],
    requirements: ["enrichTransactions.batch-max-1000"],
    async run(t) {
      const requirement = "enrichTransactions.batch-max-1000";
      const call = await smallCall(t);
      const one = await t.acceptanceOf(withTransactions(call, 1));
      const full = await t.answerTo(withTransactions(call, MOST));
      const status = statusOf(full);
      if (!isAccepted(full) && ![400, 422].includes(status))
        throw new NotTried("not-arranged", `a batch of ${MOST} was answered with ${status}`);
      t.judgeThat(requirement, isAccepted(full), [full, one], {
        message: `a batch of ${MOST} transactions was refused`,
        expected: "accepted, like a batch of one",
      });
      const beyond = await t.answerTo(withTransactions(call, MOST + 1));
      // The server may refuse or truncate the batch (gaps: page size above the maximum).
      const enriched = isAccepted(beyond) ? (t.itemsOf(beyond)?.length ?? 0) : 0;
      t.judgeThat(requirement, enriched <= MOST, [beyond, full], {
        message: `a batch of ${MOST + 1} transactions was enriched`,
        expected: `a refusal, or ${MOST} transactions at most`,
        actual: `${enriched} transactions`,
      });
    },
  }),
];

const transactionOf = ({ json }: Call): Json =>
  ((json as { readonly transactions?: readonly Json[] }).transactions ?? [])[0] ?? {};

/** Returns the shortest of several calls, so that a batch is not refused for its size in bytes. */
const smallCall = async (t: T): Promise<Call> => {
  const calls: Call[] = [];
  for (let draw = 0; draw < DRAWS; draw++) calls.push(await t.validCall(ENRICH, {}, { draw }));
  const sizeOf = (call: Call): number => JSON.stringify(transactionOf(call)).length;
  const [smallest] = calls.sort((one, other) => sizeOf(one) - sizeOf(other));
  return withTransactions(smallest as Call, 1, { description: "COFFEE HOUSE 114" });
};

/** Returns the call with `count` copies of its first transaction, each with its own id. */
const withTransactions = (call: Call, count: number, fields: Json = {}): Call =>
  withFields(call, {
    transactions: Array.from({ length: count }, (_, index) => ({
      ...transactionOf(call),
      ...fields,
      externalTransactionId: `transaction-${index + 1}`,
    })),
  });
