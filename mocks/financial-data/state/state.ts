/** The state of financial data in one tenant. */

import { oncePer } from "../../../helpers/contract/once.ts";
import type { Opening } from "../../engine/service.ts";
import { completerOf } from "../../engine/values/complete.ts";
import { counter, identifiersOf } from "../../engine/values/identifiers.ts";
import { hashOf } from "../../engine/values/random.ts";
import { accountBook } from "./accounts.ts";
import { customerBook } from "./customers.ts";
import { announcements } from "./events.ts";
import { directoryOf } from "./institutions.ts";
import { partnerBook } from "./partners.ts";

export type State = ReturnType<typeof createState>;

export const createState = ({ idDigits = 10, ...opening }: Opening) => {
  const { contract, seed, clock } = opening;
  const identifiers = identifiersOf(seed);
  const next = counter();
  const bases = new Map<string, number>();
  /** Returns a new decimal id. The same seed gives the same ids in the same order. */
  const newId = (kind: string): string => {
    const least = 10 ** (idDigits - 1);
    const base = bases.get(kind) ?? least + (hashOf(`${seed} ${kind}`) % (8 * least));
    bases.set(kind, base);
    return String(base + next(kind));
  };
  /** Returns seconds since 1970 on the clock of the tenant. */
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);
  const events = announcements();
  const context = { newId, seconds, events, seed };
  return {
    ...opening,
    identifiers,
    newId,
    /** Returns a new lower-case UUID. */
    newUuid: (kind: string) => identifiers.uuid(kind, next(kind)),
    seconds,
    /** Completes bodies from the contract. Handlers use `success` of answers.ts instead. */
    complete: completerOf(contract.schemas, seed, seconds()),
    partners: partnerBook(identifiers, clock),
    customers: customerBook(context),
    accounts: accountBook(context),
    institutions: directoryOf(seed),
    events,
  };
};

/** Returns a function from a state to its own data: `perState(() => new Map<string, Subscription>())`. */
export const perState = oncePer as <Part>(create: (state: State) => Part) => (state: State) => Part;
