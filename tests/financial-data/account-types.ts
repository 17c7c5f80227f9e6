/** Whether an operation serves accounts of each type that it is documented to serve. */
import { answered } from "../../fixtures/financial-data-calls.ts";
import { accountsOfTypes, type LinkedAccount, plainType } from "../../fixtures/linked-accounts.ts";
import { checkAccepted } from "../../helpers/checks/refusal.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";
import { id } from "./trial.ts";

/**
 * The refusal of one type counts next to the acceptance of another one of the same login: the institution serves both.
 * @param types documented ones, in any spelling
 */
export const tryAccountTypes = async (
  context: TrialContext,
  suffix: string,
  operationId: string,
  types: readonly string[],
): Promise<void> => {
  const accounts = await accountsOfTypes(context, types);
  const tried: { readonly account: LinkedAccount; readonly exchange: Exchange }[] = [];
  for (const account of accounts.values()) {
    tried.push({ account, exchange: await answered(context, operationId, account.resources) });
  }
  const accepted = tried.filter(({ exchange }) => isAccepted(exchange));
  for (const { account, exchange } of tried) {
    const twin = accepted.find((other) => loginOf(other.account) === loginOf(account))?.exchange ?? exchange;
    const what = { what: `${operationId} of an account of the type ${account.type}`, pointer: "" };
    const result = checkAccepted(what, exchange, twin);
    if (result?.holds === false) context.judge.record(id(suffix), result, [exchange, twin]);
  }
  const missing = types.map(plainType).filter((type) => !accounts.has(type));
  if (missing.length > 0) {
    context.judge.notTried(id(suffix), `needs linked accounts of the types ${missing.join(", ")} besides`);
  } else if (accepted.length === tried.length) {
    context.judge.passed(
      id(suffix),
      tried.map(({ exchange }) => exchange),
    );
  } else if (accepted.length === 0) {
    const statuses = tried.map(({ exchange }) => statusOf(exchange)).join(", ");
    context.judge.notTried(id(suffix), `${operationId} serves no account at all (${statuses})`);
  }
};

const loginOf = ({ resources }: LinkedAccount): string | undefined => resources["institution-login"];
