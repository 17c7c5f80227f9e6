/** Loads the service folders of `mocks/` when they are needed. */

import { existsSync } from "node:fs";
import { codeFile } from "../../helpers/contract/code.ts";
import type { Service } from "../../helpers/contract/contract.ts";
import type { ReferenceIssuer, SandboxService } from "./service.ts";

/** @throws Error when there is no sandbox for the service */
export const sandboxService = async (name: Service): Promise<SandboxService> =>
  ((await load(name, "service.ts")) as { readonly service: SandboxService }).service;

export const startIssuer = async (name: Service): Promise<ReferenceIssuer> =>
  ((await load(name, "issuer.ts")) as { startIssuer(): Promise<ReferenceIssuer> }).startIssuer();

const load = async (name: Service, file: string): Promise<unknown> => {
  const path = codeFile(`../${name}/${file}`);
  if (!existsSync(new URL(path, import.meta.url))) {
    throw new Error(
      `There is no sandbox for the service "${name}": mocks/${name}/${file} is missing. Add it.`,
    );
  }
  // A process that runs TypeScript as CommonJS (bin/start.cjs) can't import TypeScript, but has `require`.
  return typeof require === "undefined" ? import(path) : require(path);
};
