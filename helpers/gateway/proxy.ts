/** Chooses the proxy for an address, as other tools do: by HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
import { ConfigurationError } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";

/**
 * @param own the proxy of the service itself @param ownName its setting
 * @returns `undefined` if the address is called directly. @throws ConfigurationError
 */
export const proxyFor = (
  url: string,
  own: string | undefined,
  ownName: string,
  values: Target["values"],
): string | undefined => {
  const { protocol, hostname, port } = new URL(url);
  const shared = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = own ?? values[shared];
  if (proxy === undefined || isExempt(hostname, port || DEFAULT_PORTS[protocol] || "", values.NO_PROXY))
    return undefined;
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new ConfigurationError(
      `${own === undefined ? shared : ownName}: write the address of a proxy, as in http://proxy.example.com:3128.`,
    );
  }
  return proxy;
};

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Whether a host is in the list: `*`, a host, a domain with all hosts below, each with a port or without. */
const isExempt = (hostname: string, port: string, list = ""): boolean =>
  list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      if (only !== undefined && only !== port) return false;
      const domain = name.replace(/^\*?\.?/, "");
      return name === "*" || hostname === domain || hostname.endsWith(`.${domain}`);
    });
