/**
 * Deletion of accounts and logins, which ends access only to these accounts and logins; and the migration of a login.
 */

import { accepted, answered } from "../../../fixtures/engine/asking.ts";
import { attempt } from "../../../fixtures/engine/attempt.ts";
import { type Resources, situation } from "../../../fixtures/engine/calls.ts";
import { fieldOf, itemsIn, unbound } from "../../../fixtures/engine/reading.ts";
import { judgeAccepted, judgeRefused, judgeThat } from "../../../fixtures/engine/verdicts.ts";
import {
  accountsIn,
  accountsOf,
  freshCustomer,
  type LinkedAccount,
} from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Accounts";
const DELETE_LOGIN = "DeleteCustomerAccountsByInstitutionLogin";
const DELETE_ACCOUNT = "DeleteCustomerAccount";
const MIGRATE = "MigrateInstitutionLoginAccounts";
const READ = "GetCustomerAccount";
const TO_OAUTH = `${MIGRATE}.to-oauth`;
const RETURNED = `${MIGRATE}.returns-accounts`;

/** Accepted refusals. The documents state only that access ends. */
const REFUSALS = [400, 403, 404, 410];

export const accountDeletionScenarios: readonly Trial[] = [
  scenario(
    {
      id: "accounts/delete-login",
      title: "deleting an institution login ends access to its accounts only",
      section: SECTION,
      operations: [DELETE_LOGIN, READ],
      requirements: [`${DELETE_LOGIN}.removes-access`, `${DELETE_LOGIN}.others-stay`],
    },
    async (context) => {
      const need = "a customer with two institution logins, one free to be deleted";
      const named = await situation(context, "two-logins", need);
      const { accounts } = await accountsOf(context, named.customer);
      const login = accounts.filter((account) => isOfLogin(account, named));
      const others = accounts.filter((account) => !login.includes(account));
      const [first] = login;
      if (first === undefined || others.length === 0)
        throw new NotTried("the accounts of the customer do not show two institution logins");
      const deletion = await accepted(context, DELETE_LOGIN, first.resources);
      await judgeDeletion(context, deletion, login, others);
    },
  ),

  scenario(
    {
      id: "accounts/delete-account",
      title: "deleting an account ends access to that account only",
      section: SECTION,
      operations: [DELETE_ACCOUNT, READ],
      requirements: [`${DELETE_ACCOUNT}.removes-access`, `${DELETE_ACCOUNT}.others-stay`],
    },
    async (context) => {
      const { accounts } = await accountsOf(context, await freshCustomer(context));
      const [first, ...others] = accounts;
      if (others.length === 0) throw new NotTried("needs a customer with two accounts that may be deleted");
      const deletion = await accepted(context, DELETE_ACCOUNT, first.resources);
      await judgeDeletion(context, deletion, [first], others.slice(0, 2));
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
      const { accounts } = await accountsOf(context, named.customer);
      const moving = accounts.filter((account) => isOfLogin(account, named));
      if (moving.length === 0) throw unbound("GetCustomerAccounts", "institution-login in its items");
      const migration = await accepted(context, MIGRATE, named);
      const returned = accountsIn(context, migration, named.customer ?? "");
      if (returned.length === 0 && itemsIn(context, migration).length > 0)
        throw unbound(MIGRATE, "account in its items");
      const [expected, actual] = [idsOf(moving).sort().join(", "), idsOf(returned).sort().join(", ")];
      judgeThat(context, RETURNED, expected === actual, [migration], {
        message: "the migration does not return the accounts of the login",
        expected,
        actual: actual || "none",
      });
      await attempt(context, TO_OAUTH, () => judgeMoved(context, migration, named, moving));
    },
  ),
];

const isOfLogin = ({ resources }: LinkedAccount, named: Resources): boolean =>
  resources["institution-login"] === named["institution-login"];

const idsOf = (accounts: readonly LinkedAccount[]): string[] => accounts.map((account) => account.id);

const judgeDeletion = async (
  context: TrialContext,
  deletion: Exchange,
  gone: readonly LinkedAccount[],
  others: readonly LinkedAccount[],
): Promise<void> => {
  const { operationId } = deletion;
  const stayed: Exchange[] = [];
  for (const { id: account, resources } of others) {
    const read = await answered(context, READ, resources);
    const what = `${READ} of the account ${account}, which was not deleted,`;
    // The accepted deletion is the control, because it has the same customer and credentials.
    judgeAccepted(context, `${operationId}.others-stay`, what, [read, deletion]);
    if (isAccepted(read)) stayed.push(read);
  }
  const [control = deletion] = stayed;
  for (const { id: account, resources } of gone) {
    const read = await readUntil(
      context,
      () => answered(context, READ, resources),
      (exchange) => !isAccepted(exchange),
    );
    const what = `${READ} of the deleted account ${account}`;
    judgeRefused(context, `${operationId}.removes-access`, what, [read, control], REFUSALS);
  }
};

/** Judges that the accounts moved to another institution, because the OAuth connection is a separate institution. */
const judgeMoved = async (
  context: TrialContext,
  migration: Exchange,
  named: Resources,
  before: readonly LinkedAccount[],
): Promise<void> => {
  const { accounts, exchange } = await accountsOf(context, named.customer);
  const moved = accounts.filter((account) => idsOf(before).includes(account.id));
  const left = moved.filter(({ resources }) => resources.institution === named.institution);
  const [first] = moved;
  if (first === undefined) throw new NotTried("the migrated accounts are no longer listed");
  if (first.resources.institution === undefined)
    throw unbound("GetCustomerAccounts", "institution in its items");
  const finding = {
    message: "after the migration the accounts still belong to the legacy connection",
    expected: `an institution other than ${named.institution}`,
    actual: idsOf(left).join(", "),
  };
  judgeThat(context, TO_OAUTH, left.length === 0, [exchange, migration], finding);
  if (left.length > 0) return;
  const institution = await accepted(context, "GetInstitution", first.resources);
  const isOauth = fieldOf(institution.response?.json, "oauthEnabled");
  if (typeof isOauth !== "boolean") return;
  judgeThat(context, TO_OAUTH, isOauth, [institution, migration], {
    ...finding,
    message: "the accounts were moved to an institution without OAuth",
    actual: "no OAuth",
  });
};
