/** Brings about every documented status of operations that name in their path what exists. */
import type { Operation } from "../../../../helpers/contract/contract.ts";
import type { Answered, Environment } from "./client.ts";
import type { Tenant } from "./tenant.ts";
import { validatorOf } from "./witness.ts";

export interface Tried extends Pick<Tenant, "contract" | "client"> {
  /** Of a valid call, by the names that paths give them. */
  readonly ids: Record<string, string>;
  /** What a valid call has besides, by operationId. */
  readonly more: Readonly<Record<string, More>>;
}

export interface More {
  readonly body?: unknown;
  readonly query?: string;
  /** Other ids than those of the others. */
  readonly ids?: Record<string, string>;
  /** Ids with which a status comes that neither a valid call, a wrong id nor a lacking token brings about. */
  readonly statuses?: Readonly<Record<number, Record<string, string>>>;
}

/** @returns a line for every documented status that did not come, or came with a body that does not fit */
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

/** What a situation arranged, by the names that paths give the ids. */
export const pathIds = (environment: Environment): Record<string, string> => ({
  customerId: environment.FINANCIAL_DATA_CUSTOMER_ID ?? "",
  accountId: environment.FINANCIAL_DATA_ACCOUNT_ID ?? "",
  institutionLoginId: environment.FINANCIAL_DATA_INSTITUTION_LOGIN_ID ?? "",
  institutionId: environment.FINANCIAL_DATA_INSTITUTION_ID ?? "",
  transactionId: environment.FINANCIAL_DATA_TRANSACTION_ID ?? "",
  inactive: environment.FINANCIAL_DATA_INACTIVE_ACCOUNT_ID ?? "",
});
