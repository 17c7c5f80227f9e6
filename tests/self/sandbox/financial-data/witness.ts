/** Calls operations of financial data, holds each body against its contract, and remembers which statuses it saw. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import type { Contract, Operation } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { createValidator } from "../../../../helpers/contract/schema-validator.ts";
import type { Sandbox } from "../../../../mocks/engine/server.ts";
import { type Answered, admin, type Client, type Environment, send } from "./client.ts";

const PROVIDER = fileURLToPath(
  new URL("../../../../../shared/provider/financial-data-1.30.0.yaml", import.meta.url),
);

/** Contracts by name: the built-in one, and the provider's document in its place where it is present. */
export const CONTRACTS: Readonly<Record<string, (() => Promise<Contract>) | undefined>> = {
  "the built-in contract": () => loadContract("financial-data"),
  "the provider's document": existsSync(PROVIDER)
    ? () => loadContract("financial-data", { providerFile: PROVIDER })
    : undefined,
};

export const ABSENT = "The provider's document is not there.";

export interface Tenant {
  readonly name: string;
  readonly environment: Environment;
  readonly client: Client;
  readonly witness: Witness;
  advance(seconds: number): Promise<void>;
  resolve(resolution: string): Promise<void>;
  /** @returns the configuration under which the situation holds */
  arrange(situation: string, parameters?: Record<string, unknown>): Promise<Record<string, string>>;
  link(customerId: string, more?: Record<string, unknown>): Promise<Linked>;
  /** Deliveries that the sandbox logged, of one kind. */
  logged(kind: string): Promise<{ readonly body: unknown; readonly status: string; readonly url: string }[]>;
}

export interface Linked {
  readonly institutionLoginId: string;
  readonly institutionId: string;
  readonly accounts: readonly { readonly id: string; readonly type: string }[];
}

export const openTenant = async (
  contract: Contract,
  sandbox: Sandbox,
  faults: readonly string[] = [],
): Promise<Tenant> => {
  const opened = await administer(sandbox, "/tenants", { seed: 7, faults });
  const { tenant: name, environment } = opened as { tenant: string; environment: Environment };
  const act = (path: string, body: object) => administer(sandbox, path, { tenant: name, ...body });
  const client = await signedIn(contract, environment);
  return {
    name,
    environment,
    client,
    witness: witnessOf(contract, client),
    advance: async (seconds) => void (await act("/clock", { advance: seconds })),
    resolve: async (resolution) => void (await act("/resolutions", { resolve: resolution })),
    arrange: async (situation, parameters = {}) =>
      (await act("/situations", { situation, parameters })).environment as Record<string, string>,
    link: async (customerId, more = {}) => (await act("/link", { customerId, ...more })) as unknown as Linked,
    logged: async (kind) => {
      const { json } = await admin(sandbox, "GET", `/deliveries?tenant=${name}`);
      const all = json.deliveries as { kind: string; body: unknown; status: string; url: string }[];
      return all.filter((delivery) => delivery.kind === kind);
    },
  };
};

const administer = async (sandbox: Sandbox, path: string, body: object): Promise<Answered["json"]> => {
  const { status, json, text } = await admin(sandbox, "POST", path, body);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return json;
};

/** Signs in as the partner of the environment, with the headers that the contract names. */
export const signedIn = async (contract: Contract, environment: Environment): Promise<Client> => {
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

const credentialled = (contract: Contract, environment: Environment, token: string): Client => {
  const credentials = Object.fromEntries(
    contract.securitySchemes.map(({ header }) => [
      header.toLowerCase(),
      /token/i.test(header) ? token : (environment.FINANCIAL_DATA_APP_KEY ?? ""),
    ]),
  );
  const call: Client["call"] = (method, path, body, headers) =>
    send(method, `${environment.FINANCIAL_DATA_BASE_URL}${path}`, { ...credentials, ...headers }, body);
  return {
    environment,
    token,
    call,
    operate: (operationId, path = {}, body, query = "") => {
      const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
      if (operation === undefined) throw new Error(`No operation ${operationId}`);
      const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => path[name] ?? "7");
      return call(operation.method, `${filled}${query}`, body);
    },
  };
};

export interface Witness {
  /** Calls, and expects the status with a body that fits the contract. */
  see(
    operationId: string,
    status: number,
    path?: Record<string, string>,
    body?: unknown,
    query?: string,
  ): Promise<Answered>;
  /** Calls each of the operations with a token that nobody was given. */
  seeUnauthorized(operationIds: readonly string[]): Promise<void>;
  /** Statuses that the contract documents for the operations and that were never seen. */
  missing(operationIds: readonly string[]): string[];
}

export const witnessOf = (contract: Contract, client: Client): Witness => {
  const { validate } = createValidator(contract);
  const seen = new Set<string>();
  const operationOf = (operationId: string): Operation => {
    const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`No operation ${operationId}`);
    return operation;
  };
  const hold = (operationId: string, status: number, answered: Answered): Answered => {
    expect([operationId, answered.status, answered.text]).toEqual([operationId, status, expect.any(String)]);
    const { responses } = operationOf(operationId);
    const schema = responses[status]?.content["application/json"];
    if (schema !== undefined)
      expect([operationId, validate(schema, answered.json)]).toEqual([operationId, []]);
    else if (status < 300) expect([operationId, answered.text]).toEqual([operationId, ""]);
    seen.add(`${operationId} ${status}`);
    return answered;
  };
  return {
    see: async (operationId, status, path = {}, body = undefined, query = "") =>
      hold(operationId, status, await client.operate(operationId, path, body, query)),
    seeUnauthorized: async (operationIds) => {
      const stranger = credentialled(contract, client.environment, "none");
      for (const operationId of operationIds) hold(operationId, 401, await stranger.operate(operationId));
    },
    missing: (operationIds) =>
      operationIds.flatMap((operationId) =>
        Object.keys(operationOf(operationId).responses)
          .map((status) => `${operationId} ${status}`)
          .filter((pair) => !seen.has(pair)),
      ),
  };
};
