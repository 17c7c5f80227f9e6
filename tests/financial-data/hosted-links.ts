/** Addresses of hosted flows for a customer. */
import { type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";
import { type Call, NotTried, type TrialContext } from "../../helpers/trials/trial.ts";
import { having, taken, validCall, valuesIn, withFields } from "./asking.ts";

export const FULL = "GenerateConnectUrl";

/** The steps of the full flow up to the choice of accounts. */
export const SIGN_IN: readonly string[] = ["institution", "sign-in"];

export const callFor = async (
  context: TrialContext,
  operationId: string,
  customer: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Call> => {
  const call = await validCall(context, operationId, having(context.arrange, { customer }));
  // A consumer is another customer's here, and what is not asked for is not sent.
  return withFields(call, { consumerId: undefined, language: undefined, experience: undefined, ...fields });
};

export const linkFor = async (
  context: TrialContext,
  operationId: string,
  customer: string,
  fields: Readonly<Record<string, unknown>> = {},
  requirements: readonly string[] = [],
): Promise<{ readonly link: string; readonly exchange: Exchange }> => {
  const call = await callFor(context, operationId, customer, fields);
  const exchange = await context.send(call);
  if (!isAccepted(exchange)) await taken(context, call, requirements);
  return { link: addressIn(exchange), exchange };
};

export const addressIn = (exchange: Exchange): string => addressesIn(exchange)[0];

/** Where the link stands is not shown: what the body itself holds comes before what lies deeper. */
export const addressesIn = (exchange: Exchange): readonly [string, ...string[]] => {
  const body = exchange.response?.json;
  const own = Object.values(body ?? {}).filter((value) => typeof value === "string");
  const [first, ...others] = [...own, ...valuesIn(body)].filter((value) => /^https?:\/\//.test(value));
  if (first !== undefined) return [first, ...others];
  throw new NotTried(
    `${exchange.operationId} gives no address: bind ${exchange.operationId} in BINDINGS to where it stands`,
  );
};
