/** How a user names the resources of a service that exist, and the accounts that failed log-ins lock. */
import type { Service } from "../contract/contract.ts";
import { type Setting, serviceDescriptor } from "../contract/services.ts";
import type { Target } from "../target/target.ts";

/** The setting that names one, by resource. */
export type Sources = Readonly<Record<string, Setting>>;

export const sourcesOf = (service: Service): Sources =>
  Object.fromEntries(
    serviceDescriptor(service).settings.flatMap((setting) =>
      setting.resource === undefined ? [] : [[setting.resource, setting]],
    ),
  );

/** Identifiers of the accounts of a service that no test may lock (`own`), or of those that a test may. */
export const accountsOf = (
  service: Service,
  { values }: Target,
  kind: NonNullable<Setting["account"]>,
): string[] =>
  serviceDescriptor(service).settings.flatMap(({ name, account }) =>
    account === kind && values[name] !== undefined ? [values[name]] : [],
  );
