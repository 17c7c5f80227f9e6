/** The services that the sandbox can stand in for: each has a folder in `mocks/`, which is loaded when it is asked for. */
import { existsSync } from "node:fs";
import type { Service } from "../../helpers/contract/contract.ts";
import { services } from "../../helpers/contract/services.ts";
import type { ReferenceIssuer, SandboxService } from "./service.ts";

export const sandboxedServices = (): Service[] =>
  services().filter((name) => existsSync(new URL(`../${name}/service.ts`, import.meta.url)));

/** @throws Error when there is no sandbox for the service */
export const sandboxService = async (name: Service): Promise<SandboxService> => {
  const available = sandboxedServices();
  if (!available.includes(name)) {
    const names = available.join(", ");
    throw new Error(`There is no sandbox for the service "${name}". There is one for: ${names}.`);
  }
  const { service } = (await load(`../${name}/service.ts`)) as { readonly service: SandboxService };
  return service;
};

/** Starts the reference issuer of a service that has one. */
export const startIssuer = async (name: Service): Promise<ReferenceIssuer> => {
  const module = (await load(`../${name}/issuer.ts`)) as { startIssuer(): Promise<ReferenceIssuer> };
  return module.startIssuer();
};

/** A process that runs TypeScript as CommonJS (`bin/start.cjs`) can't import TypeScript, but has `require`. */
const load = async (path: string): Promise<unknown> =>
  typeof require === "undefined" ? import(path) : require(path);
