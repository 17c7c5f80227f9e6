/** A minimal client for the tests of the financial data sandbox. */
import { request } from "undici";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../../mocks/engine/server.ts";

export type Environment = Readonly<Record<string, string>>;

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Client {
  readonly environment: Environment;
  readonly token: string;
  /** Calls the operation with these path values; an omitted id names no resource. */
  operate(
    operationId: string,
    path?: Record<string, string>,
    body?: unknown,
    query?: string,
  ): Promise<Answered>;
}

export const startFinancialData = async (
  contract: Contract,
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> => startSandbox({ seed: 7, contracts: [contract], ...options });

/** Signs in as the partner of the environment and returns the client. */
export const clientOf = async (contract: Contract, environment: Environment): Promise<Client> => {
  const { json } = await credentialled(contract, environment, "none").operate(
    "CreateToken",
    {},
    {
      partnerId: environment.FINANCIAL_DATA_PARTNER_ID,
      partnerSecret: environment.FINANCIAL_DATA_PARTNER_SECRET,
    },
  );
  return credentialled(contract, environment, String(json.token));
};

/** Sends the app key and the token in the headers that the contract names. */
const credentialled = (contract: Contract, environment: Environment, token: string): Client => {
  const credentials = Object.fromEntries(
    contract.securitySchemes.map(({ header }) => [
      header.toLowerCase(),
      /token/i.test(header) ? token : (environment.FINANCIAL_DATA_APP_KEY ?? ""),
    ]),
  );
  return {
    environment,
    token,
    operate: (operationId, path = {}, body, query = "") => {
      const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
      if (operation === undefined) throw new Error(`No operation ${operationId}`);
      const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => path[name] ?? "7");
      return send(
        operation.method,
        `${environment.FINANCIAL_DATA_BASE_URL}${filled}${query}`,
        credentials,
        body,
      );
    },
  };
};

export const send = async (
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answered> => {
  const content = typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body);
  const response = await request(url, {
    method: method as "GET",
    headers: { ...(content !== undefined && { "content-type": "application/json" }), ...headers },
    ...(content !== undefined && { body: content }),
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text, json: parsed(text) };
};

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

export const admin = (sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Answered> =>
  send(method, `http://127.0.0.1:${sandbox.port}/__sandbox${path}`, {}, body);
