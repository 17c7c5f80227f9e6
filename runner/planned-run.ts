/** The plan of a run, made from the flags, the target and the contracts. */
import { resolve } from "node:path";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { shownAddress } from "../helpers/exchange/shown-address.ts";
import { because } from "../helpers/reasons/reason.ts";
import { loadOptionsOf } from "../helpers/target/bindings.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { isLoopback } from "../helpers/target/loopback.ts";
import { baseUrlName } from "../helpers/target/names.ts";
import type { Target } from "../helpers/target/target.ts";
import { isSelected, type RunInfo, type RunPlan, type Selection } from "../helpers/trials/run-info.ts";
import type { Depth } from "../helpers/trials/trial.ts";
import { trialOrder } from "../reports/certificate/trial-order.ts";
import { openedSource } from "./extensions.ts";

export type PlannedRun = Omit<RunPlan, "scratch">;

export interface PlanFlags {
  readonly service: readonly Service[];
  readonly operation?: readonly string[];
  readonly exclude?: readonly string[];
  readonly requirement?: readonly string[];
  /** By default standard, or quick for an external target, whose owner may count requests. */
  readonly depth?: Depth;
  readonly seed: number;
  /** Ids of the faults of the embedded sandbox, if it has any. */
  readonly faults?: readonly string[];
  readonly out: string;
  readonly shard?: NonNullable<RunInfo["shard"]>;
  readonly allure: boolean;
}

export const operationIds = ({ operations }: Contract): string[] =>
  operations.map(({ operationId }) => operationId);

export const planOf = (
  flags: PlanFlags,
  target: Target,
  contracts: readonly Contract[],
  selection: Selection | null,
  files: Readonly<Record<Service, string>>,
): PlannedRun => {
  const tested = contracts.filter(({ service }) => target.baseUrls[service] !== undefined);
  const without = flags.service.filter((service) => target.baseUrls[service] === undefined);
  if (tested.length === 0) {
    throw new ConfigurationError(
      `Target "${target.name}" has no base URL for a service to test: set ${without.map(baseUrlName).join(" or ")}.`,
    );
  }
  const { document, repeated } = openedSource() ?? {};
  const depth =
    flags.depth ?? (target.embedded || (repeated && isOnThisMachine(target)) ? "standard" : "quick");
  const { excluded } = selection ?? {};
  return {
    target: { ...target, permissions: { ...target.permissions, ...(excluded && { excluded }) } },
    workers: target.embedded && depth !== "exhaustive" ? workersFor(tested, selection) : MOST_WORKERS,
    allure: flags.allure,
    order: trialOrder(tested.map(({ service }) => service)),
    info: {
      target: {
        name: target.name,
        embedded: target.embedded,
        baseUrls: shownAddresses(target.baseUrls),
        ...(flags.faults && { faults: flags.faults }),
      },
      contracts: contracts.map(({ service, version, digest, provider, madeFrom, changes }) => ({
        ...{ service, version, digest, provider, ...(document !== undefined && { document }) },
        ...(madeFrom && { documentDigest: madeFrom.digest }),
        ...(changes && { changes: { base: optionsOf(changes.base), entries: changes.entries } }),
        ...loadOptionsOf(files[service], (target.embedded ? process.env : target.values).BINDINGS),
      })),
      services: tested.map(({ service }) => service),
      seed: flags.seed,
      depth,
      startedAt: new Date().toISOString(),
      out: resolve(flags.out),
      selection,
      ...(repeated && { document: repeated }),
      shard: flags.shard ?? null,
      untested: Object.fromEntries(
        without.map((service) => [service, because("no-base-url", baseUrlName(service))]),
      ),
    },
  };
};

const optionsOf = ({ madeFrom, provider }: Contract) =>
  madeFrom ? { folder: madeFrom.folder, madeFrom } : { providerFile: provider?.file ?? "" };

const isOnThisMachine = ({ baseUrls }: Target): boolean =>
  Object.values(baseUrls).every((url) => isLoopback(new URL(url)));

/** Trials wait for a target without the sandbox's clock, and sequences take long: two workers run them side by side. */
const MOST_WORKERS = 2;

/** On the embedded sandbox, a second worker takes as long to start as it saves in a run of so many operations. */
const FEW_OPERATIONS = 15;

const workersFor = (contracts: readonly Contract[], selection: Selection | null): number =>
  testedOperations(contracts, selection).size <= FEW_OPERATIONS ? 1 : MOST_WORKERS;

const testedOperations = (
  contracts: readonly Contract[],
  selection: Selection | null,
): ReadonlySet<string> => {
  if (selection === null) return new Set(contracts.flatMap(operationIds));
  if (selection.operations !== undefined) return new Set(selection.operations);
  const selected = contracts.flatMap(({ requirements }) =>
    requirements.filter((requirement) => isSelected(selection, requirement)),
  );
  return new Set(selected.flatMap(({ operations }) => operations));
};

/** Removes what is secret in the addresses. */
export const shownAddresses = (urls: Target["baseUrls"]): RunInfo["target"]["baseUrls"] =>
  Object.fromEntries(
    Object.entries(urls).map(([service, url = ""]) => [service, shownAddress(url).replace(/\/+$/, "")]),
  );
