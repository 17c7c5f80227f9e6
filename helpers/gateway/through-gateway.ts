/** Sends requests as the gateway of their service demands: with fixed headers, encrypted bodies and a signature. */
import type { ClientOptions } from "../exchange/client.ts";
import type { Draft, Interceptor } from "../exchange/draft.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Gateway } from "./gateway.ts";
import { opened, sealed } from "./sealing.ts";
import { authorizationFor } from "./signature.ts";

/** The gateways of the services that have one. */
export type Gateways = Readonly<Record<string, Gateway>>;

/** Returns the options of a client that sends through the gateways. */
export const throughGateways = (
  gateways: Gateways,
): Pick<ClientOptions, "connectionTo" | "throughGateway"> => ({
  connectionTo: (service) => gateways[service]?.connection,
  throughGateway: interceptorFor(gateways),
});

/** The exchange has the plain bodies, because they are what the contract describes. */
const interceptorFor =
  (gateways: Gateways): Interceptor =>
  (next) =>
  async (draft) => {
    const gateway = gateways[draft.source.service];
    if (gateway === undefined) return next(draft);
    const ready = await prepared(draft, gateway);
    const exchange = await next(ready);
    const { body, ...request } = exchange.request;
    const plain = draft.request.body;
    return decrypted(
      { ...exchange, request: { ...request, ...(plain !== undefined && { body: plain }) } },
      gateway,
    );
  };

const prepared = async (draft: Draft, { headers, sealing, signing }: Gateway): Promise<Draft> => {
  const { source } = draft;
  const bytes =
    sealing === undefined || draft.bytes === undefined
      ? draft.bytes
      : await sealed(sealing, source.operationId, draft.bytes);
  const { method, url } = draft.request;
  const authorization =
    signing === undefined
      ? {}
      : { authorization: authorizationFor({ method, url, bytes }, signing, Date.now()) };
  const request = {
    ...draft.request,
    headers: { ...headers, ...draft.request.headers, ...authorization },
    ...(bytes !== undefined && { body: bytes.toString() }),
  };
  return { ...draft, request, bytes };
};

const decrypted = async (exchange: Exchange, { sealing }: Gateway): Promise<Exchange> => {
  const { response, operationId } = exchange;
  if (sealing === undefined || response === undefined) return exchange;
  try {
    return { ...exchange, response: await opened(sealing, operationId, response) };
  } catch (error) {
    const { response: _, ...rest } = exchange;
    const message = `the body of the response can't be decrypted: ${(error as Error).message}`;
    return { ...rest, failure: { kind: "undecipherable", message } };
  }
};
