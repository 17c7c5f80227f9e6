/** Reads of accounts: every documented type, filters, and the simple variants. */
import { isActive, type LinkedAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { isObject } from "../../../helpers/contract/json.ts";
import { contentOf, type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { fieldOf, loose, NotTried, type Resources, unbound } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Accounts");
const LIST = "GetCustomerAccounts";
const TYPES = "account.types";
const BASIC = "accounts.simple.basic-information";
const AGREE = "sequences.lists-agree";
const ACTIVE = "accounts.simple.active-only";

/** The documented types, in the spelling of `plainType`. */
const DOCUMENTED_TYPES = [
  ...["checking", "savings", "moneymarket", "cd", "investment"],
  ...["mortgage", "creditcard", "loan", "lineofcredit", "studentloan"],
];

/** The simple variants of lists, with the full read of the same accounts. */
const SIMPLE_LISTS = [
  { simple: "GetCustomerAccountsSimple", full: "GetCustomerAccounts" },
  { simple: "GetCustomerAccountsByInstitutionLoginSimple", full: "GetCustomerAccountsByInstitutionLogin" },
  { simple: "GetCustomerAccountsByInstitutionSimple", full: "GetCustomerAccountsByInstitution" },
];
const SIMPLE_ONE = { simple: "GetCustomerAccountSimple", full: "GetCustomerAccount" };
const SIMPLE = [...SIMPLE_LISTS, SIMPLE_ONE].map(({ simple }) => simple);
const FULL = [...SIMPLE_LISTS, SIMPLE_ONE].map(({ full }) => full);

export const accountScenarios = [
  scenario("accounts/types", {
    title: "linked accounts have the documented types",
    operations: [LIST, "GetCustomerAccount"],
    requirements: [TYPES],
    async run(t) {
      const { accounts, exchange } = await t.accountsOf();
      const seen = new Set(accounts.map(({ type }) => type));
      const missing = DOCUMENTED_TYPES.filter((type) => !seen.has(type));
      // A missing type is a violation only if accounts of each type were linked on purpose.
      if (missing.length > 0 && !t.isConfirmed()) {
        throw new NotTried("lacks", `linked accounts of the types ${missing.join(", ")}`);
      }
      t.judgeThat(TYPES, missing.length === 0, [exchange], {
        message: `linked accounts of the types ${missing.join(", ")} are not shown as such`,
        expected: DOCUMENTED_TYPES.join(", "),
        actual: [...seen].join(", "),
      });
    },
  }),

  scenario("accounts/alone", {
    title: "each of two accounts shows its own values when it is read alone",
    operations: ["GetCustomerAccount"],
    requirements: [AGREE],
    run: readTwoAlone,
  }),

  scenario("accounts/simple", {
    title: "the simple variants return basic information only",
    operations: [...SIMPLE, ...FULL],
    requirements: [BASIC],
    async run(t) {
      const { accounts } = await t.accountsOf();
      const account = accounts.find(isActive) ?? accounts[0];
      for (const pair of [...SIMPLE_LISTS, SIMPLE_ONE]) {
        const inFull = await t.accepted(pair.full, account.resources);
        const inBrief = await t.accepted(pair.simple, account.resources);
        const read = (exchange: Exchange) =>
          pair === SIMPLE_ONE ? contentOf(exchange) : itemOf(t, exchange, account);
        judgeBrief(t, inBrief, inFull, [read(inBrief), read(inFull)]);
      }
    },
  }),

  scenario("accounts/simple-active-only", {
    title: "the simple variants return active accounts only",
    operations: SIMPLE,
    requirements: [ACTIVE],
    async run(t) {
      const { active, inactive } = await activeAndNot(t);
      for (const { simple } of SIMPLE_LISTS) {
        const exchange = await t.accepted(simple, active);
        const ids = t.itemsIn(exchange).map((item) => t.idOf(LIST, "account", item));
        t.judgeThat(ACTIVE, !ids.includes(inactive.account), [exchange], {
          message: `${simple} lists an account that is not active`,
          expected: "active accounts only",
          actual: `the account ${inactive.account}`,
        });
      }
      const refusal = await t.answered(SIMPLE_ONE.simple, inactive);
      const control = await t.accepted(SIMPLE_ONE.simple, active);
      t.judgeThat(ACTIVE, !isAccepted(refusal), [refusal, control], {
        message: `${SIMPLE_ONE.simple} returns an account that is not active`,
        expected: "a refusal",
      });
    },
  }),
];

const itemOf = (t: T, exchange: Exchange, account: LinkedAccount): unknown =>
  t.itemsIn(exchange).find((item) => t.idOf(LIST, "account", item) === account.id);

/** Judges that the basic fields are fewer than all fields, and include none that only the full account has. */
const judgeBrief = (
  t: T,
  inBrief: Exchange,
  inFull: Exchange,
  [brief, whole]: readonly [unknown, unknown],
): void => {
  if (brief === undefined || whole === undefined) {
    throw new NotTried("not-shown", `${inBrief.operationId} does not list each account`);
  }
  const [few, all] = [keysOf(brief), keysOf(whole)];
  const beyond = t.isConfirmed(inBrief.operationId) ? fullOnly(t, inFull, inBrief) : new Set<string>();
  const surplus = few.filter((name) => beyond.has(loose(name)));
  const isLess = surplus.length === 0 && !all.every((name) => few.includes(name));
  t.judgeThat(BASIC, isLess, [inBrief, inFull], {
    message: `${inBrief.operationId} returns more than basic information`,
    expected: "less than the full account",
    actual: surplus.length > 0 ? surplus.join(", ") : `all of ${all.join(", ")}`,
  });
};

const keysOf = (value: unknown): string[] => Object.keys((value ?? {}) as object);

/** Returns the field names that the contract gives only for the full account. */
const fullOnly = (t: T, full: Exchange, brief: Exchange): Set<string> => {
  const names = (operationId: string): string[] => {
    const schema = t.operationOf(operationId).responses[200]?.content["application/json"];
    return keysOf(t.resolved(itemSchemaOf(t, schema)).properties).map(loose);
  };
  const basic = new Set(names(brief.operationId));
  return new Set(names(full.operationId).filter((name) => !basic.has(name)));
};

/** Returns the schema of one account, from the schema of a list or of a single account. */
const itemSchemaOf = (t: T, schema: JsonSchema | undefined): JsonSchema => {
  const whole = t.resolved(schema);
  const { accounts } = (whole.properties ?? {}) as { readonly accounts?: JsonSchema };
  return (t.resolved(accounts).items as JsonSchema | undefined) ?? whole;
};

/** Finds an active and an inactive account of the same customer. */
const activeAndNot = async (t: T): Promise<{ active: Resources; inactive: Resources }> => {
  const need = "a customer with an active and an inactive account";
  const named = await t.situationIfOffered("inactive-account");
  const { accounts } = await t.accountsOf(named?.customer);
  const inactive = accounts.find((account) =>
    named === undefined ? !isActive(account) : account.id === named["inactive-account"],
  );
  const active = accounts.find((account) => account.id !== inactive?.id && isActive(account));
  if (!accounts.some(hasReadableStatus)) throw unbound("GetCustomerAccounts", "status of an account");
  if (inactive === undefined || active === undefined) throw new NotTried("lacks", need);
  return { active: active.resources, inactive: inactive.resources };
};

/** An account without a status counts as active. */
const hasReadableStatus = ({ fields }: LinkedAccount): boolean =>
  ["string", "undefined"].includes(typeof fieldOf(fields, "status"));

/** A value may change between two reads, so a later list must still show what the first one did. */
async function readTwoAlone(t: T): Promise<void> {
  const { accounts, exchange: list } = await t.accountsOf();
  const [first, second] = accounts;
  if (second === undefined) throw new NotTried("lacks", "a customer with two linked accounts");
  for (const [own, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const alone = await t.accepted("GetCustomerAccount", own.resources);
    const [shown, listed, foreign] = [contentOf(alone), own.fields, other.fields].map(fieldsOf);
    const names = Object.keys(listed ?? {}).filter((name) => shown?.[name] !== undefined);
    const alike = names.filter(
      (name) => shown?.[name] === foreign?.[name] && listed?.[name] !== shown?.[name],
    );
    const later = alike.length === 0 ? [] : (await t.accountsOf()).accounts;
    const kept = fieldsOf(later.find(({ id }) => id === own.id)?.fields);
    const taken = alike.find((name) => kept[name] === listed?.[name]);
    t.judgeThat(AGREE, taken === undefined, [alone, list], {
      pointer: taken === undefined ? "" : `/${taken}`,
      message: `an account that is read alone shows the ${taken} of another account`,
      expected: String(listed?.[taken ?? ""]),
      actual: String(shown?.[taken ?? ""]),
    });
  }
}

const fieldsOf = (account: unknown): Readonly<Record<string, unknown>> => (isObject(account) ? account : {});
