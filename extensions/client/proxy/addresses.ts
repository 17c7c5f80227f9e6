/** Maps the addresses of the target to addresses of the proxy, and back. */
import type { Service } from "../../../helpers/contract/contract.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import type { Target } from "../../../helpers/target/target.ts";
import { createRewriting, type Rewriting } from "./rewriting.ts";

export interface Mount {
  readonly service: Service;
  /** The path prefix at the proxy: `/parcel-pickup`; empty if the base URL itself tells the service. */
  readonly prefix: string;
  /** Scheme, host and port of the target. */
  readonly origin: string;
  /** The path of the target's base URL, without a slash at its end. */
  readonly base: string;
}

export interface Route {
  readonly mount: Mount;
  readonly path: string;
}

export type Addresses = ReturnType<typeof addressesOf>;

/** @param origin scheme, host and port of the proxy, known once it listens */
export const addressesOf = ({ baseUrls }: Target, origin: () => string) => {
  const bases = Object.entries(baseUrls).map(([service, url = ""]) => ({
    service,
    origin: new URL(url).origin,
    base: new URL(url).pathname.replace(/\/+$/, ""),
  }));
  const isOwn = (base: string, service: Service): boolean =>
    base !== "" && bases.every((other) => other.service === service || !areNested(base, other.base));
  const mounts: readonly Mount[] = bases.map((one) => ({
    ...one,
    prefix: isOwn(one.base, one.service) ? "" : `/${one.service}`,
  }));
  const atTarget = ({ origin: target, base }: Mount): string => `${target}${base}`;
  const atProxy = ({ prefix, base }: Mount): string => `${origin()}${prefix}${base}`;
  const outward = new Map<Service, Rewriting>();
  let inward: Rewriting | undefined;
  return {
    mounts,
    /** The origins of the target. */
    origins: [...new Set(mounts.map((mount) => mount.origin))],
    /** Returns the base URLs for clients. */
    baseUrls: (): Readonly<Record<Service, string>> =>
      Object.fromEntries(mounts.map((mount) => [mount.service, atProxy(mount)])),
    /** Finds the service of a requested path, and the path at the target, which is below its base URL. */
    route(path: string): Route | undefined {
      const mount = mounts.find(({ prefix, base }) => isAt(path, prefix === "" ? base : prefix));
      if (mount === undefined) return undefined;
      const rest = path.slice(mount.prefix.length);
      const asked = rest.startsWith("/") ? rest : `/${rest}`;
      return isBelow(asked, mount) ? { mount, path: asked } : undefined;
    },
    /**
     * Finds the way of a request of a client that uses the addresses of the target.
     * @param service the service whose base URL is above the requested one, if any
     */
    direct(asked: string, path: string, service: Service | undefined): Route | undefined {
      const own = mounts.filter((mount) => mount.origin === asked);
      const mount = own.find((one) => one.service === service) ?? own[0];
      return mount && { mount, path };
    },
    /** Replaces addresses of the target by addresses of the proxy. */
    outward: (mount: Mount) =>
      getOrInsert(outward, mount.service, () =>
        // Services may share a base URL; the one that answers comes first.
        createRewriting([mount, ...mounts].map((one) => [atTarget(one), atProxy(one)] as const)),
      ),
    /** Replaces addresses of the proxy by addresses of the target. */
    inward(): Rewriting {
      inward ??= createRewriting(mounts.map((one) => [atProxy(one), atTarget(one)]));
      return inward;
    },
  };
};

/** Whether a requested path is a prefix, or continues it. */
const isAt = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && /^[/?]?$/.test(path.charAt(prefix.length));

/** Whether requests below one of two base paths may be below the other one. */
const areNested = (one: string, other: string): boolean => isAt(one, other) || isAt(other, one);

/** Whether a path is below the base URL, also for a server that decodes its slashes and dots before it resolves them. */
const isBelow = (path: string, { origin, base }: Mount): boolean =>
  [path, path.replaceAll(/%2f|%5c/gi, "/")].every((asked) => {
    if (!URL.canParse(`${origin}${asked}`)) return false;
    const { pathname } = new URL(`${origin}${asked}`);
    return pathname === base || pathname.startsWith(`${base}/`);
  });
