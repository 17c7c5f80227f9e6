/** Opens and closes the tenants of a sandbox, and keeps them in a file if the user wants that. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { SandboxData } from "./data/data.ts";
import type { Destinations } from "./deliveries/destinations.ts";
import type { Deviation } from "./deviations/deviation.ts";
import { differencesNamed, faultsNamed } from "./deviations/named.ts";
import type { Recorded } from "./recorded.ts";
import { listDeviations } from "./services.ts";
import { FORMAT, type KeptState, readState, stateFile } from "./state/state-file.ts";
import { imageOfTenant, restoreTenant, type TenantImage } from "./state/tenant-image.ts";
import { type MountedService, openTenant, type Tenant } from "./tenant.ts";
import type { Trouble } from "./trouble/troubles.ts";

/** The options of a tenant. An absent option has the value of the default tenant. */
export interface TenantWishes {
  readonly seed?: number;
  readonly faults?: readonly string[];
  /** Ids of permitted differences, names of sets of them, or `all`. */
  readonly differences?: readonly string[];
  /** Whether the tenant has the test data of a sandbox without an admin interface. */
  readonly testData?: boolean;
}

export interface TenantBook {
  /** By name. */
  readonly all: ReadonlyMap<string, Tenant>;
  /** Opens the default tenant, or the tenants of the file. */
  openFirst(): Promise<void>;
  /** @throws UnknownDeviationError when a fault or a difference is unknown */
  open(name: string, wishes: TenantWishes): Promise<Tenant>;
  /** Opens the tenant again with the same options, in its first state or as the image shows it. */
  reopen(name: string, image?: TenantImage): Promise<Tenant>;
  /** Removes the tenant. @returns whether there was one */
  close(name: string): boolean;
  readonly file: ReturnType<typeof stateFile> | undefined;
}

export const tenantBook = (
  mountedServices: readonly MountedService[],
  options: {
    readonly contracts: readonly Contract[];
    readonly services: readonly string[];
    /** The options of the default tenant. */
    readonly standard: Required<TenantWishes>;
    readonly data: SandboxData;
    readonly recorded: Recorded | undefined;
    readonly troubles: readonly Trouble[];
    readonly destinations: Destinations;
    readonly stateFile: string | undefined;
    origin(): string;
  },
): TenantBook => {
  const { services, standard, stateFile: path, destinations, troubles, origin } = options;
  const kept = path === undefined ? undefined : readState(path, services);
  const data = kept?.data ?? options.data;
  const all = new Map<string, Tenant>();
  const wishesOf = new Map<string, TenantWishes>();
  const choose = chooserOf(options.contracts);
  const close = (name: string): boolean => {
    all.get(name)?.clock.stop();
    wishesOf.delete(name);
    return all.delete(name);
  };
  const open = async (name: string, wishes: TenantWishes, image?: TenantImage): Promise<Tenant> => {
    const { seed, faults, differences, testData } = { ...standard, ...wishes };
    const tenant = await openTenant(mountedServices, {
      name,
      seed,
      deviations: await choose(faults, differences),
      destinations,
      hasTestData: testData,
      data,
      recorded: options.recorded,
      troubles,
      origin,
      isRestored: image !== undefined,
    });
    if (image !== undefined) await restoreTenant(tenant, image);
    close(name);
    all.set(name, tenant);
    wishesOf.set(name, wishes);
    return tenant;
  };
  const present = (): KeptState => ({
    format: FORMAT,
    services,
    data,
    tenants: [...all].map(([name, tenant]) => ({
      name,
      wishes: wishesOf.get(name) ?? {},
      ...imageOfTenant(tenant),
    })),
  });
  return {
    all,
    openFirst: async () => {
      if (kept === undefined) await open("", {});
      await Promise.all((kept?.tenants ?? []).map((one) => open(one.name, one.wishes, one)));
    },
    open,
    reopen: (name, image) => open(name, wishesOf.get(name) ?? {}, image),
    close,
    file: path === undefined ? undefined : stateFile(path, present),
  };
};

/** Lists the deviations of the contracts when somebody first asks for one. */
const chooserOf = (contracts: readonly Contract[]) => {
  let listed: Promise<readonly Deviation[]> | undefined;
  return async (faults: readonly string[], differences: readonly string[]): Promise<Deviation[]> => {
    if (faults.length + differences.length === 0) return [];
    listed ??= listDeviations(contracts);
    const all = await listed;
    return [...faultsNamed(all, faults), ...differencesNamed(all, differences)];
  };
};
