/** The customers, accounts, transactions and institutions that a recording of a real server shows, as data of the sandbox. */
import { grouped } from "../../../helpers/contract/once.ts";
import { type RecordedCall, withoutHidden } from "../../engine/recorded.ts";
import { type Fields, fieldsIn, isObject } from "../../engine/values/fields.ts";
import accountKinds from "../state/account-kinds.json" with { type: "json" };

export const dataSeen = (calls: readonly RecordedCall[]): Fields => {
  const found: Found = {
    customers: new Map(),
    accounts: new Map(),
    transactions: new Map(),
    institutions: new Map(),
  };
  for (const { operation, path, status, json, body } of calls) {
    if (status >= 400) continue;
    const [id = ""] = Object.values(path).slice(-1);
    if (operation.method === "DELETE") remove(found, id);
    else collect(found, withoutHidden(json));
    // The answer to a change, or to a creation, may not show what was sent.
    const { id: created } = fieldsIn(json);
    const changed = operation.method === "GET" ? undefined : found.customers.get(String(created ?? id));
    if (changed !== undefined) Object.assign(changed, fieldsIn(withoutHidden(body)));
  }
  const customers = [...found.customers.values()].filter(({ username }) => typeof username === "string");
  const institutions = institutionsOf(found);
  return {
    ...(institutions.length > 0 && { institutions }),
    ...(customers.length > 0 && { customers: customers.map((customer) => customerOf(customer, found)) }),
  };
};

/** By id, in the order of the recording; later answers replace the fields of earlier ones. */
type Found = Readonly<
  Record<"customers" | "accounts" | "transactions" | "institutions", Map<string, Record<string, unknown>>>
>;

const remove = (found: Found, id: string): void => {
  for (const kind of [found.customers, found.accounts, found.transactions]) kind.delete(id);
  for (const [key, account] of found.accounts)
    if (String(account.institutionLoginId) === id) found.accounts.delete(key);
};

/** Recognises each kind of resource by the fields that only this kind has. */
const collect = (found: Found, value: unknown): void => {
  if (Array.isArray(value)) for (const item of value) collect(found, item);
  if (!isObject(value)) return;
  const kind = kindOf(value);
  if (kind !== undefined) {
    const id = String(value.id);
    found[kind].set(id, { ...found[kind].get(id), ...value });
    return;
  }
  for (const inner of Object.values(value)) collect(found, inner);
};

const kindOf = (fields: Fields): keyof Found | undefined => {
  const { id, username, accountId, amount, institutionId, institutionLoginId, customerId, name } = fields;
  if (id === undefined) return undefined;
  if (username !== undefined) return "customers";
  if (accountId !== undefined && amount !== undefined) return "transactions";
  if (institutionId !== undefined && institutionLoginId !== undefined && customerId !== undefined)
    return "accounts";
  return name !== undefined && "urlHomeApp" in fields ? "institutions" : undefined;
};

const customerOf = (customer: Fields, { accounts, transactions }: Found): Fields => {
  const own = [...accounts.values()].filter(
    ({ customerId, type }) => String(customerId) === String(customer.id) && TYPES.has(String(type)),
  );
  const logins = [...grouped(own, ({ institutionLoginId }) => String(institutionLoginId))];
  return {
    ...textsIn(customer, ["username", "firstName", "lastName", "email", "phone", "applicationId"]),
    id: customer.id,
    ...(/^(testing|active)$/.test(String(customer.type)) && { type: customer.type }),
    ...timeIn(customer, "createdDate", "created"),
    ...(logins.length > 0 && {
      logins: logins.map(([id, all]) => ({
        id,
        institutionId: all[0]?.institutionId,
        accounts: all.map((account) => accountOf(account, transactions)),
      })),
    }),
  };
};

const TYPES = new Set(accountKinds.kinds.map(({ type }) => type));

/** The fields that the data names, and those that the sandbox gives each account. */
const OWN =
  /^(id|type|number|name|status|balance|createdDate|customerId|institutionId|institutionLoginId|displayPosition|detail|position|realAccountNumberLast4|accountNumberDisplay)$/;

const accountOf = (account: Fields, transactions: Found["transactions"]): Fields => {
  const { id, type, status, balance, detail } = account;
  const own = [...transactions.values()].filter(({ accountId }) => String(accountId) === String(id));
  const rows = own.flatMap((transaction) => {
    const { id: number, amount, description } = transaction;
    if (typeof amount !== "number" || typeof description !== "string") return [];
    const isNumber = Number.isSafeInteger(number);
    return [
      {
        ...(isNumber && { id: number }),
        ...{ amount, description },
        ...timeIn(transaction, "transactionDate", "transactionDate"),
        ...timeIn(transaction, "postedDate", "postedDate"),
      },
    ];
  });
  const further = Object.entries(account).filter(([name]) => !OWN.test(name));
  return {
    ...textsIn(account, ["number", "name"]),
    ...{ id, type },
    ...(/^(active|pending)$/.test(String(status)) && { status }),
    ...(typeof balance === "number" && { balance }),
    ...timeIn(account, "createdDate", "created"),
    fields: { ...Object.fromEntries(further), ...fieldsIn(detail) },
    ...(rows.length > 0 && { transactions: rows }),
  };
};

/** Returns the institutions that were seen, and those that accounts name. */
const institutionsOf = ({ institutions, accounts }: Found): Fields[] => {
  const named = [...accounts.values()].map(({ institutionId }) => String(institutionId));
  return [...new Set([...institutions.keys(), ...named])].flatMap((id) => {
    const { name = `Institution ${id}`, oauthEnabled } = institutions.get(id) ?? {};
    if (!Number.isSafeInteger(Number(id))) return [];
    return [{ id: Number(id), name, ...(typeof oauthEnabled === "boolean" && { oauth: oauthEnabled }) }];
  });
};

const textsIn = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => (typeof fields[name] === "string" ? [[name, fields[name]]] : [])),
  );

/** Returns a time of an answer, in seconds since 1970 or in ISO 8601, under the name that the data gives it. */
const timeIn = (fields: Fields, name: string, own: string): Fields => {
  const time = fields[name];
  const date = new Date(Number.isFinite(Number(time)) ? Number(time) * 1000 : String(time));
  return time === undefined || time === null || Number.isNaN(date.getTime())
    ? {}
    : { [own]: date.toISOString() };
};
