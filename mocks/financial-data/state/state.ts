/** The state of financial data in one tenant. */
import { getOrInsert, memoize } from "../../../helpers/contract/memoize.ts";
import type { Opening } from "../../engine/service.ts";
import { completerOf } from "../../engine/values/complete.ts";
import { counter, freeId, identifiersOf } from "../../engine/values/identifiers.ts";
import type { Stores } from "../../engine/values/image.ts";
import { hashOf } from "../../engine/values/random.ts";
import { accountBook } from "./accounts.ts";
import { chosenBy } from "./chosen.ts";
import { customerBook } from "./customers.ts";
import { announcements } from "./events.ts";
import { directoryOf } from "./institutions.ts";
import { partnerBook } from "./partners.ts";

export type State = ReturnType<typeof createState>;

export const createState = (opening: Opening) => {
  const { contract, seed, clock, habits } = opening;
  const chosen = chosenBy(opening.data);
  const identifiers = identifiersOf(seed);
  const next = counter();
  const taken = new Set<string>();
  const free = (make: (kind: string) => string) => (kind: string) =>
    freeId(
      () => make(kind),
      (id) => taken.has(id),
    );
  const newId = free(idMaker(habits.ids, seed, next, (kind) => identifiers.uuid(kind, "id", next(kind))));
  /** Returns seconds since 1970 on the clock of the tenant. */
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);
  const events = announcements();
  const context = { newId, seconds, events, seed };
  return {
    ...opening,
    counts: next.counts,
    identifiers,
    newId,
    /** Returns a new lower-case UUID. */
    newUuid: free((kind) => identifiers.uuid(kind, next(kind))),
    /** Makes the sandbox pass over an id of the user that it might make as well. */
    keepFree: (id: string): void => {
      if (id.length === UUID_LENGTH || id.length === habits.ids) taken.add(id);
    },
    seconds,
    /** Completes bodies from the contract. Handlers use `success` of answers.ts instead. */
    complete: completerOf(contract.schemas, seed, seconds()),
    partners: partnerBook(identifiers, clock, chosen.partners),
    customers: customerBook(context),
    accounts: accountBook(context),
    institutions: directoryOf(seed, chosen.institutions),
    events,
  };
};

const UUID_LENGTH = 36;

/** Returns a function that makes ids. The same seed gives the same ids in the same order. */
const idMaker = (
  form: Opening["habits"]["ids"],
  seed: number,
  next: (kind: string) => number,
  uuid: (kind: string) => string,
): ((kind: string) => string) => {
  if (form === "uuid") return uuid;
  const least = 10n ** BigInt(form - 1);
  const bases = new Map<string, bigint>();
  const baseOf = (kind: string) => least + (BigInt(hashOf(`${seed} ${kind}`)) % (8n * least));
  return (kind) => String(getOrInsert(bases, kind, () => baseOf(kind)) + BigInt(next(kind)));
};

/** Returns a function from a state to its own data: `perState(() => new Map<string, Subscription>())`. */
export const perState = memoize as <Part>(create: (state: State) => Part) => (state: State) => Part;

/** Like `perState`, for data that belongs to the state: it is part of its images. @param name is unique */
export const stored = <Part extends object>(name: string, create: (state: State) => Part) => {
  const partOf = perState(create);
  PARTS.set(name, partOf);
  return partOf;
};

const PARTS = new Map<string, (state: State) => object>();

/** Returns the objects in which the state is kept. */
export const storesOf = (state: State): Stores => ({
  ...Object.fromEntries([...PARTS].map(([name, partOf]) => [name, partOf(state)])),
  partners: state.partners.stores,
  customers: state.customers.stores,
  accounts: state.accounts.stores,
  // The last, because making the parts above can take numbers.
  counts: state.counts,
});
