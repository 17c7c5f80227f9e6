/** `--since OLD`: the document that `--contract` replaces. */
import type { Service } from "../../helpers/contract/contract.ts";
import { isFromDocument, services } from "../../helpers/contract/services.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";

/**
 * Returns the service whose document is replaced; `undefined` without --since.
 * @throws ConfigurationError when it is not clear which service is meant
 */
export const upgradedService = (
  { since }: { readonly since?: string },
  files: Readonly<Record<Service, string>>,
): Service | undefined => {
  if (since === undefined) return undefined;
  if (isFromDocument()) return services()[0];
  const [service, ...others] = Object.keys(files) as Service[];
  if (service !== undefined && others.length === 0) return service;
  throw new ConfigurationError(
    service === undefined
      ? "--since needs the new document as well: give it with --contract SERVICE=FILE."
      : `--since is the old document of one service: choose the service with --service (${[service, ...others].join(" or ")}).`,
  );
};
