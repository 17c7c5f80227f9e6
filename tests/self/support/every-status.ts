/** Brings about every documented status of operations that name what exists in their path. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { type Answered, type Client, type Environment, type problemsOf, send } from "../financial-data-client.ts";

/** What a valid call of an operation holds besides the ids in its path. */
export interface Valid {
  readonly path?: Record<string, string>;
  readonly body?: unknown;
  readonly query?: string;
}

export interface Tried {
  readonly contract: Contract;
  readonly client: Client;
  readonly problems: ReturnType<typeof problemsOf>;
  readonly ids: Record<string, string>;
  readonly valid: Readonly<Record<string, Valid>>;
  /** Calls by `operationId status` for what neither a valid call, a wrong id nor a lacking token brings about. */
  readonly others: Readonly<Record<string, () => Promise<Answered>>>;
}

/** @returns a line for every documented status that did not come, or came with a body that does not fit */
export const statusesAmiss = async (tried: Tried, operationIds: readonly string[]): Promise<string[]> => {
  const amiss: string[] = [];
  for (const operationId of operationIds) {
    const operation = tried.contract.operations.find((one) => one.operationId === operationId);
    if (operation === undefined) amiss.push(`${operationId} is no operation`);
    for (const status of Object.keys(operation?.responses ?? {}).map(Number).sort((a, b) => b - a)) {
      const answered = await bringAbout(tried, operation as Operation, status);
      const isFile = String(answered.headers["content-type"]).match(/pdf|octet-stream|image/) !== null;
      const problem = isFile ? undefined : tried.problems(operationId, answered);
      if (answered.status !== status || problem !== undefined) {
        amiss.push(`${operationId} ${status}: ${answered.status} ${JSON.stringify(problem)} ${answered.text.slice(0, 200)}`);
      }
    }
  }
  return amiss;
};

const bringAbout = (tried: Tried, operation: Operation, status: number): Promise<Answered> => {
  const { client, ids, valid, others } = tried;
  const { operationId, method, path } = operation;
  const other = others[`${operationId} ${status}`];
  if (other !== undefined) return other();
  const { path: own = {}, body, query = "" } = valid[operationId] ?? {};
  if (status === 400) return client.operate(operationId, { ...ids, ...own, customerId: "%20" }, body, query);
  if (status === 404) return client.operate(operationId, { ...ids, ...own, customerId: "1" }, body, query);
  if (status !== 401) return client.operate(operationId, { ...ids, ...own }, body, query);
  const { FINANCIAL_DATA_BASE_URL: base, FINANCIAL_DATA_APP_KEY: key = "" } = client.environment as Environment;
  return send(method, `${base}${path.replace(/\{[^}]+\}/g, "1")}${query}`, { "partner-app-key": key }, body);
};
