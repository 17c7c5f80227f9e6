/** Provided: what generated calls of some operations need beyond an id: a listener, a pair that belongs together. */
import { instancesAt } from "../../helpers/checks/rules.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import { NotTried, type TrialContext } from "../../helpers/trials/trial.ts";
import { operationOf } from "./asking.ts";

/** The id of an access key. @throws NotTried naming the binding that would help */
export const consentReceipt = (context: TrialContext, exchange: Exchange): string => {
  const { operationId, produces } = operationOf(context, exchange.operationId);
  const pointer = context.bindings[operationId] ?? produces[0]?.pointer ?? "";
  const [found] = instancesAt(exchange.response?.json, pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*"));
  if (found !== undefined) return String(found.value);
  throw new NotTried(`${operationId} shows no id at ${pointer}: bind ${operationId} in BINDINGS to where it stands`);
};
