/** Loads the contract of a service from `schemas/`, and from the provider's document if the user gave one. */
import type { buildContract, Kept } from "./build.ts";
import { withChanges } from "./changes.ts";
import type { Bindings, Contract, Service } from "./contract.ts";
import type { ContractChange } from "./contract-change.ts";
import { cached, textsBelow } from "./documents/cache.ts";
import { locationOf } from "./documents/git-source.ts";
import { digestOf, readSource } from "./documents/source-file.ts";
import { defined } from "./json.ts";
import { rulesOf, splitRules } from "./rules.ts";
import { schemasFolder } from "./services.ts";

export interface LoadOptions {
  /** The folder of the contract; `schemas/SERVICE` if absent. */
  readonly folder?: string;
  /** Path of the provider's own OpenAPI document (3.0 or 3.1, YAML or JSON). Its shapes replace the assumed ones. */
  readonly providerFile?: string;
  /** The user's corrections of the bindings between the contract and that document. */
  readonly corrections?: Bindings;
  readonly madeFrom?: Contract["madeFrom"] | undefined;
  /** What changed since an earlier version of the document, and the options of its contract. */
  readonly changes?: { readonly base: LoadOptions; readonly entries: readonly ContractChange[] };
  /** Builds a contract that the cache lacks; if absent, the code is loaded when it is needed. */
  readonly build?: typeof buildContract;
}

/**
 * Loads a contract, and parses and joins its files only when their content has changed.
 * @throws ContractError naming file, line, pointer and hint
 */
export const loadContract = async (
  service: Service,
  { folder = schemasFolder(service), providerFile, corrections, madeFrom, changes, build }: LoadOptions = {},
): Promise<Contract> => {
  const own = digestOf(textsBelow(folder, isPromise));
  const others = digestOf(textsBelow(folder, isOther));
  const theirs =
    providerFile === undefined
      ? []
      : [digestOf([readSource(locationOf(providerFile)).text, ...noted(corrections)])];
  const { known, keep } = cached<Kept>(service, [own, others, ...theirs]);
  const kept =
    known ?? fresh((build ?? (await builder()))(service, folder, own, providerFile, corrections), keep);
  const provider = kept.provider && providerFile ? { ...kept.provider, file: providerFile } : kept.provider;
  const contract = withRules({ ...kept, provider, ...defined({ madeFrom }) });
  if (changes === undefined) return contract;
  return withChanges(contract, await loadContract(service, changes.base), changes.entries);
};

const noted = (corrections: Bindings | undefined): string[] =>
  corrections === undefined ? [] : [JSON.stringify(corrections)];

/** Whether a file contains promises of the service. */
const isPromise = (name: string): boolean => !isOther(name) && name !== WRITTEN;

/** Whether a file configures the engine, or obliges callers or listeners. */
const isOther = (name: string): boolean => ["service.yaml", "caller.yaml", "listener.yaml"].includes(name);

/** The file with what `new-service` wrote from a document, to which its next version is compared. */
export const WRITTEN = "written.json";

/** Loads the builder only when the cache lacks a contract. */
const builder = async (): Promise<typeof buildContract> => (await import("./build.ts")).buildContract;

const fresh = (
  { contract, cacheable }: ReturnType<typeof buildContract>,
  keep: (contract: Kept) => void,
): Kept => {
  if (cacheable) keep(contract);
  return contract;
};

/** Adds the rules. They are derived on first use, because the sandbox, for example, starts without them. */
const withRules = ({ ruleIds, ...contract }: Kept): Contract => {
  let kept: Pick<Contract, "rules" | "contradicted"> | undefined;
  const derived = () => {
    kept ??= splitRules(rulesOf({ ...contract, ruleIds }));
    return kept;
  };
  return {
    ...contract,
    get rules() {
      return derived().rules;
    },
    get contradicted() {
      return derived().contradicted;
    },
  };
};
