/** Maps the addresses of the target to addresses of the proxy, and back. */
import type { Service } from "../../helpers/contract/contract.ts";
import type { Target } from "../../helpers/target/target.ts";

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
  outward(text: string, mount: Mount): string;
  /** Replaces addresses of the proxy by addresses of the target. */
  inward(text: string): string;
}

/** @param origin scheme, host and port of the proxy, known once it listens */
export const addressesOf = ({ baseUrls }: Target, origin: () => string): Addresses => {
  const mounts = Object.entries(baseUrls).map(([service, url = ""]) => ({
    service,
    prefix: `/${service}`,
    origin: new URL(url).origin,
  }));
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
    outward(text, mount) {
      const others = mounts.filter((one) => one.origin !== mount.origin);
      return [mount, ...others].reduce(
        (done, one) => replaced(done, one.origin, `${origin()}${one.prefix}`),
        text,
      );
    },
    inward: (text) =>
      mounts.reduce((done, one) => replaced(done, `${origin()}${one.prefix}`, one.origin), text),
  };
};

/** Replaces an address in plain text, in JSON with escaped slashes, and in URL-encoded text. */
const replaced = (text: string, from: string, to: string): string => {
  if (!text.includes(from.slice(from.indexOf("//") + 2).split("/")[0] ?? from)) return text;
  return NOTATIONS.reduce((done, notation) => done.replaceAll(notation(from), notation(to)), text);
};

const NOTATIONS: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.replaceAll("/", "\\/"),
  (url) => encodeURIComponent(url),
];
