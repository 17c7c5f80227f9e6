/** Reads responses of Playwright and of `fetch` as exchanges. */
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { jsonOf } from "../helpers/exchange/json-of.ts";
import type { FetchResponse, JudgedResponse } from "./judging.ts";

export interface JudgedAnswer {
  readonly url: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** @throws Error when the body of a response of `fetch` has been read, because it can be read once only */
export const answerOf = async (response: JudgedResponse): Promise<JudgedAnswer> => {
  if (isOfFetch(response)) {
    if (response.bodyUsed) {
      throw new Error(
        `The body of ${response.url} has been read: give contract.expect the response first, or a clone.`,
      );
    }
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      headers[name.toLowerCase()] = value;
    });
    const body = Buffer.from(await response.clone().arrayBuffer());
    return { url: response.url, status: response.status, headers, body };
  }
  const headers = Object.entries(response.headers()).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    url: response.url(),
    status: response.status(),
    headers: Object.fromEntries(headers),
    body: await response.body(),
  };
};

const isOfFetch = (response: JudgedResponse): response is FetchResponse =>
  typeof response.status === "number";

export const exchangeOf = ({ url, status, headers, body }: JudgedAnswer, method: string): Exchange => ({
  ...{ id: "response", service: "", operationId: "", requestJson: undefined },
  request: { method, url, headers: {} },
  response: { status, headers, body, ...jsonOf(body) },
  startedAt: new Date(),
  durationMs: 0,
});
