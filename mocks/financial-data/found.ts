/** Finds the resources that a call names, or refuses the call. A partner never sees another partner's resources. */
import { type Fields, fieldsIn } from "../engine/values/fields.ts";
import { existing, type Reason, refused } from "./answers.ts";
import type { Call } from "./calls.ts";
import { presentedToken } from "./credentials.ts";
import type { Account, Login } from "./state/account.ts";
import type { Consumer, Customer } from "./state/customer.ts";
import type { Institution } from "./state/institutions.ts";
import type { Partner } from "./state/partners.ts";
import { settlePending } from "./state/pending.ts";
import type { State } from "./state/state.ts";

/**
 * Returns the partner of the token. If a fault accepts a call without a token, the call belongs to the main partner.
 */
export const partnerOf = (state: State, call: Call): Partner =>
  state.partners.tokens.get(presentedToken(state, call) ?? "")?.partner ?? state.partners.main;

/** Returns a path parameter, or an empty text. */
export const pathValue = ({ path }: Call, name: string): string => valueIn(path, name) ?? "";

/** Finds a parameter in any spelling of the contract: `customerId`, `customer_id`. */
export const valueIn = <Value>(
  parameters: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => {
  if (Object.hasOwn(parameters, name)) return parameters[name];
  const wanted = plain(name);
  return Object.entries(parameters).find(([key]) => plain(key) === wanted)?.[1];
};

const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

export const customerIn = (state: State, call: Call): Customer =>
  customerById(state, call, pathValue(call, "customerId"));

/** Finds a customer whose id is in a body or a query. */
export const customerById = (state: State, call: Call, id: unknown): Customer =>
  owned(state, call, state.customers.find(String(id)), "unknown-customer");

/** @throws RefusedError with 404 when it does not exist or belongs to another partner */
export const owned = <Resource extends { readonly partnerId: string }>(
  state: State,
  call: Call,
  resource: Resource | undefined,
  reason: Reason,
): Resource => {
  const own = resource?.partnerId === partnerOf(state, call).id ? resource : undefined;
  return existing(own, reason);
};

/** Finds an account of the customer in the path, and aggregates it up to now. */
export const accountIn = (state: State, call: Call, customer = customerIn(state, call)): Account =>
  accountOf(state, customer, pathValue(call, "accountId"));

export const accountOf = (state: State, customer: Customer, id: unknown): Account => {
  const account = state.accounts.find(String(id));
  const own = account?.customerId === customer.id ? account : undefined;
  if (own !== undefined) state.accounts.aggregate(own, "daily");
  return existing(own, "unknown-account");
};

export const loginIn = (state: State, call: Call, customer = customerIn(state, call)): Login => {
  const login = state.accounts.logins.get(pathValue(call, "institutionLoginId"));
  const own = login?.customerId === customer.id ? login : undefined;
  return existing(own, "unknown-login");
};

export const consumerIn = (state: State, call: Call): Consumer =>
  owned(state, call, state.customers.consumers.get(pathValue(call, "consumerId")), "unknown-consumer");

export const institutionIn = (state: State, call: Call): Institution => {
  const id = pathValue(call, "institutionId");
  const institution = state.institutions.find(id) ?? improbable(state, call, id);
  return existing(institution, "unknown-institution");
};

/** Returns an institution for half of the ids, in a sandbox with many more institutions. */
const improbable = (state: State, { differs }: Call, id: string): Institution | undefined =>
  differs("improbable-ids-exist") && /^\d*[02468]$/.test(id)
    ? { ...state.institutions.test(), id: Number(id) }
    : undefined;

/** Returns the body as an object, empty if there is no body. */
export const bodyOf = ({ body }: Call): Fields => fieldsIn(body);

export const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

/** Returns one page of a list. @param start counts from 1 */
export const pageOf = <Item>(
  items: readonly Item[],
  start: unknown = 1,
  limit: unknown = 25,
): { readonly items: readonly Item[]; readonly more: boolean } => {
  const from = Math.max(1, Number(start) || 1) - 1;
  const until = from + Math.max(0, Number(limit) || 25);
  return { items: items.slice(from, until), more: until < items.length };
};

/** Finds the account in the path among the accounts of the customer in the path. */
export const readAccount = (state: State, call: Call, customer = customerIn(state, call)): Account =>
  accountWithId(state, call, customer, pathValue(call, "accountId"));

/** Finds an account whose id is in a body. */
export const accountWithId = (state: State, call: Call, customer: Customer, id: string): Account => {
  const account = state.accounts.find(id);
  const own = account?.customerId === customer.id ? account : undefined;
  return broughtUp(state, call, existing(own, "unknown-account"));
};

export const accountsOf = (state: State, call: Call, customer: Customer): readonly Account[] =>
  state.accounts.of(customer.id).map((account) => broughtUp(state, call, account));

export const accountsOfLogin = (state: State, call: Call, login = loginIn(state, call)): readonly Account[] =>
  withSiblings(state, call, (account) => account.loginId === login.id);

/** Returns the accounts of the customer that are asked for, or all of them with a fault. */
export const withSiblings = (
  state: State,
  call: Call,
  isAskedFor: (account: Account) => boolean,
): readonly Account[] => {
  const all = state.accounts.of(customerIn(state, call).id);
  const asked = call.faulty(`siblings-too-${call.operation.operationId}`) ? all : all.filter(isAskedFor);
  return asked.map((account) => broughtUp(state, call, account));
};

/** Aggregates the account up to the present day and posts its due transactions. */
const broughtUp = (state: State, { faulty }: Call, account: Account): Account => {
  if (!faulty("accounts-never-daily")) state.accounts.aggregate(account, "daily");
  settlePending(state, account);
  return account;
};

export const loginOf = (state: State, { loginId }: Account): Login | undefined =>
  state.accounts.logins.get(loginId);

/** Whether the institution demands a multi-factor challenge before it sends more data. */
export const isChallenged = (state: State, account: Account): boolean =>
  loginOf(state, account)?.marks.has("mfa") === true;

export const refuseOtherTypes = ({ type }: Account, types: readonly string[]): void => {
  if (types.includes(type)) return;
  throw refused("unsupported-account-type", { of: type });
};

/** Returns the value by which a list is filtered. An unknown one filters nothing, or everything. */
export const filterIn = (
  { query, differs }: Call,
  name: string,
  known: readonly string[],
): string | undefined => {
  const value = String(query[name]).toLowerCase();
  const isFilter = known.includes(value) || (name in query && differs("unknown-filter-values-find-nothing"));
  return isFilter && !differs("other-filter-values") ? value : undefined;
};
