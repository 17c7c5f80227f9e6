/** Counts the requirements that cannot be tried without a setting, from the register of requirements. */
import type { Contract, Hazard, Operation, Requirement } from "../../helpers/contract/contract.ts";
import { type Setting, serviceDescriptor } from "../../helpers/contract/services.ts";
import { baseUrlName } from "../../helpers/target/names.ts";
import { resourcesNamedBy } from "../../helpers/trials/named-resources.ts";
import { sentBy } from "../../helpers/trials/valid-call.ts";
import { counted } from "../../reports/text.ts";

export interface Unlocked {
  readonly name: string;
  readonly meaning: string;
  readonly secret: boolean;
  /** How many requirements need the setting. */
  readonly requirements: number;
  /** Whether a run can make such a resource itself, so that the setting is only a short cut. */
  readonly isOptional: boolean;
}

/** `unlocks 12 requirements` */
export const unlockedText = ({
  requirements,
  isOptional,
}: Pick<Unlocked, "requirements"> & Partial<Unlocked>): string =>
  `unlocks ${counted(requirements, "requirement")}${isOptional ? ", or the run makes its own" : ""}`;

/** Returns the settings of a service, the address first, with what each unlocks. */
export const unlockedBy = (contract: Contract): Unlocked[] => {
  const { service, securitySchemes } = contract;
  const { title, settings } = serviceDescriptor(service);
  const requirements = contract.requirements.filter(isTriable);
  const needing = (needs: (operation: Operation) => boolean): number =>
    requirements.filter(({ operations }) => allOf(contract, operations, needs)).length;
  const address = {
    name: baseUrlName(service),
    meaning: `address of ${title}, with any path prefix`,
    secret: false,
  };
  return [
    { ...address, requirements: requirements.length, isOptional: false },
    ...settings.map((setting) => {
      const { name, meaning, secret, resource } = setting;
      const scheme = securitySchemes.find(({ configuration }) => configuration === name);
      const needs = (operation: Operation): boolean =>
        scheme === undefined
          ? resource !== undefined && needsResource(contract, operation, resource)
          : operation.security.includes(scheme.name);
      return {
        name,
        meaning,
        secret,
        requirements:
          needing(needs) + encryptedRules(contract, setting) + lockingTrials(requirements, setting),
        isOptional: contract.operations.some(({ produces, finds }) =>
          [...produces, ...finds].some((place) => place.resource === resource),
        ),
      };
    }),
  ];
};

/** Returns the permissions of a run with what each unlocks in the services. */
export const unlockedByPermission = (
  contracts: readonly Contract[],
): Omit<Unlocked, "secret" | "isOptional">[] =>
  (
    [
      ["ALLOW_DESTRUCTIVE", "true allows trials that delete, or change a secret", "destructive"],
      ["MAX_BILLABLE_CALLS", "how many billable calls a run may make", "billable"],
      ["ALLOW_LOCKING", "true allows locking the disposable account", "locks-account"],
    ] satisfies [string, string, Hazard][]
  ).map(([name, meaning, hazard]) => ({
    name,
    meaning,
    requirements: contracts
      .map((contract) => {
        const isHazardous = (operation: Operation): boolean => operation.hazards.includes(hazard);
        return contract.requirements.filter(
          (one) =>
            isTriable(one) && (one.hazards.includes(hazard) || allOf(contract, one.operations, isHazardous)),
        ).length;
      })
      .reduce((sum, amount) => sum + amount, 0),
  }));

const isTriable = ({ subject, observable }: Requirement): boolean =>
  subject === "service" && observable !== "not-observable";

/** Whether a requirement is only about operations that hold. */
const allOf = (
  contract: Contract,
  operationIds: readonly string[],
  holds: (operation: Operation) => boolean,
): boolean =>
  operationIds.length > 0 &&
  operationIds.every((id) => contract.operations.some((one) => one.operationId === id && holds(one)));

/** Whether a valid call of the operation, or the log-in before it, names the resource. */
const needsResource = (contract: Contract, operation: Operation, resource: string): boolean => {
  const isNamed = (one: Operation): boolean =>
    one.needs.includes(resource) ||
    sentBy(one).some((parameter) => parameter.resource === resource) ||
    resourcesNamedBy(one, contract).get(resource) === true;
  if (isNamed(operation)) return true;
  const logIn = contract.operations.find(({ token }) => token !== undefined);
  const token = contract.securitySchemes.find(({ configuration }) => configuration === undefined);
  const usesToken = token !== undefined && operation.security.includes(token.name);
  return logIn !== undefined && usesToken && isNamed(logIn);
};

/** Counts the requirements about the content of an encrypted field, for the setting with its key. */
const encryptedRules = ({ rules }: Contract, { encryption }: Setting): number =>
  encryption
    ? new Set(rules.flatMap(({ within, requirement }) => (within === undefined ? [] : [requirement]))).size
    : 0;

const lockingTrials = (requirements: readonly Requirement[], { account }: Setting): number =>
  account === "disposable"
    ? requirements.filter(({ hazards }) => hazards.includes("locks-account")).length
    : 0;
