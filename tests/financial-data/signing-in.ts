/** Signing in for a token of one's own, beside the one that the session keeps. */
import { instancesAt } from "../../helpers/checks/rules.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import type { Arranger } from "../../helpers/trials/arrange.ts";
import { type Call, NotTried, type TrialContext } from "../../helpers/trials/trial.ts";
import { answerTo, having, operationOf, validCall, valuesIn } from "./asking.ts";

/** What any partner may read, to see whether a token is accepted. */
export const PROBE = "GetInstitutions";

export interface SignIn {
  readonly call: Call;
  readonly exchange: Exchange;
  /** What may be the token: where it is bound or assumed, else each long text. */
  readonly candidates: readonly string[];
}

/** With the disposable partner where there is one: what a new token does to older ones is open. */
export const signIn = async (context: TrialContext): Promise<SignIn> => {
  const disposable = await disposablePartner(context);
  if (disposable !== undefined) {
    const signedIn = await signInAs(context, disposable);
    if (signedIn.candidates.length > 0 && (await opens(context, signedIn.candidates))) return signedIn;
  }
  return signInAs(context, context.arrange);
};

/** An arranger in whose calls the disposable partner signs in; `undefined` where there is none. */
export const disposablePartner = async ({ arrange }: TrialContext): Promise<Arranger | undefined> => {
  const [partner, secret] = [
    await arrange.get("disposable-partner"),
    await arrange.get("disposable-partner-secret"),
  ];
  if (!("value" in partner) || !("value" in secret)) return undefined;
  return having(arrange, { partner: partner.value, "partner-secret": secret.value });
};

const signInAs = async (context: TrialContext, arrange: Arranger): Promise<SignIn> => {
  const call = await validCall(context, "CreateToken", arrange);
  const exchange = await answerTo(context, call);
  return { call, exchange, candidates: isAccepted(exchange) ? tokensIn(context, exchange) : [] };
};

const SHORTEST_TOKEN = 8;

const tokensIn = (context: TrialContext, { operationId, response }: Exchange): string[] => {
  const pointer = context.bindings[operationId] ?? operationOf(context, operationId).token ?? "";
  const [at] = instancesAt(response?.json, pointer);
  if (typeof at?.value === "string") return [at.value];
  return valuesIn(response?.json)
    .filter(({ length }) => length >= SHORTEST_TOKEN)
    .slice(0, 5);
};

const opens = async (context: TrialContext, candidates: readonly string[]): Promise<boolean> => {
  for (const token of candidates) {
    if (isAccepted(await context.send({ ...withToken(context, token), judged: false }))) return true;
  }
  return false;
};

/**
 * A token of the disposable partner, or of the one in use.
 * @param arrange of the one partner to sign in
 * @throws NotTried when none is to be had
 */
export const workingToken = async (context: TrialContext, arrange?: Arranger): Promise<string> => {
  const { candidates, exchange } = await (arrange === undefined
    ? signIn(context)
    : signInAs(context, arrange));
  for (const token of candidates) {
    if (isAccepted(await context.send(withToken(context, token)))) return token;
  }
  throw new NotTried(isAccepted(exchange) ? "CreateToken gives no token that works" : refusalOf(exchange));
};

export const withToken = ({ contract }: TrialContext, token: string): Call => ({
  operationId: PROBE,
  headers: { [tokenHeader(contract)]: token },
});

/** The scheme of the token is the one that nobody configures. */
export const tokenHeader = ({ securitySchemes }: TrialContext["contract"]): string =>
  securitySchemes.find(({ configuration }) => configuration === undefined)?.header.toLowerCase() ?? "";

export const refusalOf = (exchange: Exchange): string =>
  `CreateToken refused the configured credentials with ${statusOf(exchange)}: check app key, partner id and secret`;
