/** Renders a recorded exchange as text, in the layout of an HTTP message (RFC 9112). */
import type { RecordedExchange } from "./exchange.ts";

export const httpText = ({ request, response, failure }: RecordedExchange): string =>
  [
    message(`${request.method} ${request.url}`, request.headers, request.body),
    response === undefined
      ? (failure ?? "no response")
      : message(`HTTP ${response.status}`, response.headers, response.body),
  ].join("\n\n");

const message = (start: string, headers: Readonly<Record<string, string>>, body = ""): string => {
  const head = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n");
  return body === "" ? head : `${head}\n\n${body}`;
};
