/** Puts a gateway before the services of a sandbox, and adds its settings to theirs. */
import type { FastifyInstance } from "fastify";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { settingPrefix } from "../../../helpers/contract/services.ts";
import { mountOf } from "../tenant.ts";
import { type Demand, type GatewaySettings, openGateway } from "./gateway.ts";

type Environment = Readonly<Record<string, string>>;

/** Configuration values by environment name. */
export interface GatewayEnvironment {
  readonly environment: Environment;
  /** Values that the gateway refuses; absent without a gateway. */
  readonly refused?: Readonly<Record<"wrong" | "expired", Environment>>;
}

export const sandboxGateway = (demands: readonly Demand[], contracts: readonly Contract[]) => {
  if (demands.length === 0) return undefined;
  const gateway = openGateway(demands);
  let behind: Environment = {};
  const authorizationAt = (path: string): string | undefined => {
    const contract = contracts.find((one) => path.startsWith(mountOf(one)));
    const scheme = contract?.securitySchemes.find(({ header }) => header.toLowerCase() === "authorization");
    return scheme?.configuration === undefined ? undefined : behind[scheme.configuration];
  };
  const named = (settings: GatewaySettings): Environment =>
    Object.fromEntries(
      contracts.flatMap(({ service }) =>
        Object.entries(settings).map(([key, value]) => [`${settingPrefix(service)}${key}`, value]),
      ),
    );
  return {
    /** The options of an HTTPS server, if the gateway needs one. */
    ...(gateway.https && { https: gateway.https }),
    guard: (app: FastifyInstance, origin: () => string): void =>
      gateway.guard(app, { origin, authorizationAt }),
    /** Takes the environment of the services, and returns the environment of the clients of the gateway. */
    before(environment: Environment): GatewayEnvironment {
      behind = environment;
      // A signature takes the header in which these values would be sent.
      const kept = Object.entries(environment).filter(
        ([name]) => !demands.some((one) => one.startsWith("signature")) || !name.endsWith("AUTHORIZATION"),
      );
      return {
        environment: { ...Object.fromEntries(kept), ...named(gateway.settings) },
        refused: { wrong: named(gateway.refused.wrong), expired: named(gateway.refused.expired) },
      };
    },
    close: gateway.close,
  };
};
