/** How a user names the resources of a service that exist, and the accounts that failed log-ins lock. */
import type { Service } from "../contract/contract.ts";
import { type Setting, serviceDescriptor, serviceDescriptors } from "../contract/services.ts";
import type { Target } from "../target/target.ts";

/** The setting that names one, by resource. */
export type Sources = Readonly<Record<string, Setting>>;

export const sourcesOf = (service: Service): Sources =>
  Object.fromEntries(
    serviceDescriptor(service).settings.flatMap((setting) =>
      setting.resource === undefined ? [] : [[setting.resource, setting]],
    ),
  );

export interface Accounts {
  /** Resources that identify an account. */
  readonly resources: readonly string[];
  /** Identifiers of those that no test may lock, and of those that a test may. */
  readonly own: readonly string[];
  readonly disposable: readonly string[];
}

/** The accounts of one service, or of all. */
export const accountsOf = ({ values }: Target, service?: Service): Accounts => {
  const settings = serviceDescriptors()
    .filter((one) => service === undefined || one.service === service)
    .flatMap((one) => one.settings);
  const named = (kind: Setting["account"]): string[] =>
    settings.flatMap(({ name, account }) => (account === kind ? [values[name] ?? ""] : [])).filter(Boolean);
  return {
    resources: settings.flatMap(({ account, resource }) => (account && resource ? [resource] : [])),
    own: named("own"),
    disposable: named("disposable"),
  };
};
