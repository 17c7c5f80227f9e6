/** A tenant of the financial data sandbox: its client, its admin calls and its contract. */
import { expect } from "@playwright/test";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import type { Sandbox } from "../../../../mocks/engine/server.ts";
import { type Answered, admin, type Client, clientOf, type Environment } from "./client.ts";

/** A sandbox and the contract that it serves. */
export interface Served {
  readonly contract: Contract;
  readonly sandbox: Sandbox;
}

export interface Tenant {
  readonly contract: Contract;
  readonly environment: Environment;
  readonly client: Client;
  /** Arranges a situation. @returns the configuration that selects it */
  arrange(situation: string, parameters?: Record<string, unknown>): Promise<Record<string, string>>;
  /** Returns the logged deliveries of one kind. */
  logged(kind: string): Promise<Logged[]>;
  close(): Promise<void>;
}

export interface Logged {
  readonly kind: string;
  readonly url: string;
  readonly status: string;
  readonly body: unknown;
}

export const createTenant = async ({ contract, sandbox }: Served, seed = 7): Promise<Tenant> => {
  const opened = await administer(sandbox, "/tenants", { seed });
  const { tenant: name, environment } = opened as { tenant: string; environment: Environment };
  const act = (path: string, body: object) => administer(sandbox, path, { tenant: name, ...body });
  const client = await clientOf(contract, environment);
  return {
    contract,
    environment,
    client,
    arrange: async (situation, parameters = {}) =>
      (await act("/situations", { situation, parameters })).environment as Record<string, string>,
    logged: async (kind) => {
      const { json } = await admin(sandbox, "GET", `/deliveries?tenant=${name}`);
      return (json.deliveries as Logged[]).filter((delivery) => delivery.kind === kind);
    },
    close: async () => void (await admin(sandbox, "DELETE", `/tenants/${name}`)),
  };
};

const administer = async (sandbox: Sandbox, path: string, body: object): Promise<Answered["json"]> => {
  const { status, json, text } = await admin(sandbox, "POST", path, body);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return json;
};
