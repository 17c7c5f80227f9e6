/** Loads the contract of a service from `schemas/`, parsed and normalised once per content. */

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract, Gap, JsonSchema, Service } from "./contract.ts";
import { atPointer, digestOf, type Json, parseSource, readDocument, readSource } from "./document.ts";
import { operationsOf, securitySchemesOf } from "./operations.ts";
import { registerOf } from "./register.ts";
import { rulesOf } from "./rules.ts";

const ROOM = fileURLToPath(new URL(".", import.meta.url));
const SCHEMAS = fileURLToPath(new URL("../../schemas/", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/assay/", import.meta.url));

/** @throws ContractError naming file, line, pointer and mend */
export const loadContract = async (service: Service): Promise<Contract> => {
  const folder = join(SCHEMAS, service);
  const digest = digestOf(filesBelow(folder).map((file) => readFileSync(file, "utf8")));
  const cached = join(CACHE, `${service}-${digest.slice(7, 23)}-${loaderDigest().slice(7, 23)}.json`);
  const known = await readFile(cached, "utf8").catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as Contract;
  const contract = await normalise(service, folder, digest);
  await keep(cached, contract);
  return contract;
};

/** Services that have a contract. */
export const contractedServices = (): Service[] =>
  readdirSync(SCHEMAS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name as Service);

const normalise = async (service: Service, folder: string, digest: string): Promise<Contract> => {
  const document = readDocument(join(folder, "openapi.yaml"));
  const rows = readSource(join(folder, "requirements.yaml"));
  const gaps = readSource(join(folder, "gaps.yaml"));
  const operations = operationsOf(document, service);
  const rules = rulesOf(document.root, service, operations);
  const { root } = document;
  return {
    service,
    version: String((root.info as Json).version),
    digest,
    provider: null,
    differences: { lacking: [], added: [] },
    basePath: String(root["x-base-path"] ?? ""),
    operations,
    securitySchemes: securitySchemesOf(document),
    schemas: (atPointer(root, "/components/schemas") ?? {}) as Record<string, JsonSchema>,
    rules,
    requirements: registerOf({
      service,
      document: String(root["x-document"]),
      operations,
      rules,
      rows: (parseSource(rows).requirements ?? []) as Json[],
      source: rows,
    }),
    gaps: (parseSource(gaps).gaps ?? []) as unknown as Gap[],
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
const keep = async (path: string, contract: Contract): Promise<void> => {
  try {
    await mkdir(CACHE, { recursive: true });
    const aside = `${path}.${process.pid}`;
    await writeFile(aside, JSON.stringify(contract));
    await rename(aside, path);
  } catch {
    return;
  }
};
