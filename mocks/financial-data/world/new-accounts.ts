/** Logins and accounts as they are when they become linked. */
import { randomOf } from "../../engine/values/random.ts";
import type { Account, Login, WantedAccount } from "./account.ts";
import { type AccountKind, KINDS } from "./account-kinds.ts";
import type { Customer } from "./customer.ts";
import type { Institution } from "./institutions.ts";

export const newLogin = (id: string, customer: Customer, institution: Institution, now: number): Login => ({
  id,
  customerId: customer.id,
  institutionId: institution.id,
  connection: institution.oauth ? "oauth" : "legacy",
  created: now,
  marks: new Set(institution.mfa ? ["mfa"] : []),
});

interface NewAccount {
  readonly id: string;
  readonly seed: number;
  readonly login: Login;
  readonly institution: Institution;
  readonly wanted: WantedAccount;
  readonly position: number;
}

export const newAccount = ({ id, seed, login, institution, wanted, position }: NewAccount): Account => {
  const want = typeof wanted === "string" ? { type: wanted } : wanted;
  const random = randomOf(`${seed} account ${id}`);
  const kind = KINDS.find(({ type }) => type === want.type) ?? (KINDS[0] as AccountKind);
  return {
    id,
    customerId: login.customerId,
    loginId: login.id,
    institutionId: institution.id,
    type: kind.type,
    kind,
    number: random.digits(10),
    routingNumber: institution.routingNumbers[0] ?? "",
    name: kind.name,
    status: want.status ?? "active",
    balance: want.balance ?? random.integer(kind.least * 100, kind.most * 100) / 100,
    created: login.created,
    attempted: login.created,
    position,
    given: {},
    marks: new Set(),
    perDay: want.perDay ?? kind.perDay,
    ledger: undefined,
  };
};
