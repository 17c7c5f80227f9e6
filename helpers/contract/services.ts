/** The services: one for each folder of `schemas/`, described to the engine by its `service.yaml`. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { IS_PACKAGED } from "./code.ts";
import type { Service } from "./contract.ts";
import { contentOf } from "./documents/checked-file.ts";
import { ContractError } from "./documents/source-file.ts";

/** The description of a service; `schemas/service.schema.json` documents each key. */
export interface ServiceDescriptor {
  readonly service: Service;
  readonly title: string;
  readonly order: number;
  readonly deliveries: readonly string[];
  readonly issuer?: string;
  readonly demo?: string;
  readonly tokenLifetime?: number;
  readonly settings: readonly Setting[];
}

/** A setting of a target for one service. */
export interface Setting {
  /** The name in the environment, for example `PARCELS_API_KEY`. */
  readonly name: string;
  readonly meaning: string;
  readonly secret: boolean;
  readonly header: boolean;
  readonly resource?: string;
  /** An identifier that the document names as an example, for a resource that nothing lists or creates. */
  readonly example?: string;
  readonly kept: boolean;
  readonly linked: boolean;
  readonly situation?: string;
  readonly account?: "own" | "disposable";
  readonly encryption?: Readonly<
    Record<"alg" | "enc", string> & Partial<Record<"keyId" | "keyIdHeader", string>>
  >;
}

/** Returns what a user does to name a resource: `set PARCELS_SENDER_ID`. */
export const adviceToSet = ({ name, resource }: Setting): string =>
  isFromDocument() ? `give ${optionToGive({ resource })}` : `set ${name}`;

/** Returns the option of `--document` that gives a resource. */
export const optionToGive = ({ resource }: { readonly resource?: string | undefined }): string =>
  `--id ${resource}=VALUE, which the service knows`;

/** Returns all services in their order. @throws ContractError naming file and key */
export const services = (): Service[] => serviceDescriptors().map(({ service }) => service);

/** Returns the description of a service. @throws ContractError naming file and key, or the unknown service */
export const serviceDescriptor = (service: Service): ServiceDescriptor => {
  const found = serviceDescriptors().find((one) => one.service === service);
  if (found === undefined) throw new ContractError(`There is no service "${service}" in schemas/.`);
  return found;
};

/** Returns the descriptions in the order of the services. @throws ContractError naming file and key */
export const serviceDescriptors = (): readonly ServiceDescriptor[] => {
  const folder = folderOfServices();
  if (read?.folder !== folder) read = { folder, descriptors: readAll() };
  return read.descriptors;
};

let read: { readonly folder: string; readonly descriptors: readonly ServiceDescriptor[] } | undefined;

/** Returns the folder of a service's contract. */
export const schemasFolder = (service: Service): string =>
  join(isOwn(service) ? OWN_SERVICES : folderOfServices(), service);

/** The folder of a user's own services, which the package has beside its own. Each has a contract, and no other folder. */
export const OWN_SERVICES = "assay-services";

const isOwn = (service: Service): boolean =>
  IS_PACKAGED && existsSync(join(OWN_SERVICES, service, "service.yaml"));

/** The environment variable with the folder of the service that `--document` describes, for all processes of a command. */
export const DOCUMENT_FOLDER = "ASSAY_DOCUMENT_FOLDER";

/** Whether the only service is the one that `--document` describes. It has a contract, and no other folder. */
export const isFromDocument = (): boolean => process.env[DOCUMENT_FOLDER] !== undefined;

/** Whether the service has a contract, and no code. */
export const hasOnlyContract = (service: Service): boolean => isFromDocument() || isOwn(service);

/** Returns the folder of `tests/` with the trials of a service. */
export const testsFolder = (service: Service): string =>
  hasOnlyContract(service) ? "without-code" : service;

/** Returns the prefix of a service's settings: `PARCEL_PICKUP_` for `parcel-pickup`. */
export const settingPrefix = (service: Service): string => `${service.toUpperCase().replaceAll("-", "_")}_`;

const SCHEMAS = fileURLToPath(new URL("../../schemas/", import.meta.url));

const folderOfServices = (): string => process.env[DOCUMENT_FOLDER] ?? SCHEMAS;

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const readAll = (): readonly ServiceDescriptor[] => {
  const root = folderOfServices();
  const own = isFromDocument() || !IS_PACKAGED || !existsSync(OWN_SERVICES) ? [] : foldersIn(OWN_SERVICES);
  const names = [...new Set([...foldersIn(root), ...own])].sort();
  return names.map(described).sort((a, b) => a.order - b.order);
};

const described = (service: Service): ServiceDescriptor => {
  const file = contentOf<
    Omit<ServiceDescriptor, "service" | "settings"> & {
      readonly settings: Readonly<Record<string, Omit<Setting, "name">>>;
    }
  >(schemasFolder(service), "service.yaml", "service");
  if (file === undefined)
    throw new ContractError(`${service}: each folder of schemas/ is a service, and needs a service.yaml.`);
  const settings = Object.entries(file.settings).map(([name, setting]) => ({ name, ...setting }));
  return { service, ...file, settings };
};
