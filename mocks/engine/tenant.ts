/** A tenant: an isolated copy of every service's state, with its own faults, under a prefix of the base URLs. */
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { type MovableClock, tenantClock } from "./clock.ts";
import type { SandboxData } from "./data/data.ts";
import { DataError } from "./data/data-error.ts";
import { type Deliveries, deliveriesOf } from "./deliveries/deliveries.ts";
import type { Destinations } from "./deliveries/destinations.ts";
import { hasOtherIds, validatorsForAnyIds } from "./deviations/any-ids.ts";
import type { Deviation, PathEffect } from "./deviations/deviation.ts";
import { type EffectsInForce, effectsOf } from "./deviations/effects.ts";
import { combined, type Habits, NO_HABITS } from "./deviations/habits.ts";
import { type LateReads, lateReads } from "./deviations/late-reads.ts";
import { asItIs, type Vary, variedBy } from "./deviations/vary.ts";
import { openInProviderWords } from "./provider-words.ts";
import { playbackOf, type Recorded } from "./recorded.ts";
import { type RequestLog, requestLog } from "./request-log.ts";
import type { OpenService, SandboxService } from "./service.ts";
import { addTestData, type TestData } from "./test-data.ts";
import { type Trouble, troublesOf } from "./trouble/troubles.ts";
import type { Validators } from "./validators.ts";
import { largeIn } from "./values/parsed-json.ts";

/** The part of a service that all tenants share. */
export interface MountedService {
  readonly service: SandboxService;
  readonly contract: Contract;
  readonly validators: Validators;
}

export interface ServiceInstance {
  readonly mounted: MountedService;
  readonly open: OpenService;
  readonly effects: EffectsInForce;
  readonly vary: Vary;
  readonly habits: Habits;
  /** Only in a sandbox whose reads are late. */
  readonly late: LateReads<OpenService> | undefined;
  /** Only in a sandbox that plays a recording. */
  readonly playback: ReturnType<typeof playbackOf> | undefined;
  /** The identifiers in the data that a double does not hold, if a document may demand them as numbers. */
  readonly large: ReadonlySet<string>;
}

export interface Tenant {
  /** Empty for the default tenant. */
  readonly name: string;
  readonly instances: ReadonlyMap<Service, ServiceInstance>;
  readonly paths: readonly PathEffect[];
  readonly clock: MovableClock;
  readonly deliveries: Deliveries;
  readonly requests: RequestLog;
  readonly troubles: ReturnType<typeof troublesOf>;
  /** The situations that exist since the start. */
  readonly testData: TestData;
  /** Whether permitted differences are switched on. */
  readonly isDifferent: boolean;
}

export const openTenant = async (
  mountedServices: readonly MountedService[],
  {
    name,
    seed,
    deviations,
    destinations,
    hasTestData,
    data,
    recorded,
    troubles,
    origin,
    isRestored = false,
  }: {
    readonly name: string;
    readonly seed: number;
    readonly deviations: readonly Deviation[];
    readonly destinations: Destinations;
    /** Whether situations exist from the start, as in the sandboxes that have no admin interface. */
    readonly hasTestData: boolean;
    readonly data: SandboxData;
    readonly recorded: Recorded | undefined;
    readonly troubles: readonly Trouble[];
    /** Whether an image follows, whose unfinished work continues. */
    readonly isRestored?: boolean;
    /** Scheme, host and port of the sandbox, known once it listens. */
    origin(): string;
  },
): Promise<Tenant> => {
  const clock = tenantClock();
  const deliveries = deliveriesOf(clock, destinations);
  const instances = await Promise.all(
    mountedServices.map(async (mounted): Promise<[Service, ServiceInstance]> => {
      const { contract, validators } = mounted;
      const baseUrl = () => `${prefixed(name, origin())}${mountOf(contract)}`;
      const own = deviations.filter(({ service }) => service === contract.service);
      const habits = habitsOf(own);
      const correct = hasOtherIds(habits) ? validatorsForAnyIds(contract) : validators;
      const effects = effectsOf(contract, correct, own);
      const differs = effects.behaves;
      const opening = {
        ...{ contract, seed, clock, deliveries, baseUrl, habits, differs },
        data: data[contract.service] ?? {},
        allows: () => true as const,
      };
      const large = new Set(contract.provider === null ? [] : largeIn(opening.data));
      const start = async (): Promise<OpenService> => {
        const started = await within(contract.service, () => openInProviderWords(mounted.service, opening));
        if (!isRestored) started.resume?.();
        return started;
      };
      const open = await start();
      const { lateness } = habits;
      const late = lateness > 0 ? lateReads(open, await start(), { clock, lateness }) : undefined;
      const vary =
        habits === NO_HABITS && large.size === 0
          ? asItIs
          : variedBy(habits, validators.flatten, mounted.service, contract, clock, large.size > 0);
      const playback = recorded && playbackOf(contract, recorded, baseUrl);
      return [contract.service, { mounted, open, effects, vary, habits, late, playback, large }];
    }),
  );
  const testData = hasTestData
    ? await addTestData(instances.map(([, { mounted, open }]) => ({ service: mounted.service, open })))
    : {};
  const paths = instances.flatMap(([, instance]) => instance.effects.paths);
  return {
    name,
    instances: new Map(instances),
    paths,
    clock,
    deliveries,
    requests: requestLog(),
    troubles: troublesOf(troubles),
    testData,
    isDifferent: deviations.some(({ violates }) => violates === null),
  };
};

/** Adds the service to the path of an error in its data. */
const within = async <Result>(service: Service, open: () => Promise<Result>): Promise<Result> => {
  try {
    return await open();
  } catch (error) {
    throw error instanceof DataError ? new DataError([service, ...error.path], error.message) : error;
  }
};

const habitsOf = (deviations: readonly Deviation[]): Habits => {
  const habits = deviations.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.kind === "habit" ? [effect.habits] : [])),
  );
  return habits.length === 0 ? NO_HABITS : combined(habits);
};

/** Returns the base path. A service whose document states none is mounted under its name. */
export const mountOf = ({ basePath, service }: Contract): string => basePath || `/${service}`;

/** Converts a path template of a contract to a route of the router. */
export const routeOf = (basePath: string, path: string): string =>
  `${basePath}${path.replace(/\{([^}]+)\}/g, (_, name: string) => `:${name}`)}`;

const prefixed = (name: string, origin: string): string => (name === "" ? origin : `${origin}/t/${name}`);

/** Returns the present state of each service, in the form of the data that a sandbox starts with. */
export const dataOf = ({ instances }: Tenant): SandboxData =>
  Object.fromEntries(
    [...instances].flatMap(([service, { open }]) =>
      open.dump === undefined ? [] : [[service, open.dump()]],
    ),
  );

/** Returns the addresses and the configuration of each service for clients of the tenant. */
export const addressesOf = (
  tenant: Tenant,
  origin: string,
): { baseUrls: Record<Service, string>; environment: Record<string, string> } => {
  const prefix = prefixed(tenant.name, origin);
  const baseUrls: Record<Service, string> = {};
  const environment: Record<string, string> = {};
  for (const [service, { mounted, open, effects }] of tenant.instances) {
    const basePath = mountOf(mounted.contract);
    const served = effects.paths.find(({ documented }) => documented === basePath)?.served ?? basePath;
    const baseUrl = `${prefix}${served}`;
    baseUrls[service] = baseUrl;
    Object.assign(environment, open.environment(baseUrl));
  }
  return { baseUrls, environment };
};

/** Maps a requested path to the documented path, when a fault serves it elsewhere. */
export const documentedPath = (paths: readonly PathEffect[], requested: string): string =>
  paths.reduce((path, { documented, served }) => {
    if (path.startsWith(documented)) return `${documented}/unserved`;
    return path.startsWith(served) ? `${documented}${path.slice(served.length)}` : path;
  }, requested);
