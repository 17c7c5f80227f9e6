/** Everything that financial data remembers in one tenant. */

import type { Opening } from "../../engine/service.ts";
import { type Completer, completerOf } from "../../engine/values/complete.ts";
import { hashOf } from "../../engine/values/hash.ts";
import { counter, type Identifiers, identifiersOf } from "../../engine/values/identifiers.ts";
import { type AccountBook, accountBook } from "./accounts.ts";
import { type CustomerBook, customerBook } from "./customers.ts";
import { type Announcements, announcements } from "./happenings.ts";
import { type Directory, directoryOf } from "./institutions.ts";
import { type PartnerBook, partnerBook } from "./partners.ts";

export interface World extends Pick<Opening, "contract" | "seed" | "clock" | "deliveries" | "baseUrl"> {
  readonly identifiers: Identifiers;
  /** A new decimal id: the same seed gives the same ones in the same order. */
  newId(kind: string): string;
  /** A new lower-case UUID. */
  newUuid(kind: string): string;
  /** Seconds since 1970 on the clock of the tenant. */
  seconds(): number;
  /** Fills bodies up from the contract; handlers use `success` of answers.ts instead. */
  readonly complete: Completer;
  readonly partners: PartnerBook;
  readonly customers: CustomerBook;
  readonly accounts: AccountBook;
  readonly institutions: Directory;
  readonly happenings: Announcements;
}

export const createWorld = ({
  contract,
  seed,
  clock,
  deliveries,
  baseUrl,
  idDigits = 10,
}: Opening): World => {
  const identifiers = identifiersOf(seed);
  const next = counter();
  const bases = new Map<string, number>();
  const newId = (kind: string): string => {
    const least = 10 ** (idDigits - 1);
    const base = bases.get(kind) ?? least + (hashOf(`${seed} ${kind}`) % (8 * least));
    bases.set(kind, base);
    return String(base + next(kind));
  };
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);
  const happenings = announcements();
  const institutions = directoryOf(seed);
  const context = { newId, seconds, happenings, seed };
  return {
    contract,
    seed,
    clock,
    deliveries,
    baseUrl,
    identifiers,
    newId,
    newUuid: (kind) => identifiers.uuid(kind, next(kind)),
    seconds,
    complete: completerOf(contract.schemas, seed, seconds()),
    partners: partnerBook(identifiers, clock),
    customers: customerBook(context),
    accounts: accountBook(context),
    institutions,
    happenings,
  };
};
