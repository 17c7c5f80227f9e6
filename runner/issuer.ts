/** `--issuer`: a run against an endpoint that takes what a service sends, in place of the service itself. */
import type { Service } from "../helpers/contract/contract.ts";
import { type ServiceDescriptor, serviceDescriptors } from "../helpers/contract/services.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { baseUrlName } from "../helpers/target/names.ts";
import type { Target } from "../helpers/target/target.ts";

/** The service that sends notifications to an issuer. @throws ConfigurationError where none does */
export const issuerService = (): Service => {
  const { service } = sender() ?? {};
  if (service !== undefined) return service;
  throw new ConfigurationError("--issuer: no service sends notifications to an issuer. Leave it out.");
};

/** The same for people, who may ask where none does. */
export const issuerServiceTitle = (): string => sender()?.title ?? "a service";

/** Settings of a target that is an issuer's endpoint: the one address that is called. */
export const issuerSettings = (url: string): Record<string, string> => ({
  [baseUrlName(issuerService())]: url,
  [sender()?.issuer ?? ""]: url,
});

export const isIssuer = ({ values }: Target): boolean => values[sender()?.issuer ?? ""] !== undefined;

const sender = (): ServiceDescriptor | undefined =>
  serviceDescriptors().find(({ issuer }) => issuer !== undefined);
