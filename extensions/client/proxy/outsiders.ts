/** Decides whose requests the proxy forwards: a page of any origin can send some, also under a name that leads to loopback. */
import type { IncomingMessage } from "node:http";
import type { Gateways } from "../../../helpers/gateway/through-gateway.ts";
import { hostIn, isOwnOrigin } from "../../../mocks/engine/admin/outsiders.ts";

/** @param own addresses whose hosts are served besides loopback @returns what tells why a request is not forwarded */
export const outsidersOf = (own: readonly string[], gateways: Gateways) => {
  const names = own.map(hostIn);
  return ({ headers: { origin } }: IncomingMessage, asked: string, service = ""): string | undefined => {
    if (!isOwnOrigin(asked, names)) return `The proxy does not serve ${asked}: --host allows another name.`;
    const { cert, pfx } = gateways[service]?.connection?.tls ?? {};
    return (cert ?? pfx) === undefined || origin === undefined || isOwnOrigin(origin, names)
      ? undefined
      : `The proxy has a client certificate, so it serves no pages of the origin "${origin}".`;
  };
};
