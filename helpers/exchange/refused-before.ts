/** Recognizes refusals that do not come from the service, so that nobody looks for a wrong key. */
import { type Exchange, statusOf } from "./exchange.ts";

/** Returns who refused the request, if the refusal is an HTML page: the services answer in JSON. */
export const refusedBefore = (exchange: Exchange): string | undefined => {
  const { headers, body } = exchange.response ?? {};
  const isPage =
    /^text\/html\b/i.test(headers?.["content-type"] ?? "") ||
    /^\s*<(?:!doctype html|html)\b/i.test(body?.toString("utf8", 0, 100) ?? "");
  return isPage && [401, 403].includes(statusOf(exchange))
    ? "something before the service refuses the request with an HTML page, such as a firewall or a gateway"
    : undefined;
};
