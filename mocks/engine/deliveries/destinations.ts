/** The addresses to which the sandbox may send: this machine, allowed hosts, and hosts mapped to an address. */
import { isIP } from "node:net";

export interface Destinations {
  /** Names of hosts other than this machine that the sandbox may reach. */
  readonly allowed: readonly string[];
  readonly resolutions: readonly Resolution[];
}

/** Redirects requests for one host and port to another address, like curl's `--resolve`. */
export interface Resolution {
  readonly host: string;
  readonly port: number;
  readonly address: string;
  readonly addressPort: number;
}

export const NO_DESTINATIONS: Destinations = { allowed: [], resolutions: [] };

/**
 * @param text `HOST:PORT=ADDRESS[:PORT]`, or `HOST:PORT:ADDRESS[:PORT]` as curl writes it
 * @returns `undefined` when the text has neither form
 */
export const resolutionOf = (text: string): Resolution | undefined => {
  const [, host, port, bracketed, plain, addressPort] =
    /^([^:=\s]+):(\d+)[:=](?:\[([^\]]+)\]|([^:=\s]+))(?::(\d+))?$/.exec(text) ?? [];
  const address = bracketed ?? plain;
  if (host === undefined || port === undefined || address === undefined || isIP(address) === 0)
    return undefined;
  const from = Number(port);
  const to = addressPort === undefined ? from : Number(addressPort);
  if (!isPort(from) || !isPort(to)) return undefined;
  return { host: host.toLowerCase(), port: from, address, addressPort: to };
};

const isPort = (port: number): boolean => port > 0 && port <= 65_535;

export interface Route {
  readonly address: string;
  readonly port: number;
  /** Whether the host was mapped. A mapped host cannot be expected to have a valid certificate. */
  readonly resolved: boolean;
}

/** Returns the address to connect to, or the reason why the sandbox may not send there. */
export const routeTo = (
  url: URL,
  { allowed, resolutions }: Destinations,
): Route | { readonly refused: string } => {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const resolution = resolutions.find((candidate) => candidate.host === host && candidate.port === port);
  const address = resolution?.address ?? host;
  if (!isLoopback(address) && !allowed.includes(host)) {
    return {
      refused: `The sandbox sends only to this machine. Start it with --allow-host ${host} to reach that host.`,
    };
  }
  return resolution === undefined
    ? { address: host, port, resolved: false }
    : { address, port: resolution.addressPort, resolved: true };
};

/** @param host a name or an address; an IPv4 address may have the form of an IPv6 address */
export const isLoopback = (host: string): boolean => {
  const address = host.replace(/^::ffff:/, "");
  return address === "localhost" || address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
};
