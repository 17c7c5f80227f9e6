/**
 * Decides whose requests the proxy forwards. A browser sends requests of any page to every address, and a name can change
 * to a loopback address: without this, pages would call the target with the certificate that the proxy has.
 */
import type { IncomingMessage } from "node:http";
import type { Service } from "../../helpers/contract/contract.ts";
import type { Gateways } from "../../helpers/gateway/through-gateway.ts";
import { isOwnOrigin } from "../../mocks/engine/admin/outsiders.ts";

/**
 * Returns a function that tells why a request for an address is not forwarded; `undefined` if it may be.
 * @param own addresses whose hosts the proxy serves, besides loopback
 */
export const outsidersOf = (own: readonly string[], gateways: Gateways) => {
  const names = own.map((address) => new URL(address).hostname.replace(/^\[|\]$/g, ""));
  return (
    { headers: { origin } }: IncomingMessage,
    asked: string,
    service: Service | undefined,
  ): string | undefined => {
    if (!isOwnOrigin(asked, names)) return `The proxy does not serve ${asked}: --host allows another name.`;
    const { cert, pfx } = gateways[service ?? ""]?.connection?.tls ?? {};
    const isLent = cert !== undefined || pfx !== undefined;
    return !isLent || origin === undefined || isOwnOrigin(origin, names)
      ? undefined
      : `The proxy has a client certificate, so it serves no pages of the origin "${origin}".`;
  };
};
