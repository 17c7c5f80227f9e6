/** The least that the tests of the sandbox of financial data need to call it. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { request } from "undici";
import type { Contract, JsonSchema, Service } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
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
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** The path of the operation with the values put in; ids that are not given name nothing. */
  operate(
    operationId: string,
    path?: Record<string, string>,
    body?: unknown,
    query?: string,
  ): Promise<Answered>;
}

const SERVICE: Service = "financial-data";

export const contractOf = (): Promise<Contract> => loadContract(SERVICE);

export const startFinancialData = async (
  contract: Contract,
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> =>
  startSandbox({ services: [SERVICE], port: 0, seed: 7, faults: [], contracts: [contract], ...options });

/** Signs in as the partner of the environment. */
export const clientOf = async (contract: Contract, environment: Environment): Promise<Client> => {
  const base = environment.FINANCIAL_DATA_BASE_URL ?? "";
  const key = { "partner-app-key": environment.FINANCIAL_DATA_APP_KEY ?? "" };
  const signedIn = await send("POST", `${base}/aggregation/v2/partners/authentication`, key, {
    partnerId: environment.FINANCIAL_DATA_PARTNER_ID,
    partnerSecret: environment.FINANCIAL_DATA_PARTNER_SECRET,
  });
  const token = String(signedIn.json.token);
  const credentials = { ...key, "partner-app-token": token };
  const call: Client["call"] = (method, path, body, headers) =>
    send(method, `${base}${path}`, { ...credentials, ...headers }, body);
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

/** @returns what a body violates of the schema that the contract gives the status, or nothing */
export const problemsOf = (contract: Contract): ((operationId: string, answered: Answered) => unknown) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  ajv.addSchema({ components: { schemas: contract.schemas } }, "https://contract.example.com/");
  return (operationId, { status, text, json }) => {
    const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
    const response = operation?.responses[status];
    if (response === undefined) return `${operationId} does not document ${status}: ${text.slice(0, 200)}`;
    const schema = response.content["application/json"];
    if (schema === undefined) return text === "" ? undefined : `a body: ${text.slice(0, 200)}`;
    const validate = ajv.compile(anchored(schema) as JsonSchema);
    return validate(json) ? undefined : validate.errors;
  };
};

const anchored = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(anchored);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "$ref" && String(value).startsWith("#/")
        ? `https://contract.example.com/${value}`
        : anchored(value),
    ]),
  );
};
