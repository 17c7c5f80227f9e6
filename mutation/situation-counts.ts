/**
 * Counts the requirements that each entry of a situations file unlocks: those that are tried with all entries, and not
 * tried if this entry is missing. The trials run on the sandbox.
 */
import { equip } from "../fixtures/engine/sandbox-capabilities.ts";
import type { Contract } from "../helpers/contract/contract.ts";
import { serviceDescriptor } from "../helpers/contract/services.ts";
import { situationRows } from "../helpers/situations/catalogue.ts";
import { STATED } from "../helpers/situations/schema.ts";
import type { Capabilities } from "../helpers/target/capabilities.ts";
import { openSession } from "../helpers/trials/session.ts";
import type { Trial } from "../helpers/trials/trial.ts";
import { embedded } from "../runner/embedded.ts";
import { verdictsOf } from "./baseline.ts";
import { trialsOf } from "./workbench.ts";

/** The number of requirements that an entry unlocks, by its name. */
export type Counts = Readonly<Record<string, number>>;

/** The entries of a file besides `situations`. */
const GENERAL_ENTRIES = ["clock", "linked-accounts", "mail", ...Object.keys(STATED)];

const LINKING = "linked-accounts";

export const countUnlocked = async (contracts: readonly Contract[]): Promise<Counts> => {
  const counts: Record<string, number> = {};
  for (const contract of contracts) {
    const trials = await trialsOf(contract);
    const whole = await tryAll(contract, trials, new Set());
    // A target that links accounts needs no linked customers.
    const linked = serviceDescriptor(contract.service).settings.find((setting) => setting.linked)?.situation;
    const base = linked === undefined ? undefined : await tryAll(contract, trials, new Set([LINKING]), whole);
    const names = situationRows().flatMap(({ service, name }) =>
      service === contract.service ? [name] : [],
    );
    for (const name of [...GENERAL_ENTRIES, ...names]) {
      const from = base !== undefined && name === linked ? base : whole;
      const missing = new Set([...from.missing, name]);
      const without = await tryAll(contract, trials, missing, from);
      const lost = [...from.tried()].filter((requirement) => !without.tried().has(requirement));
      counts[name] = (counts[name] ?? 0) + lost.length;
    }
  }
  return counts;
};

interface Trying {
  readonly missing: ReadonlySet<string>;
  /** The requirements that each trial tried, and the entries that it asked for. */
  readonly trials: ReadonlyMap<
    Trial,
    { readonly tried: readonly string[]; readonly asked: ReadonlySet<string> }
  >;
  tried(): ReadonlySet<string>;
}

/**
 * Runs each trial in a session of its own, so that it asks for everything that it needs.
 * @param before a run with more entries; only the trials that asked for a missing one can differ from it
 */
const tryAll = async (
  contract: Contract,
  trials: readonly Trial[],
  missing: ReadonlySet<string>,
  before?: Trying,
): Promise<Trying> => {
  const results = new Map(before?.trials);
  const concerned = trials.filter((trial) => {
    const asked = before?.trials.get(trial)?.asked;
    return asked === undefined || [...missing].some((name) => !before?.missing.has(name) && asked.has(name));
  });
  if (concerned.length > 0) {
    const { target, close } = await embedded([contract]);
    const { release, capabilities, target: own } = await equip(target);
    for (const trial of concerned) {
      const asked = new Set<string>();
      const session = openSession({
        target: own,
        capabilities: lacking(capabilities, missing, asked),
        contracts: [contract],
        depth: "quick",
        seed: 1,
        prefix: "t0",
      });
      // What the session itself asks for does not concern the trial.
      asked.clear();
      const verdicts = verdictsOf(await session.run(trial));
      const tried = [...verdicts].flatMap(([id, verdict]) => (verdict === "not-tried" ? [] : [id]));
      results.set(trial, { tried, asked });
      await session.close();
    }
    await release();
    await close();
  }
  const tried = new Set([...results.values()].flatMap((one) => one.tried));
  return { missing, trials: results, tried: () => tried };
};

/** Returns the capabilities without the missing entries, and notes the entries that are asked for. */
const lacking = (
  { linkAccounts, mails, ...capabilities }: Capabilities,
  missing: ReadonlySet<string>,
  asked: Set<string>,
): Capabilities => {
  const isThere = (name: string): boolean => {
    asked.add(name);
    return !missing.has(name);
  };
  const noting =
    <Args extends unknown[], Value>(name: string, act: (...args: Args) => Value) =>
    (...args: Args): Value => {
      asked.add(name);
      return act(...args);
    };
  return {
    ...capabilities,
    has: (capability) => isThere(capability) && capabilities.has(capability),
    offers: (situation, parameters) => isThere(situation) && capabilities.offers(situation, parameters),
    ...(linkAccounts && !missing.has(LINKING) && { linkAccounts: noting(LINKING, linkAccounts) }),
    ...(mails && !missing.has("mail") && { mails: noting("mail", mails) }),
  };
};
