/**
 * Deletion of accounts and logins, which ends access only to these accounts and logins; and the migration of a login.
 */
import { byLogin, type LinkedAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { isSame, type Json, movedNames } from "../../../helpers/contract/json.ts";
import {
  contentOf,
  type Exchange,
  isAccepted,
  refusalIn,
  statusOf,
} from "../../../helpers/exchange/exchange.ts";
import {
  ifPossible,
  type Look,
  NotTried,
  type Resources,
  unbound,
  valuesIn,
} from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Accounts");
const DELETE_LOGIN = "DeleteCustomerAccountsByInstitutionLogin";
const DELETE_ACCOUNT = "DeleteCustomerAccount";
const MIGRATE = "MigrateInstitutionLoginAccounts";
const READ = "GetCustomerAccount";
const AUTHORIZATION = "getCustomerAuthorizationDetails";
const TO_OAUTH = `${MIGRATE}.to-oauth`;
const APART = "sequences.untouched-stays";
const LISTS_AGREE = "sequences.lists-agree";
const RETURNED = `${MIGRATE}.returns-accounts`;

/** Accepted refusals. The documents state only that access ends. */
const REFUSALS = [400, 403, 404, 410];

export const accountDeletionScenarios = [
  scenario("accounts/delete-login", {
    title: "deleting an institution login ends access to its accounts only",
    operations: [DELETE_LOGIN, READ],
    requirements: [`${DELETE_LOGIN}.removes-access`, `${DELETE_LOGIN}.others-stay`],
    async run(t) {
      const known = await t.situationIfOffered("two-logins");
      const { accounts } = await t.accountsOf(known?.customer ?? (await t.freshCustomer()));
      const logins = byLogin(accounts);
      const [shown = ""] = logins.keys();
      const login = logins.get(known?.["institution-login"] ?? shown) ?? [];
      const others = accounts.filter((account) => !login.includes(account));
      const [first] = login;
      if (first === undefined || others.length === 0) {
        const seen = `GetCustomerAccounts shows accounts of ${logins.size}`;
        throw new NotTried(
          "lacks-situation",
          `a customer with two institution logins (${seen})`,
          "two-logins",
        );
      }
      const before = await readable(t, others);
      const looks = await looksOf(t, first);
      await refreshes(t, first);
      const deletion = await t.accepted(DELETE_LOGIN, first.resources);
      await judgeDeletion(t, deletion, login, others, before);
      await judgeStaysGone(t, deletion, looks, first);
    },
  }),

  scenario("accounts/delete-account", {
    title: "deleting an account, then another, ends access to these accounts only",
    operations: [DELETE_ACCOUNT, READ, "GetCustomerAccounts"],
    requirements: [`${DELETE_ACCOUNT}.removes-access`, `${DELETE_ACCOUNT}.others-stay`, LISTS_AGREE],
    async run(t) {
      const { accounts } = await t.accountsOf(await t.freshCustomer());
      const [first, second, ...others] = accounts;
      if (second === undefined)
        throw new NotTried("lacks", "a customer with two accounts that may be deleted");
      await judgeListed(t, second);
      const looks = await looksOf(t, first);
      const deletion = await judgeOneDeleted(t, first, [second, ...others]);
      await judgeStaysGone(t, deletion, looks, first);
      if (others.length > 0) await judgeOneDeleted(t, second, others);
    },
  }),

  scenario("accounts/migration", {
    title: "migration moves the accounts of a login to the OAuth connection and returns them",
    operations: [MIGRATE, AUTHORIZATION],
    requirements: [TO_OAUTH, RETURNED, APART],
    async run(t) {
      const named = await t.situation("legacy-connection", "a login on a legacy connection");
      const { accounts } = await t.accountsOf(named.customer);
      const moving = accounts.filter((account) => isOfLogin(account, named));
      const beside = accounts.find((account) => !isOfLogin(account, named))?.resources;
      if (moving.length === 0) throw unbound("GetCustomerAccounts", "institution-login in its items");
      const before = await t.answered(AUTHORIZATION, named);
      const other = beside && (await t.answered(AUTHORIZATION, beside));
      const migration = await t.accepted(MIGRATE, named);
      const returned = t.accountsIn(migration, named.customer ?? "");
      if (returned.length === 0 && t.itemsIn(migration).length > 0)
        throw unbound(MIGRATE, "account in its items");
      const [expected, actual] = [idsOf(moving).sort().join(", "), idsOf(returned).sort().join(", ")];
      t.judgeThat(RETURNED, expected === actual, [migration], {
        message: "the migration does not return the accounts of the login",
        expected,
        actual: actual || "none",
      });
      await t.attempt(TO_OAUTH, () => judgeMoved(t, named, before, [migration, returned]));
      if (other !== undefined && isLegacy(other)) await judgeStayed(t, beside, other, migration);
    },
  }),
];

const isOfLogin = ({ resources }: LinkedAccount, wanted: Resources): boolean =>
  resources["institution-login"] === wanted["institution-login"];

const idsOf = (accounts: readonly LinkedAccount[]): string[] => accounts.map((account) => account.id);

/** Reads the accounts, and returns the accepted answers by id. */
const readable = async (t: T, accounts: readonly LinkedAccount[]): Promise<ReadonlyMap<string, Exchange>> => {
  const answers = new Map<string, Exchange>();
  for (const { id: account, resources } of accounts) {
    const read = await t.answered(READ, resources);
    if (isAccepted(read)) answers.set(account, read);
  }
  return answers;
};

/** Judges that an account is as its list shows it. Only numbers have one form, and some change by themselves. */
const judgeListed = async (t: T, { id, resources }: LinkedAccount): Promise<void> => {
  const read = async () => {
    const { accounts, exchange } = await t.accountsOf(resources.customer);
    const item = (accounts.find((one) => one.id === id)?.fields ?? {}) as Json;
    const alone = await t.answered(READ, resources);
    const shown = (contentOf(alone) ?? {}) as Json;
    const both = Object.keys(item).filter((name) => typeof item[name] === "number" && name in shown);
    return {
      ...{ exchange, alone, item, shown },
      other: both.filter((one) => !isSame(item[one], shown[one])),
    };
  };
  const first = await read();
  const last = await t.readUntil(read, ({ other }) => other.length === 0);
  const moving = [...movedNames(first.item, last.item), ...movedNames(first.shown, last.shown)];
  const name = last.other.find((one) => !moving.includes(one));
  t.judgeThat(LISTS_AGREE, name === undefined, [last.alone, last.exchange], {
    pointer: `/${name}`,
    message: `${READ} shows another ${name} than the list of accounts`,
    expected: String(last.item[name ?? ""]),
    actual: String(last.shown[name ?? ""]),
  });
};

/** Deletes an account, and judges it and two of the others. */
const judgeOneDeleted = async (
  t: T,
  gone: LinkedAccount,
  others: readonly LinkedAccount[],
): Promise<Exchange> => {
  const staying = others.slice(0, 2);
  const before = await readable(t, staying);
  const deletion = await t.accepted(DELETE_ACCOUNT, gone.resources);
  await judgeDeletion(t, deletion, [gone], staying, before);
  return deletion;
};

/** @param before the answers to reads of the other accounts before the deletion, by id */
const judgeDeletion = async (
  t: T,
  deletion: Exchange,
  gone: readonly LinkedAccount[],
  others: readonly LinkedAccount[],
  before: ReadonlyMap<string, Exchange>,
): Promise<void> => {
  const { operationId } = deletion;
  const stayed: Exchange[] = [];
  for (const { id: account, resources } of others) {
    const read = await t.answered(READ, resources);
    const what = `${READ} of the account ${account}, which was not deleted,`;
    const earlier = before.get(account);
    if (earlier !== undefined) t.judgeAccepted(`${operationId}.others-stay`, what, [read, earlier]);
    if (isAccepted(read)) stayed.push(read);
  }
  t.leaveRestUntried(`${operationId}.others-stay`, "not-arranged", "nothing else was read before");
  const [control = deletion] = stayed;
  for (const { id: account, resources } of gone) {
    const read = await t.readUntil(
      () => t.answered(READ, resources),
      (exchange) => !isAccepted(exchange),
    );
    const what = `${READ} of the deleted account ${account}`;
    t.judgeRefused(`${operationId}.removes-access`, what, [read, control], REFUSALS);
  }
};

/** Returns all reads that show the account. */
const looksOf = async (t: T, { resources }: LinkedAccount): Promise<readonly Look[]> =>
  t.looksAt("account", resources, await t.answered(READ, resources));

/** What could bring back an account that was deleted. A partner may call one of the two versions. */
const REFRESHES = ["RefreshCustomerAccountsV2", "RefreshCustomerAccounts"];

/** Refreshes the customer in all ways that the target accepts. */
const refreshes = async (t: T, { resources: { customer = "" } }: LinkedAccount): Promise<Exchange[]> => {
  const accepted: Exchange[] = [];
  for (const operationId of REFRESHES) {
    const refresh = await ifPossible(() => t.answered(operationId, { customer }));
    if (!(refresh instanceof NotTried) && isAccepted(refresh)) accepted.push(refresh);
  }
  return accepted;
};

/** Judges every read of what was deleted, then again after refreshes of the customer. */
const judgeStaysGone = async (
  t: T,
  deletion: Exchange,
  looks: readonly Look[],
  account: LinkedAccount,
): Promise<void> => {
  const requirement = `${deletion.operationId}.removes-access`;
  await t.judgeGone(requirement, looks, deletion);
  const [refresh, ...others] = (await refreshes(t, account)).toReversed();
  if (refresh !== undefined)
    await t.judgeGone(requirement, looks.slice(0, MOST_AGAIN), refresh, ...others, deletion);
};

/** The number of reads that are repeated after a refresh: the account itself, and lists. */
const MOST_AGAIN = 4;

/** The code with which the details of an authorization on a legacy connection are refused. */
const LEGACY = "3003";

const isLegacy = (exchange: Exchange): boolean => valuesIn(refusalIn(exchange)).includes(LEGACY);

/**
 * Judges that the login has left the legacy connection, as its authorization details show: only OAuth connections have
 * them. No document states another institution, or a field that names the connection.
 */
const judgeMoved = async (
  t: T,
  named: Resources,
  before: Exchange,
  [migration, moved]: readonly [Exchange, readonly LinkedAccount[]],
): Promise<void> => {
  if (!isLegacy(before))
    throw new NotTried("not-arranged", `${AUTHORIZATION} refuses no login with ${LEGACY}`);
  const login = { ...named, ...moved[0]?.resources };
  const after = await t.readUntil(
    () => t.answered(AUTHORIZATION, login),
    (exchange) => !isLegacy(exchange),
  );
  if (!isLegacy(after) && !isAccepted(after) && !valuesIn(refusalIn(after)).includes(OLDER))
    throw new NotTried("refused", AUTHORIZATION, "the migrated login", statusOf(after));
  t.judgeThat(TO_OAUTH, !isLegacy(after), [after, migration], {
    message: "after the migration the login is still on the legacy connection",
    expected: `authorization details, or a refusal other than ${LEGACY}`,
    actual: LEGACY,
  });
};

/** Judges that another login of the customer is still on the legacy connection. */
const judgeStayed = async (
  t: T,
  beside: Resources | undefined,
  before: Exchange,
  migration: Exchange,
): Promise<void> => {
  const after = await t.answered(AUTHORIZATION, beside);
  t.judgeThat(APART, isLegacy(after), [after, migration, before], {
    message: "the migration of a login moved another login of the customer, too",
    expected: LEGACY,
  });
};

/** The code for an authorization that is older than its details. */
const OLDER = "3004";
