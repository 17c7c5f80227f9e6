/** Authenticates a partner by two headers: the app key and the token. */
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { memoize } from "../../helpers/contract/memoize.ts";
import type { Answer } from "../engine/call.ts";
import { isTakenFor } from "../engine/lax-comparison.ts";
import { missingHeader } from "../engine/wording.ts";
import { type Reason, refusalAnswer, refused } from "./answers.ts";
import type { Behaviour, Call } from "./calls.ts";
import { TOKEN_LIFE } from "./state/partners.ts";
import { perState, type State } from "./state/state.ts";

/** @returns the refusal of an unauthorized caller, or `undefined` */
export const authenticate = (state: State, call: Call): Answer | undefined => {
  const { operation, faulty } = call;
  if (call.differs("some-calls-limited") && isLimited(state)) return limitedAnswer(state, operation);
  if (faulty(`open-${operation.operationId}`)) return undefined;
  const reason = keyProblem(state, call) ?? tokenProblem(state, call);
  if (reason === undefined || isAccepted(call, reason)) return undefined;
  const { refusal } = refused(reason);
  return refusalAnswer(state.complete, operation, {
    ...refusal,
    message: inWords(state, call, reason, refusal.message),
  });
};

/** Names the header of a missing credential, and the header that has it instead. */
const inWords = (state: State, { headers }: Call, problem: Problem, message: string): string => {
  const { key, token } = headersOf(state);
  const { hasKey, tokens } = state.partners;
  if (problem === "absent-key") return `${message} ${missingHeader(key, headers, hasKey)}`;
  if (problem === "absent-token")
    return `${message} ${missingHeader(token, headers, (value) => tokens.has(value))}`;
  return message;
};

/** One call of this number is refused, in a sandbox with a rate limit. */
const LIMITED = 997;

const calls = perState(() => ({ count: 0 }));

const isLimited = (state: State): boolean => {
  calls(state).count += 1;
  return calls(state).count % LIMITED === 0;
};

const limitedAnswer = (state: State, operation: Operation): Answer => ({
  ...refusalAnswer(state.complete, operation, refused("too-many-requests").refusal),
  headers: { "retry-after": "1" },
});

type Problem = Extract<Reason, `${"absent" | "unknown"}-${"key" | "token"}` | "expired-token">;

const isAccepted = ({ operation: { operationId }, faulty }: Call, problem: Problem): boolean =>
  problem === "absent-key" || problem === "absent-token"
    ? faulty(`${problem}-accepted-${operationId}`)
    : faulty(`${problem}-accepted`);

const keyProblem = (state: State, call: Call): Problem | undefined => {
  const key = headerOf(call, headersOf(state).key);
  if (key === undefined) {
    const suffices = call.operation.singleHeader === "unjudged" && call.differs("one-header-suffices");
    return suffices ? undefined : "absent-key";
  }
  const right = state.partners.main.appKey;
  return key === right || state.partners.hasKey(key) || isTakenFor(call.faulty, "key", key, right)
    ? undefined
    : "unknown-key";
};

const tokenProblem = (state: State, call: Call): Problem | undefined => {
  const demanded = AUTHENTICATION[call.operation.operationId];
  if (demanded !== undefined && !call.faulty(demanded)) return undefined;
  const presented = presentedToken(state, call);
  if (presented === undefined) return "absent-token";
  const token = state.partners.tokens.get(presented) ?? tokenTakenFor(state, call, presented);
  if (token === undefined) return "unknown-token";
  const life = call.faulty("token-valid-one-hour") ? TOKEN_LIFE / 2 : TOKEN_LIFE;
  return state.clock.now().getTime() - token.issued > life ? "expired-token" : undefined;
};

const tokenTakenFor = (state: State, call: Call, presented: string) =>
  [...state.partners.tokens].find(([right]) => isTakenFor(call.faulty, "token", presented, right))?.[1];

/** Operations without a token, each with the fault that demands one. */
const AUTHENTICATION: Readonly<Record<string, Behaviour>> = {
  CreateToken: "token-demanded-CreateToken",
  ModifyPartnerSecret: "token-demanded-ModifyPartnerSecret",
};

export const presentedToken = (state: State, call: Call): string | undefined =>
  headerOf(call, headersOf(state).token);

const headerOf = ({ headers }: Call, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

const headersOf = ({ contract }: State) => namedIn(contract);

/** Reads the header names from the contract: authentication itself requires the key but not the token. */
const namedIn = memoize((contract: Contract) => {
  const authentication = contract.operations.find(({ operationId }) => operationId === "CreateToken");
  const key = contract.securitySchemes.find(({ name }) => authentication?.security.includes(name));
  const token = contract.securitySchemes.find(({ name }) => name !== key?.name);
  return {
    key: key?.header.toLowerCase() ?? "partner-app-key",
    token: token?.header.toLowerCase() ?? "partner-app-token",
  };
});
