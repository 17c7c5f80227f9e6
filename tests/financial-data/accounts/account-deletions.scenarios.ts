/** Access that ends: a deleted account, a deleted login, and what stays of the others; and a login that moves. */
import {
  accepted,
  answered,
  fieldOf,
  itemsIn,
  type Resources,
  situation,
} from "../../../fixtures/financial-data/calls.ts";
import { attempt, conclude, recordPair } from "../../../fixtures/financial-data/conclude.ts";
import {
  accountsOf,
  type LinkedAccount,
  linkedAccount,
  READ,
} from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { checkAccepted, checkRefused } from "../../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Accounts";
const DELETE_LOGIN = "DeleteCustomerAccountsByInstitutionLogin";
const DELETE_ACCOUNT = "DeleteCustomerAccount";
const MIGRATE = "MigrateInstitutionLoginAccounts";
const TO_OAUTH = `${MIGRATE}.to-oauth`;
const RETURNED = `${MIGRATE}.returns-accounts`;

/** How access is refused is not shown beyond that it ends. */
const REFUSALS = [400, 403, 404, 410];

export const accountDeletionScenarios: readonly Trial[] = [
  scenario(
    {
      id: "accounts/delete-login",
      title: "deleting an institution login ends access to its accounts, and to no others",
      section: SECTION,
      operations: [DELETE_LOGIN, READ],
      requirements: [`${DELETE_LOGIN}.removes-access`, `${DELETE_LOGIN}.others-stay`],
    },
    async (context) => {
      const { login, others } = await twoLogins(context);
      const [first] = login as [LinkedAccount];
      const deletion = await accepted(context, DELETE_LOGIN, first.resources);
      await concludeDeletion(context, DELETE_LOGIN, deletion, { gone: login, others });
    },
  ),

  scenario(
    {
      id: "accounts/delete-account",
      title: "deleting an account ends access to it, and to no other",
      section: SECTION,
      operations: [DELETE_ACCOUNT, READ],
      requirements: [`${DELETE_ACCOUNT}.removes-access`, `${DELETE_ACCOUNT}.others-stay`],
    },
    async (context) => {
      const customer = await customerToSpoil(context);
      const [first, ...others] = (await accountsOf(context, customer)).accounts as [
        LinkedAccount,
        ...LinkedAccount[],
      ];
      if (others.length === 0) throw new NotTried("needs a customer with two accounts that may be deleted");
      const deletion = await accepted(context, DELETE_ACCOUNT, first.resources);
      await concludeDeletion(context, DELETE_ACCOUNT, deletion, {
        gone: [first],
        others: others.slice(0, 2),
      });
    },
  ),

  scenario(
    {
      id: "accounts/migration",
      title: "migration moves the accounts of a login to the OAuth connection and returns them",
      section: SECTION,
      operations: [MIGRATE],
      requirements: [TO_OAUTH, RETURNED],
    },
    async (context) => {
      const named = await situation(context, "legacy-connection", "a login on a legacy connection");
      const before = await accountsOf(context, named.customer);
      const login = named["institution-login"];
      const moving = before.accounts.filter(({ resources }) => resources["institution-login"] === login);
      const migration = await accepted(context, MIGRATE, named);
      const returned = itemsIn(context, migration).flatMap((item) =>
        linkedAccount(context, named.customer ?? "", item),
      );
      concludeReturned(context, migration, { moving, returned });
      await attempt(context, [TO_OAUTH], () => concludeMoved(context, migration, named, moving));
    },
  ),
];

interface Deletion {
  readonly gone: readonly LinkedAccount[];
  readonly others: readonly LinkedAccount[];
}

const concludeDeletion = async (
  context: TrialContext,
  operationId: string,
  deletion: Exchange,
  { gone, others }: Deletion,
): Promise<void> => {
  const stayed: Exchange[] = [];
  for (const { id: account, resources } of others) {
    const read = await answered(context, READ, resources);
    const what = { what: `${READ} of the account ${account}, which was not deleted,`, pointer: "" };
    // The deletion itself was accepted, which makes it the twin: the same customer, the same credentials.
    recordPair(context, `${operationId}.others-stay`, checkAccepted(what, read, deletion), [read, deletion]);
    if (isAccepted(read)) stayed.push(read);
  }
  const [twin] = stayed;
  for (const { id: account, resources } of gone) {
    const read = await answered(context, READ, resources);
    const what = { what: `${READ} of the deleted account ${account}`, pointer: "" };
    const result = checkRefused(what, read, twin ?? deletion, REFUSALS);
    recordPair(context, `${operationId}.removes-access`, result, [read, twin ?? deletion]);
  }
};

/** A customer of its own, since what is deleted does not come back. */
const customerToSpoil = async (context: TrialContext): Promise<string> => {
  if (context.capabilities.has("linked-accounts")) return context.arrange.apart().need("customer");
  throw new NotTried(
    "needs a customer with linked accounts that may be deleted: new customers get none here",
  );
};

const twoLogins = async (
  context: TrialContext,
): Promise<{ login: LinkedAccount[]; others: LinkedAccount[] }> => {
  const named = await situation(
    context,
    "two-logins",
    "a customer with two institution logins, one free to be deleted",
  );
  const { accounts } = await accountsOf(context, named.customer);
  const isOfLogin = ({ resources }: LinkedAccount) =>
    resources["institution-login"] === named["institution-login"];
  const login = accounts.filter(isOfLogin);
  const others = accounts.filter((account) => !isOfLogin(account));
  if (login.length > 0 && others.length > 0) return { login, others };
  throw new NotTried("the accounts of the customer do not show two institution logins");
};

const concludeReturned = (
  context: TrialContext,
  migration: Exchange,
  {
    moving,
    returned,
  }: { readonly moving: readonly LinkedAccount[]; readonly returned: readonly LinkedAccount[] },
): void => {
  const [expected, actual] = [moving, returned].map((accounts) =>
    accounts.map(({ id: account }) => account).sort(),
  );
  const finding = {
    message: "the migration does not return the accounts of the login",
    expected: expected?.join(", ") ?? "",
    actual: actual?.join(", ") || "none",
  };
  const holds = expected?.join() === actual?.join();
  conclude(context, RETURNED, { holds, certain: true, finding }, [migration]);
};

/** The OAuth connection is an institution of its own: the accounts are there afterwards, and not where they were. */
const concludeMoved = async (
  context: TrialContext,
  migration: Exchange,
  named: Resources,
  before: readonly LinkedAccount[],
): Promise<void> => {
  const { accounts, exchange } = await accountsOf(context, named.customer);
  const moved = accounts.filter(({ id: account }) => before.some((one) => one.id === account));
  const left = moved.filter(({ resources }) => resources.institution === named.institution);
  const [first] = moved;
  if (first === undefined) throw new NotTried("the migrated accounts are no longer listed");
  const finding = {
    message: "after the migration the accounts still belong to the legacy connection",
    expected: `another institution than ${named.institution}`,
    actual: left.map((account) => account.id).join(", "),
  };
  conclude(context, TO_OAUTH, { holds: left.length === 0, certain: true, finding }, [exchange, migration]);
  if (left.length > 0) return;
  const institution = await accepted(context, "GetInstitution", first.resources);
  const isOauth = fieldOf(institution.response?.json, "oauthEnabled");
  if (typeof isOauth !== "boolean") return;
  const legacy = {
    ...finding,
    message: "the accounts were moved to an institution without OAuth",
    actual: "no OAuth",
  };
  conclude(context, TO_OAUTH, { holds: isOauth, certain: true, finding: legacy }, [institution, migration]);
};
