/** Causes every documented status of operations whose path names existing resources. */
import type { Operation } from "../../../../helpers/contract/contract.ts";
import type { Answered, Environment } from "./client.ts";
import type { Tenant } from "./tenant.ts";
import { validatorOf } from "./witness.ts";

export interface Tried extends Pick<Tenant, "contract" | "client"> {
  /** The ids of a valid call, by path parameter. */
  readonly ids: Record<string, string>;
  /** The other parts of a valid call, by operationId. */
  readonly more: Readonly<Record<string, More>>;
}

export interface More {
  readonly body?: unknown;
  readonly query?: string;
  /** Ids that differ from the ids of the other operations. */
  readonly ids?: Record<string, string>;
  /** Ids that cause a status which a valid call, a wrong id or a missing token does not cause. */
  readonly statuses?: Readonly<Record<number, Record<string, string>>>;
}

/** Tries all statuses. @returns a line for each one that is missing or whose body does not match the contract */
export const statusesAmiss = async (tried: Tried, operationIds: readonly string[]): Promise<string[]> => {
  const { validate } = validatorOf(tried.contract);
  const amiss: string[] = [];
  for (const operationId of operationIds) {
    const operation = tried.contract.operations.find((one) => one.operationId === operationId);
    if (operation === undefined) continue;
    for (const { status, content } of Object.values(operation.responses).reverse()) {
      const answered = await bringAbout(tried, operation, status);
      const schema = content["application/json"];
      const isEmpty = Object.keys(content).length === 0;
      const problems = schema === undefined ? [] : validate(schema, answered.json);
      const fits = problems.length === 0 && isEmpty === (answered.text === "");
      if (answered.status === status && fits) continue;
      amiss.push(`${operationId} ${status}: ${answered.status} ${JSON.stringify(problems)} ${answered.text}`);
    }
  }
  return amiss;
};

const bringAbout = (tried: Tried, operation: Operation, status: number): Promise<Answered> => {
  const { operationId, method, path } = operation;
  const { body, query, ids: own, statuses = {} } = tried.more[operationId] ?? {};
  const special = statuses[status] ?? WRONG[status];
  if (status !== 401)
    return tried.client.operate(operationId, { ...tried.ids, ...own, ...special }, body, query);
  const token = tried.contract.securitySchemes.find(({ name }) => /token/i.test(name))?.header ?? "";
  const nowhere = path.replace(/\{[^}]+\}/g, "4711");
  return tried.client.call(method, `${nowhere}${query ?? ""}`, body, { [token.toLowerCase()]: "none" });
};

const WRONG: Readonly<Record<number, Record<string, string>>> = {
  400: { customerId: "a%20b" },
  404: { customerId: "4711" },
};

/** Returns the ids that a situation arranged, by path parameter. */
export const pathIds = (environment: Environment): Record<string, string> => ({
  customerId: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
  accountId: environment.FINANCIAL_DATA_ACCOUNT_ID ?? "",
  institutionLoginId: environment.FINANCIAL_DATA_INSTITUTION_LOGIN_ID ?? "",
  institutionId: environment.FINANCIAL_DATA_INSTITUTION_ID ?? "",
  transactionId: environment.FINANCIAL_DATA_TRANSACTION_ID ?? "",
  inactive: environment.FINANCIAL_DATA_INACTIVE_ACCOUNT_ID ?? "",
});
