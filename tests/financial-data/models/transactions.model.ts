/** Posted transactions: they are listed, of their account and of all accounts, and stay as they were posted. */
import { DAY, OF_ACCOUNT, OF_CUSTOMER } from "../../../fixtures/financial-data/listed-transactions.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import type { Model, Query } from "../../../helpers/sequences/model.ts";
import { alive, type ModelResource } from "../../../helpers/sequences/model-resources.ts";
import {
  fewer,
  making,
  queryList,
  queryResource,
  removing,
} from "../../../helpers/sequences/resource-model.ts";
import { callerFor } from "../../../helpers/sequences/sequence-calls.ts";
import { adopting, isLinked, type Linked, type LinkedCustomers, linkedCustomers } from "./linked.ts";
import { LISTS_AGREE, PROMISES, READABLE, sequenceTrial } from "./sequences.ts";

const POST = "CreateTxPushTestTransaction";
const READ = "GetCustomerTransaction";
/** The size of a page that holds all transactions of the test. */
const WHOLE = 1000;
const DAYS = 30;

const modelOf = (t: T, customers: LinkedCustomers): Model<Linked> => {
  const calls = callerFor(t);
  const list = (operationId: string, ids: ModelResource["ids"], name: string): Query<Linked> =>
    queryList(t, {
      name: `the transactions of ${name}`,
      kind: "transaction",
      call: () =>
        t.validCall(operationId, ids, {
          parameters: { ...t.lastDays(DAYS), ...t.pageQuery(operationId, 0, WHOLE) },
        }),
      holds: ({ resources }) => ({
        shown: alive(resources, "transaction").filter(
          (one) => ids.account === undefined || one.ids.account === ids.account,
        ),
        hidden: [],
      }),
      shows: LISTS_AGREE,
      hides: LISTS_AGREE,
      limit: WHOLE,
    });
  return {
    start: customers.start,
    commands: [
      ...customers.commands<Linked>(calls),
      {
        name: "post a test transaction",
        when: (state) => isLinked(state) && fewer("transaction", 6)(state),
        call: async ({ resources }, { seed, pick }) => {
          const { ids } = pick(postedTo(resources));
          const { status: _, postedDate: __, ...fields } = (await calls.of(POST, ids, seed)).json as Json;
          const call = { ...(await calls.of(POST, ids)), json: { ...fields, ...yesterday(t, fields) } };
          return making(calls, call, { kind: "transaction", ids, possible: READABLE });
        },
      },
    ],
    queries: (state) => [
      ...adopting(t, calls, state),
      ...alive(state.resources, "transaction").map((one) =>
        queryResource<Linked>(one, () => calls.of(READ, one.ids), {
          readable: READABLE,
          given: PROMISES.given,
          untouched: PROMISES.untouched,
        }),
      ),
      ...postedTo(state.resources).map(({ ids, name }) => list(OF_ACCOUNT, ids, name)),
      ...alive(state.resources, "customer").map(({ ids, name }) => list(OF_CUSTOMER, ids, name)),
    ],
    leave: removing(calls, { customer: "DeleteCustomer" }),
  };
};

/** Returns a date that the window contains. Other trials may have moved the target's clock by months. */
const yesterday = ({ clock }: T, { transactionDate }: Json): Json =>
  typeof transactionDate === "number"
    ? { transactionDate: (Math.floor(clock.now() / 1000 / DAY) - 1) * DAY }
    : {};

const postedTo = (resources: readonly ModelResource[]): ModelResource[] =>
  alive(resources, "account").slice(0, 2);

export const transactionSequences = sequenceTrial<Linked>(
  {
    name: "transactions",
    title: "posted transactions are listed and stay as they were posted",
    section: "Transactions",
    operations: [OF_ACCOUNT, OF_CUSTOMER, READ],
    requirements: [READABLE, LISTS_AGREE, PROMISES.given, PROMISES.untouched],
  },
  async (t, walk) => {
    const customers = await linkedCustomers(t);
    await walk({ model: modelOf(t, customers), steps: 15 });
  },
);
