/** `assay/sandbox`: starts the embedded sandbox from a program. */

import { services } from "../helpers/contract/services.ts";
import { startSandbox as start } from "../mocks/engine/server.ts";
import { loadContracts } from "../runner/command/contracts.ts";

export interface SandboxOptions {
  /** All services by default. */
  readonly services?: readonly string[];
  /** A port on 127.0.0.1; a free one by default. */
  readonly port?: number;
  /** The seed of generated values. */
  readonly seed?: number;
  /** Ids of faults to activate. */
  readonly faults?: readonly string[];
  /** Permitted differences to activate: ids, names of sets, or `all`. */
  readonly differences?: readonly string[];
}

export interface Sandbox {
  readonly port: number;
  /** The base URL of each service. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** Base URLs and credentials, under the names of the environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** @throws Error when a service, a fault or a difference is unknown, or the port is taken */
export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const wanted = options.services ?? services();
  const { port, baseUrls, environment, close } = await start({
    services: wanted,
    port: options.port ?? 0,
    seed: options.seed ?? 1,
    faults: options.faults ?? [],
    differences: options.differences ?? [],
    contracts: await loadContracts(wanted, {}),
  });
  return { port, baseUrls, environment, close };
};
