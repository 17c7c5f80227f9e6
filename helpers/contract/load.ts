/** Loads the contract of a service: `schemas/`, and the provider's own document where the user gave one. */

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Built, buildContract, Kept } from "./build.ts";
import type { Contract, Service } from "./contract.ts";
import { rulesOf } from "./rules.ts";
import { digestOf, readSource } from "./source-file.ts";

const ROOM = fileURLToPath(new URL(".", import.meta.url));
const SCHEMAS = fileURLToPath(new URL("../../schemas/", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/assay/", import.meta.url));

export interface LoadOptions {
  /** Where the contract is written down; `schemas/SERVICE` if absent. */
  readonly folder?: string;
  /** Path of the provider's own OpenAPI document (3.0 or 3.1, YAML or JSON). Its shapes replace the assumed ones. */
  readonly providerFile?: string;
  /** What makes it where the cache has none, from those who have loaded that; else it is loaded when it is needed. */
  readonly build?: typeof buildContract;
}

/**
 * Parsed and joined once per content of its files.
 * @throws ContractError naming file, line, pointer and mend
 */
export const loadContract = async (
  service: Service,
  { folder = schemasFolder(service), providerFile, build }: LoadOptions = {},
): Promise<Contract> => {
  const own = digestOf(filesBelow(folder).map((file) => readFileSync(file, "utf8")));
  const theirs = providerFile === undefined ? [] : [digestOf([readSource(resolve(providerFile)).text])];
  const digests = [own, ...theirs, loaderDigest()].map((digest) => digest.slice(7, 23));
  const cached = join(CACHE, `${service}-${digests.join("-")}.json`);
  const known = await readFile(cached, "utf8").catch(() => undefined);
  const kept =
    known === undefined
      ? await fresh((build ?? (await builder()))(service, folder, own, providerFile), cached)
      : (JSON.parse(known) as Kept);
  const provider = kept.provider && providerFile ? { ...kept.provider, file: providerFile } : kept.provider;
  return withRules({ ...kept, provider });
};

/** Who finds everything in the cache does not load what makes it. */
const builder = async (): Promise<typeof buildContract> => (await import("./build.ts")).buildContract;

const fresh = async ({ contract, cacheable }: Built, cached: string): Promise<Kept> => {
  if (cacheable) await keep(cached, contract);
  return contract;
};

/** Where what a service promises is written down. */
export const schemasFolder = (service: Service): string => join(SCHEMAS, service);

/** Services that have a contract. */
export const contractedServices = (): Service[] =>
  readdirSync(SCHEMAS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name as Service);

/** Rules are derived when somebody asks for them: the sandbox, for one, starts without. */
const withRules = ({ ruleIds, ...contract }: Kept): Contract => {
  let rules: Contract["rules"] | undefined;
  return {
    ...contract,
    get rules() {
      rules ??= rulesOf({ ...contract, ruleIds });
      return rules;
    },
  };
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** A change of the loader itself makes its old results stale. */
const loaderDigest = (): string => digestOf(filesBelow(ROOM).map((file) => readFileSync(file, "utf8")));

/** Written aside and renamed, since workers may load at the same time. A cache that can't be written is no error. */
const keep = async (path: string, contract: Kept): Promise<void> => {
  try {
    await mkdir(CACHE, { recursive: true });
    const aside = `${path}.${process.pid}`;
    await writeFile(aside, JSON.stringify(contract));
    await rename(aside, path);
  } catch {
    return;
  }
};
