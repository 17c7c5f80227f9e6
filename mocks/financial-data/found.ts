/** What a call names in its path, or the refusal that it does not exist. Nobody sees another partner's. */

import { type Fields, fieldsIn } from "../engine/values/fields.ts";
import { existing, type Reason, refused } from "./answers.ts";
import { presentedToken } from "./credentials.ts";
import type { Call } from "./faults.ts";
import type { Account, Login } from "./world/account.ts";
import type { Consumer, Customer } from "./world/customer.ts";
import type { Institution } from "./world/institutions.ts";
import type { Partner } from "./world/partners.ts";
import { settlePending } from "./world/pending.ts";
import type { World } from "./world/world.ts";

/** Whose token the call carries. Where a fault lets calls without one pass, it is the main partner. */
export const partnerOf = (world: World, call: Call): Partner =>
  world.partners.tokens.get(presentedToken(world, call) ?? "")?.partner ?? world.partners.main;

/** A path parameter, empty where there is none. */
export const pathValue = ({ path }: Call, name: string): string => valueIn(path, name) ?? "";

/** A parameter, whichever way the contract spells it: `customerId`, `customer_id`. */
export const valueIn = <Value>(
  parameters: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => {
  const wanted = plain(name);
  return Object.entries(parameters).find(([key]) => plain(key) === wanted)?.[1];
};

const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

export const customerIn = (world: World, call: Call): Customer =>
  customerById(world, call, pathValue(call, "customerId"));

/** For ids that stand in a body or a query. */
export const customerById = (world: World, call: Call, id: unknown): Customer =>
  owned(world, call, world.customers.find(String(id)), "unknown-customer");

/** @throws RefusedError with 404 where there is none, or it is another partner's */
export const owned = <Thing extends { readonly partnerId: string }>(
  world: World,
  call: Call,
  thing: Thing | undefined,
  reason: Reason,
): Thing => {
  const own = thing?.partnerId === partnerOf(world, call).id ? thing : undefined;
  return existing(own, reason);
};

/** An account of the customer in the path, aggregated up to the present. */
export const accountIn = (world: World, call: Call, customer = customerIn(world, call)): Account =>
  accountOf(world, customer, pathValue(call, "accountId"));

export const accountOf = (world: World, customer: Customer, id: unknown): Account => {
  const account = world.accounts.find(String(id));
  const own = account?.customerId === customer.id ? account : undefined;
  if (own !== undefined) world.accounts.aggregate(own, "daily");
  return existing(own, "unknown-account");
};

export const loginIn = (world: World, call: Call, customer = customerIn(world, call)): Login => {
  const login = world.accounts.logins.get(pathValue(call, "institutionLoginId"));
  const own = login?.customerId === customer.id ? login : undefined;
  return existing(own, "unknown-login");
};

export const consumerIn = (world: World, call: Call): Consumer =>
  owned(world, call, world.customers.consumers.get(pathValue(call, "consumerId")), "unknown-consumer");

export const institutionIn = (world: World, call: Call): Institution => {
  const institution = world.institutions.find(pathValue(call, "institutionId"));
  return existing(institution, "unknown-institution");
};

/** The body as an object; empty where there is none. */
export const bodyOf = ({ body }: Call): Fields => fieldsIn(body);

export const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

/** One page of a list. @param start counts from 1 */
export const pageOf = <Item>(
  items: readonly Item[],
  start: unknown = 1,
  limit: unknown = 25,
): { readonly items: readonly Item[]; readonly more: boolean } => {
  const from = Math.max(1, Number(start) || 1) - 1;
  const until = from + Math.max(0, Number(limit) || 25);
  return { items: items.slice(from, until), more: until < items.length };
};

/** The account in the path, of the customer in the path. */
export const readAccount = (world: World, call: Call, customer = customerIn(world, call)): Account =>
  accountWithId(world, call, customer, pathValue(call, "accountId"));

/** For ids that stand in a body. */
export const accountWithId = (world: World, call: Call, customer: Customer, id: string): Account => {
  const account = world.accounts.find(id);
  const own = account?.customerId === customer.id ? account : undefined;
  return broughtUp(world, call, existing(own, "unknown-account"));
};

export const accountsOf = (world: World, call: Call, customer: Customer): readonly Account[] =>
  world.accounts.of(customer.id).map((account) => broughtUp(world, call, account));

export const accountsOfLogin = (world: World, call: Call, login = loginIn(world, call)): readonly Account[] =>
  world.accounts.ofLogin(login.id).map((account) => broughtUp(world, call, account));

/** To the present day, whoever aggregates it. */
const broughtUp = (world: World, { bent }: Call, account: Account): Account => {
  if (!bent("accounts-never-daily")) world.accounts.aggregate(account, "daily");
  settlePending(world, account);
  return account;
};

export const loginOf = (world: World, { loginId }: Account): Login | undefined =>
  world.accounts.logins.get(loginId);

/** Whether its institution asks for a multi-factor challenge before it gives anything more. */
export const isChallenged = (world: World, account: Account): boolean =>
  loginOf(world, account)?.marks.has("mfa") === true;

export const refuseOtherTypes = ({ type }: Account, types: readonly string[]): void => {
  if (types.includes(type)) return;
  throw refused("unsupported-account-type", { of: type });
};
