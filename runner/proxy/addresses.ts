/** Maps the addresses of the target to addresses of the proxy, and back. */
import type { Service } from "../../helpers/contract/contract.ts";
import { keptIn } from "../../helpers/contract/once.ts";
import type { Target } from "../../helpers/target/target.ts";
import { createRewriting, type Replacement, type Rewriting } from "./rewriting.ts";

export interface Mount {
  readonly service: Service;
  /** The path prefix at the proxy: `/parcel-pickup`. */
  readonly prefix: string;
  /** Scheme, host and port of the target. */
  readonly origin: string;
}

export interface Addresses {
  readonly mounts: readonly Mount[];
  /** Returns the base URLs for clients. */
  baseUrls(): Readonly<Record<Service, string>>;
  /** Finds the service of a requested path, and the path at the target. */
  route(path: string): { readonly mount: Mount; readonly path: string } | undefined;
  /** Replaces addresses of the target by addresses of the proxy. */
  outward(mount: Mount): Rewriting;
  /** Replaces addresses of the proxy by addresses of the target. */
  inward(): Rewriting;
}

/** @param origin scheme, host and port of the proxy, known once it listens */
export const addressesOf = ({ baseUrls }: Target, origin: () => string): Addresses => {
  const mounts = Object.entries(baseUrls).map(([service, url = ""]) => ({
    service,
    prefix: `/${service}`,
    origin: new URL(url).origin,
  }));
  const outward = new Map<Service, Rewriting>();
  let inward: Rewriting | undefined;
  return {
    mounts,
    baseUrls: () =>
      Object.fromEntries(
        mounts.map(({ service, prefix }) => [
          service,
          `${origin()}${prefix}${new URL(baseUrls[service] ?? "").pathname.replace(/\/+$/, "")}`,
        ]),
      ),
    route(path) {
      const mount = mounts.find(
        ({ prefix }) => path.startsWith(prefix) && /^[/?]?$/.test(path.charAt(prefix.length)),
      );
      if (mount === undefined) return undefined;
      const rest = path.slice(mount.prefix.length);
      return { mount, path: rest.startsWith("/") ? rest : `/${rest}` };
    },
    outward: (mount) =>
      keptIn(outward, mount.service, () =>
        // Services with one origin share it; the one that answers comes first.
        createRewriting(
          [mount, ...mounts].map((one): Replacement => [one.origin, `${origin()}${one.prefix}`]),
        ),
      ),
    inward() {
      inward ??= createRewriting(mounts.map((one) => [`${origin()}${one.prefix}`, one.origin]));
      return inward;
    },
  };
};
