/** The key `issuer`: tests an endpoint that receives the requests of a service, instead of the service itself. */
import type { Service } from "../helpers/contract/contract.ts";
import { notifyingService } from "../helpers/target/issuer.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { baseUrlName } from "../helpers/target/names.ts";

/** Returns the service that sends notifications to an issuer. @throws ConfigurationError if no service does */
export const issuerService = (): Service => {
  const { service } = notifyingService() ?? {};
  if (service !== undefined) return service;
  throw new ConfigurationError("issuer: no service sends notifications to an issuer. Leave it out.");
};

/** Returns the title of that service for help texts; does not throw if there is none. */
export const issuerServiceTitle = (): string => notifyingService()?.title ?? "a service";

/** Returns the settings of an issuer's endpoint as a target. The run calls only this address. */
export const issuerSettings = (url: string): Record<string, string> => ({
  [baseUrlName(issuerService())]: url,
  [notifyingService()?.issuer ?? ""]: url,
});
