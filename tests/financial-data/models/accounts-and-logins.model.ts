/** Accounts of several logins: they are linked, refreshed, and deleted one by one or with their login. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import type { Command, Model, Query } from "../../../helpers/sequences/model.ts";
import { alive, change, isDue, type ModelResource } from "../../../helpers/sequences/model-resources.ts";
import { deleting, queryList, queryResource, removing } from "../../../helpers/sequences/resource-model.ts";
import { type Caller, callerFor } from "../../../helpers/sequences/sequence-calls.ts";
import { adopting, isLinked, LIST, type Linked, type LinkedCustomers, linkedCustomers } from "./linked.ts";
import { LISTS_AGREE, PROMISES, READABLE, sequenceTrial } from "./sequences.ts";

interface State extends Linked {
  /** The kind of the last deletion, which must not affect other accounts. */
  last: Ending | undefined;
  /** The kind of deletion that removed each account. */
  readonly goneBy: Record<string, Ending>;
}

const DELETIONS = {
  account: "DeleteCustomerAccount",
  login: "DeleteCustomerAccountsByInstitutionLogin",
} as const;
type Ending = keyof typeof DELETIONS;

const SIMPLE = "GetCustomerAccountsSimple";
const BY_LOGIN = "GetCustomerAccountsByInstitutionLogin";
const READ = "GetCustomerAccount";
const REFRESH = "RefreshCustomerAccountsV2";

const removed = (ending: Ending | undefined): string =>
  ending === undefined ? PROMISES.gone : id(`${DELETIONS[ending]}.removes-access`);
const stays = (ending: Ending | undefined): string =>
  ending === undefined ? READABLE : id(`${DELETIONS[ending]}.others-stay`);

/** The number of logins. There are two, so that deleting one login could affect the other. */
const LOGINS = 2;

const modelOf = (t: T, customers: LinkedCustomers): Model<State> => {
  const calls = callerFor(t);
  return {
    start: () => ({ ...customers.start(), last: undefined, goneBy: {} }),
    commands: [
      ...customers.commands<State>(calls),
      ending(calls, "account", (account) => [account]),
      ending(calls, "login", (account, accounts) =>
        accounts.filter(({ ids }) => ids["institution-login"] === account.ids["institution-login"]),
      ),
      {
        name: "refresh the accounts of a customer",
        operationId: REFRESH,
        when: (state) => isLinked(LOGINS)(state) && state.last !== undefined,
        call: async ({ resources }, { pick }) => {
          const { ids } = pick(alive(resources, "account"));
          return {
            call: await calls.of(REFRESH, ids),
            expect: (state: State) => {
              for (const account of alive(state.resources, "account")) change(account, account.given, true);
            },
          };
        },
      },
    ],
    races: [{ commands: ["delete an account", "delete an account"], same: true }],
    queries: (state) => queriesFor(t, calls, state),
    leave: removing(calls, { customer: "DeleteCustomer" }),
  };
};

const ending = (
  calls: Caller,
  kind: Ending,
  goes: (chosen: ModelResource, accounts: readonly ModelResource[]) => readonly ModelResource[],
): Command<State> => ({
  name: kind === "account" ? "delete an account" : "delete a login",
  operationId: DELETIONS[kind],
  removes: true,
  when: isLinked(LOGINS),
  call: async ({ resources }, { pick }) => {
    const accounts = alive(resources, "account");
    const chosen = pick(accounts);
    const names = goes(chosen, accounts).map(({ name }) => name);
    return deleting(await calls.of(DELETIONS[kind], chosen.ids), chosen, (state: State) => {
      state.last = kind;
      for (const resource of state.resources) {
        if (!names.includes(resource.name)) continue;
        resource.gone = true;
        state.goneBy[resource.name] = kind;
      }
    });
  },
});

/** The number of accounts of a login that are read individually. */
const READ_BACK = 2;

const queriesFor = (t: T, calls: Caller, state: State): Query<State>[] => {
  const { resources, last, goneBy } = state;
  const accounts = resources.filter(({ kind }) => kind === "account");
  const customers = alive(resources, "customer");
  const logins = new Map(accounts.map((account) => [account.ids["institution-login"], account]));
  const alone = [...logins.keys()].flatMap((login) => {
    const own = accounts.filter(({ ids }) => ids["institution-login"] === login);
    return [...own.filter(({ gone }) => gone), ...alive(own).slice(0, READ_BACK)];
  });
  const list = (operationId: string, ids: ModelResource["ids"], name: string): Query<State> =>
    queryList(t, {
      name,
      kind: "account",
      due: operationId === LIST && accounts.some(isDue),
      call: () => calls.of(operationId, ids),
      holds: (now) => {
        const own = now.resources.filter(({ kind, ids: its }) => kind === "account" && within(its, ids));
        return { shown: alive(own), hidden: own.filter(({ gone }) => gone) };
      },
      shows: last === undefined ? LISTS_AGREE : stays(last),
      hides: ({ name: hidden }) => removed(goneBy[hidden]),
    });
  return [
    ...adopting(t, calls, state),
    ...customers.flatMap(({ ids, name }) => [
      list(LIST, ids, `the accounts of ${name}`),
      list(SIMPLE, ids, `the simple accounts of ${name}`),
    ]),
    ...[...logins.values()]
      .filter(({ ids }) =>
        alive(accounts).some((one) =>
          within(one.ids, { "institution-login": ids["institution-login"] ?? "" }),
        ),
      )
      .map(({ ids, name }) =>
        list(
          BY_LOGIN,
          { customer: ids.customer ?? "", "institution-login": ids["institution-login"] ?? "" },
          `the login of ${name}`,
        ),
      ),
    ...alone.map((account) =>
      queryResource<State>(
        account,
        () => calls.of(READ, account.ids),
        () => ({ readable: stays(last), gone: removed(goneBy[account.name]) }),
      ),
    ),
  ];
};

const within = (ids: ModelResource["ids"], wanted: ModelResource["ids"]): boolean =>
  Object.entries(wanted).every(([name, value]) => ids[name] === value);

export const accountSequences = sequenceTrial<State>(
  {
    name: "accounts-and-logins",
    title: "accounts exist until they or their login are deleted",
    section: "Accounts",
    operations: [LIST, SIMPLE, BY_LOGIN, READ, ...Object.values(DELETIONS)],
    requirements: [
      ...(["account", "login"] as const).flatMap((kind) => [removed(kind), stays(kind)]),
      READABLE,
      LISTS_AGREE,
    ],
  },
  async (t, walk) => {
    const customers = await linkedCustomers(t, LOGINS);
    await walk({ model: modelOf(t, customers), steps: 18, sequences: 3 });
  },
);
