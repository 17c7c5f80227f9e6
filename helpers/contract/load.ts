/** Loads the contract of a service: `schemas/`, and the provider's own document where the user gave one. */

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract, Gap, JsonSchema, Service } from "./contract.ts";
import { atPointer, digestOf, type Json, parseSource, readDocument, readSource } from "./document.ts";
import { operationsOf, securitySchemesOf } from "./operations.ts";
import { joinProvider } from "./provider.ts";
import { type ProviderDocument, readProviderDocument } from "./provider-document.ts";
import { registerOf } from "./register.ts";
import { type RuleSource, rulesOf } from "./rules.ts";

const ROOM = fileURLToPath(new URL(".", import.meta.url));
const SCHEMAS = fileURLToPath(new URL("../../schemas/", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/assay/", import.meta.url));

export interface LoadOptions {
  /** Path of the provider's own OpenAPI document (3.0 or 3.1, YAML or JSON). Its shapes replace the assumed ones. */
  readonly providerFile?: string;
}

/** What is kept of a contract: its rules follow from the rest in less time than reading them would take. */
type Kept = Omit<Contract, "rules"> & Pick<RuleSource, "ruleIds">;

/**
 * Parsed and joined once per content of its files.
 * @throws ContractError naming file, line, pointer and mend
 */
export const loadContract = async (
  service: Service,
  { providerFile }: LoadOptions = {},
): Promise<Contract> => {
  const folder = join(SCHEMAS, service);
  const own = digestOf(filesBelow(folder).map((file) => readFileSync(file, "utf8")));
  const theirs = providerFile === undefined ? [] : [digestOf([readSource(resolve(providerFile)).text])];
  const digests = [own, ...theirs, loaderDigest()].map((digest) => digest.slice(7, 23));
  const cached = join(CACHE, `${service}-${digests.join("-")}.json`);
  const known = await readFile(cached, "utf8").catch(() => undefined);
  const kept =
    known === undefined ? await fresh(service, own, providerFile, cached) : (JSON.parse(known) as Kept);
  const provider = kept.provider && providerFile ? { ...kept.provider, file: providerFile } : kept.provider;
  return withRules({ ...kept, provider });
};

const fresh = async (
  service: Service,
  own: string,
  providerFile: string | undefined,
  cached: string,
): Promise<Kept> => {
  const theirs = providerFile === undefined ? undefined : readProviderDocument(resolve(providerFile));
  const digest = theirs === undefined ? own : digestOf([own, theirs.digest]);
  const contract = normalise(service, join(SCHEMAS, service), digest, theirs);
  // The cache knows the main file of a document only, not the files that it refers to.
  if (theirs === undefined || theirs.document.sources.length === 1) await keep(cached, contract);
  return contract;
};

/** Services that have a contract. */
export const contractedServices = (): Service[] =>
  readdirSync(SCHEMAS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name as Service);

const normalise = (
  service: Service,
  folder: string,
  digest: string,
  theirs: ProviderDocument | undefined,
): Kept => {
  const { operations: own, schemas: ownSchemas, ...ours } = read(service, folder);
  const shapes = { operations: own, schemas: ownSchemas, securitySchemes: ours.securitySchemes };
  const joined = theirs === undefined ? { ...shapes, ...UNTOUCHED } : joinProvider(shapes, theirs, service);
  const source = { service, ruleIds: ours.ruleIds, operations: joined.operations, schemas: joined.schemas };
  const rows = readSource(join(folder, "requirements.yaml"));
  return {
    service,
    version: ours.version,
    digest,
    basePath: ours.basePath,
    generalStatuses: ours.generalStatuses,
    ...(ours.country !== undefined && { country: ours.country }),
    ruleIds: ours.ruleIds,
    ...joined,
    requirements: registerOf({
      ...source,
      document: ours.document,
      eachOperation: ours.eachOperation,
      rules: rulesOf(source),
      rows: (parseSource(rows).requirements ?? []) as Json[],
      source: rows,
    }),
    gaps: (parseSource(readSource(join(folder, "gaps.yaml"))).gaps ?? []) as unknown as Gap[],
  };
};

const UNTOUCHED = { provider: null, differences: { lacking: [], added: [] } } as const;

/** The built-in part. */
const read = (service: Service, folder: string) => {
  const document = readDocument(join(folder, "openapi.yaml"));
  const { root } = document;
  return {
    version: String((root.info as Json).version),
    document: String(root["x-document"]),
    basePath: String(root["x-base-path"] ?? ""),
    country: root["x-country"] as string | undefined,
    generalStatuses: (root["x-general-statuses"] ?? []) as number[],
    ruleIds: root["x-rule-ids"] as RuleSource["ruleIds"],
    eachOperation: root["x-operation-requirements"] === true,
    operations: operationsOf(document, service),
    securitySchemes: securitySchemesOf(document),
    schemas: (atPointer(root, "/components/schemas") ?? {}) as Record<string, JsonSchema>,
  };
};

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
