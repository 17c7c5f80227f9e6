/** Concludes from the answers of a service which of the configured credentials are wrong. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { SecurityScheme } from "../../helpers/contract/security-scheme.ts";
import { isFromDocument, type Setting, serviceDescriptor } from "../../helpers/contract/services.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { optionForKey, placeOfKey, schemesFor } from "../../helpers/trials/credentials.ts";
import { formOf, isClientError, isRefusal } from "./answers.ts";
import { logInOf } from "./calls.ts";
import { type Conclusion, note, ok, wrong } from "./diagnosis.ts";
import type { Findings } from "./findings.ts";

export const refusedLogIn = (found: Findings): Conclusion | undefined => {
  const { contract, hasToken, quote } = found;
  const { logIn, disposableLogIn } = found.answers;
  if (logInOf(contract) === undefined) return undefined;
  if (logIn === undefined) return untriedLogIn(found);
  if (!isAccepted(logIn))
    return isClientError(logIn) ? blamedLogIn(found, logIn) : note(`no result: ${quote(logIn)}`);
  if (found.isTokenUnsendable) {
    const result = "accepted, but gives a token that no header can contain";
    return wrong(result, `the log-in is ${result}`, "unreachable");
  }
  if (!hasToken) return note(`accepted, but shows no token: bind ${logIn.operationId} in BINDINGS`);
  if (disposableLogIn !== undefined && isClientError(disposableLogIn) && !isAccepted(disposableLogIn)) {
    return wrong(
      `the disposable account is refused: ${quote(disposableLogIn)}`,
      `the log-in of the disposable account is refused with ${statusOf(disposableLogIn)}: ` +
        `correct ${settingsOf(contract, "disposable")}, or leave them out.`,
    );
  }
  return ok(disposableLogIn === undefined ? "accepted" : "accepted, for both accounts");
};

/** A setting that is missing stops a run only if the service needs the log-in. */
const untriedLogIn = (found: Findings): Conclusion => {
  const { contract, target, logInNeeds, answers } = found;
  const { sample } = answers;
  if (logInNeeds === undefined) return note("not tried");
  const missing = [...keysOf(found), ...accountSettings(contract, "own")].filter(
    (name) => target.values[name] === undefined,
  );
  const advice = missing.length === 0 ? logInNeeds : `set ${missing.join(", ")}`;
  const result = `not tried: ${advice}`;
  return sample !== undefined && isAccepted(sample)
    ? note(result)
    : wrong(result, `the log-in lacks settings: ${advice}.`);
};

const blamedLogIn = (found: Findings, answer: Exchange): Conclusion => {
  const { contract, quote } = found;
  const { sample, stranger } = found.answers;
  const result = `refused: ${quote(answer)}`;
  const keys = keyAdvice(found);
  const account = settingsOf(contract, "own");
  const isKeyKnown = sample !== undefined && stranger !== undefined && formOf(sample) !== formOf(stranger);
  const isKeyBlamed = stranger !== undefined && formOf(answer) === formOf(stranger);
  const advice = isKeyMissing(found)
    ? keys
    : isKeyKnown
      ? `the key is known, so correct ${account}`
      : isKeyBlamed
        ? `an unknown key gets the same answer, so ${keys}`
        : `correct ${[...keysOf(found), account].join(", ")}; the answers do not show which is wrong`;
  const status = isRefusal(answer) ? statusOf(answer) : quote(answer);
  return wrong(result, `the log-in is refused with ${status}: ${advice}.`);
};

/** Returns what the answer to a call with the configured key shows about the key. */
export const refusedKey = (found: Findings): Conclusion | undefined => {
  const { contract, quote } = found;
  const { sample, anonymous, stranger, logIn } = found.answers;
  if (sample === undefined || logInOf(contract) !== undefined) {
    if (logIn === undefined || sample === undefined || !found.hasToken) return undefined;
    return isRefusal(sample)
      ? note(`the token is not accepted: ${quote(sample)}`)
      : ok("key and token accepted");
  }
  const headers = schemesIn(found).map(placeOfKey).join(", ");
  const isConfigured = !isKeyMissing(found);
  if (!isRefusal(sample)) return ok(isConfigured ? "not refused" : `not asked for (${headers})`);
  const result = `refused: ${quote(sample)}`;
  if (keysOf(found).length === 0) {
    const isUnstated = isFromDocument() && contract.securitySchemes.length === 0 && statusOf(sample) === 401;
    return isUnstated ? wrong(result, `the service asks for a key (401): ${GIVE_KEY}.`) : note(result);
  }
  if (!isConfigured)
    return wrong(result, `the service asks for a key (${statusOf(sample)}): ${keyAdvice(found)}.`);
  const isLikeNone = anonymous !== undefined && formOf(anonymous) === formOf(sample);
  const isLikeUnknown = stranger !== undefined && formOf(stranger) === formOf(sample);
  if (statusOf(sample) === 403 && !isLikeNone && !isLikeUnknown) {
    return note(`the key is known, but not allowed to call ${sample.operationId}: ${quote(sample)}`);
  }
  const advice = isLikeNone
    ? `the answer is the same as without a key: ${keyAdvice(found)}, and check that the ${headers} reaches the service`
    : isLikeUnknown
      ? `an unknown key gets the same answer, so ${keyAdvice(found)}`
      : keyAdvice(found);
  return wrong(result, `the key is refused with ${statusOf(sample)}: ${advice}.`);
};

/** Returns how the service answered the call. */
export const answeredCall = (found: Findings): Conclusion | undefined => {
  const { isSampleValid, quote } = found;
  const { sample } = found.answers;
  if (sample === undefined || isRefusal(sample)) return undefined;
  if (isAccepted(sample)) return ok(`${sample.operationId} accepted`);
  if (!isSampleValid && isClientError(sample))
    return ok(`${sample.operationId} answers an incomplete call with ${statusOf(sample)}`);
  return note(`${sample.operationId} refused: ${quote(sample)}`);
};

/** Returns the schemes of the keys that the examination sent. */
const schemesIn = ({ contract, target, operation }: Findings): readonly SecurityScheme[] =>
  operation === undefined || logInOf(contract) !== undefined
    ? contract.securitySchemes
    : schemesFor(contract, operation, target);

const keysOf = (found: Findings): string[] =>
  schemesIn(found).flatMap(({ configuration }) => configuration ?? []);

const isKeyMissing = (found: Findings): boolean => {
  const keys = keysOf(found);
  return keys.length > 0 && keys.every((name) => found.target.values[name] === undefined);
};

/** What to do about a key that no document states. */
export const GIVE_KEY = "give it with --header 'NAME: …' or --key NAME=…";

/** Returns what to do about the keys of the service: `correct PARCELS_API_KEY`. */
export const keyAdvice = (found: Findings): string => {
  const verb = isKeyMissing(found) ? "set" : "correct";
  const names = isFromDocument() ? schemesIn(found).map(optionForKey) : keysOf(found);
  return `${verb} ${names.join(", ")}`;
};

/** Returns the settings of the account with which the doctor logs in: its id, and its secret. */
const settingsOf = (contract: Contract, kind: NonNullable<Setting["account"]>): string =>
  accountSettings(contract, kind).join(" and ");

const accountSettings = (
  { service, securitySchemes }: Contract,
  kind: NonNullable<Setting["account"]>,
): string[] => {
  if (isFromDocument()) {
    if (kind === "disposable") return [];
    const isGrant = securitySchemes.some(({ grant }) => grant !== undefined);
    return isGrant ? ["--key client_id=…", "--key client_secret=…"] : ["--key NAME=… of each of its fields"];
  }
  const { settings } = serviceDescriptor(service);
  const id = settings.find(({ account }) => account === kind);
  const secret = settings.find(
    ({ resource, secret: isSecret }) => isSecret && resource === `${id?.resource}-secret`,
  );
  return [id?.name, secret?.name].filter((name) => name !== undefined);
};
