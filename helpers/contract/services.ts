/** The services: the folders of `schemas/`, and what the `service.yaml` in each of them tells the engine. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cached } from "./cache.ts";
import type { Service } from "./contract.ts";
import { ContractError, digestOf, readSource, type SourceFile } from "./source-file.ts";

/** `schemas/service.schema.json` says what each key means. */
export interface ServiceDescriptor {
  readonly service: Service;
  readonly title: string;
  readonly order: number;
  readonly workers: number;
  readonly deliveries: readonly string[];
  readonly issuer?: string;
  readonly settings: readonly Setting[];
}

/** A setting of a target that one service has. */
export interface Setting {
  /** In the environment, for example `PARCELS_API_KEY`. */
  readonly name: string;
  readonly meaning: string;
  readonly secret: boolean;
  readonly header: boolean;
  readonly resource?: string;
  readonly kept: boolean;
  readonly linked: boolean;
  readonly situation?: string;
  readonly account?: "own" | "disposable";
}

/** All services, in their order. @throws ContractError naming file and key */
export const services = (): Service[] => serviceDescriptors().map(({ service }) => service);

/** @throws ContractError naming file and key, or the unknown service */
export const serviceDescriptor = (service: Service): ServiceDescriptor => {
  const found = serviceDescriptors().find((one) => one.service === service);
  if (found === undefined) throw new ContractError(`There is no service "${service}" in schemas/.`);
  return found;
};

/** In the order of the services. @throws ContractError naming file and key */
export const serviceDescriptors = (): readonly ServiceDescriptor[] => {
  descriptors ??= readAll();
  return descriptors;
};

let descriptors: readonly ServiceDescriptor[] | undefined;

/** Where what a service promises is written down. */
export const schemasFolder = (service: Service): string => join(SCHEMAS, service);

/** What the names of a service's settings start with: `parcel-pickup` -> `PARCEL_PICKUP_`. */
export const settingPrefix = (service: Service): string => `${service.toUpperCase().replaceAll("-", "_")}_`;

const SCHEMAS = fileURLToPath(new URL("../../schemas/", import.meta.url));

const readAll = (): readonly ServiceDescriptor[] => {
  const schema = readSource(join(SCHEMAS, "service.schema.json"));
  const folders = readdirSync(SCHEMAS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = folders.map(({ name }) => ({
    service: name,
    source: readSource(join(SCHEMAS, name, "service.yaml")),
  }));
  const texts = [schema.text, ...files.flatMap(({ service, source }) => [service, source.text])];
  const { known, keep } = cached<readonly ServiceDescriptor[]>("services", [digestOf(texts)]);
  if (known !== undefined) return known;
  const read = readerOf(schema);
  const all = files
    .map(({ service, source }) => described(service, source, read(source)))
    .sort((one, other) => one.order - other.order);
  keep(all);
  return all;
};

/** A `service.yaml` that the schema allows. */
interface ServiceFile extends Omit<ServiceDescriptor, "service" | "settings"> {
  readonly settings: Readonly<Record<string, Omit<Setting, "name">>>;
}

/** Whoever finds all services in the cache loads neither what reads YAML nor what validates. */
const readerOf = (schema: SourceFile): ((source: SourceFile) => ServiceFile) => {
  const require = createRequire(import.meta.url);
  const { parse } = require("yaml") as typeof import("yaml");
  const { Ajv } = require("ajv") as typeof import("ajv");
  const validate = new Ajv({ useDefaults: true }).compile<ServiceFile>(JSON.parse(schema.text));
  return ({ name, text }) => {
    const value = parsed(parse, name, text);
    if (validate(value)) return value;
    const [error] = validate.errors ?? [];
    const { additionalProperty, allowedValues } = error?.params ?? {};
    const details = [additionalProperty ?? allowedValues ?? []].flat().join(", ");
    const key = error?.instancePath.slice(1).replaceAll("/", ".") || "the file";
    throw new ContractError(`${name}: ${key} ${error?.message}${details && `: ${details}`}.`);
  };
};

const parsed = (parse: (text: string) => unknown, name: string, text: string): unknown => {
  try {
    return parse(text);
  } catch (error) {
    throw new ContractError(`${name}: ${(error as Error).message}`);
  }
};

const described = (
  service: Service,
  { name: file }: SourceFile,
  { settings, ...rest }: ServiceFile,
): ServiceDescriptor => {
  const prefix = settingPrefix(service);
  const names = [...Object.keys(settings), ...(rest.issuer === undefined ? [] : [rest.issuer])];
  const other = names.find((name) => !name.startsWith(prefix) || !/^[A-Z0-9_]+$/.test(name));
  if (other !== undefined) {
    throw new ContractError(
      `${file}: settings.${other}: start the name with ${prefix}, and use capital letters, digits and underscores.`,
    );
  }
  return {
    service,
    ...rest,
    settings: Object.entries(settings).map(([name, setting]) => ({ name, ...setting })),
  };
};
