/** The endpoint of an issuer: the tested target itself, or the address to which the target sends its notifications. */
import { type ServiceDescriptor, serviceDescriptors } from "../contract/services.ts";
import { baseUrlName } from "./names.ts";
import type { Target } from "./target.ts";

/** Returns the service that sends notifications to an issuer, if there is one. */
export const notifyingService = (): ServiceDescriptor | undefined =>
  serviceDescriptors().find(({ issuer }) => issuer !== undefined);

/** Whether the target is an issuer, which a run with `--issuer` calls. */
export const isIssuer = (target: Pick<Target, "values">): boolean => {
  const { service = "" } = notifyingService() ?? {};
  const url = addressOf(target);
  return url !== undefined && url === target.values[baseUrlName(service)];
};

/** Returns the address to which the user says that the target sends its notifications. */
export const declaredIssuer = (target: Pick<Target, "values">): string | undefined =>
  isIssuer(target) ? undefined : addressOf(target);

const addressOf = ({ values }: Pick<Target, "values">): string | undefined =>
  values[notifyingService()?.issuer ?? ""];
