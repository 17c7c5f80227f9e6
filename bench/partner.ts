/** A signed-in partner of a financial data sandbox; the benchmarks send their calls through it. */
import { request } from "undici";
import type { StandingSandbox } from "./recording.ts";
import type { Recorded } from "./tools.ts";

export interface Partner {
  readonly origin: string;
  /** A customer with linked accounts. */
  readonly customer: string;
  get(path: string): Recorded;
  post(path: string, body: unknown): Recorded;
  /** Sends one request and returns the JSON of its response. */
  ask(recorded: Recorded): Promise<unknown>;
}

export const partnerOf = async ({ origin, environment }: StandingSandbox): Promise<Partner> => {
  const base = new URL(environment.FINANCIAL_DATA_BASE_URL ?? "").pathname;
  const key = {
    "partner-app-key": environment.FINANCIAL_DATA_APP_KEY ?? "",
    "content-type": "application/json",
  };
  let headers: Record<string, string> = key;
  const get = (path: string): Recorded => {
    const { "content-type": _, ...own } = headers;
    return { method: "GET", path: path.startsWith("/__") ? path : `${base}${path}`, headers: own };
  };
  const post = (path: string, body: unknown): Recorded => ({
    method: "POST",
    path: path.startsWith("/__") ? path : `${base}${path}`,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  });
  const ask = async (recorded: Recorded): Promise<unknown> => {
    const { path, ...options } = recorded;
    const { statusCode, body } = await request(`${origin}${path}`, options);
    const text = await body.text();
    if (statusCode >= 300)
      throw new Error(`${recorded.method} ${recorded.path} answered ${statusCode}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const credentials = {
    partnerId: environment.FINANCIAL_DATA_PARTNER_ID,
    partnerSecret: environment.FINANCIAL_DATA_PARTNER_SECRET,
  };
  const { token } = (await ask(post("/aggregation/v2/partners/authentication", credentials))) as {
    token: string;
  };
  headers = { ...key, "partner-app-token": token };
  const customer = environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  return {
    origin,
    customer,
    get,
    post,
    ask,
  };
};
