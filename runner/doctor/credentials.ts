/** Concludes from the answers of a service which of the configured credentials are wrong. */
import type { Contract, JsonSchema } from "../../helpers/contract/contract.ts";
import { type Setting, serviceDescriptor } from "../../helpers/contract/services.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { formOf, isRefusal, quote } from "./answers.ts";
import { logInOf } from "./calls.ts";
import type { Findings, Problem } from "./findings.ts";

type Redact = (text: string) => string;

const wrong = (result: string, text: string): Problem => ({ state: "wrong", result, text });

export const refusedLogIn = (found: Findings, redact: Redact): Problem | undefined => {
  const { contract, logIn, hasToken, disposableLogIn } = found;
  if (logInOf(contract) === undefined) return undefined;
  if (logIn === undefined) return untriedLogIn(found);
  if (!isAccepted(logIn)) return isClientError(logIn) ? blamedLogIn(found, redact) : unclear(logIn, redact);
  if (found.isTokenUnsendable) {
    const result = "accepted, but gives a token that no header can contain";
    return { state: "wrong", result, text: `the log-in is ${result}`, kind: "unreachable" };
  }
  if (!hasToken) {
    return { state: "note", result: `accepted, but shows no token: bind ${logIn.operationId} in BINDINGS` };
  }
  if (disposableLogIn !== undefined && isClientError(disposableLogIn) && !isAccepted(disposableLogIn)) {
    return wrong(
      `the disposable account is refused: ${quote(disposableLogIn, redact)}`,
      `the log-in of the disposable account is refused with ${statusOf(disposableLogIn)}: ` +
        `correct ${settingsOf(contract, "disposable")}, or leave them out.`,
    );
  }
  return { state: "ok", result: disposableLogIn === undefined ? "accepted" : "accepted, for both accounts" };
};

/** A setting that is missing stops a run only if the service needs the log-in. */
const untriedLogIn = (found: Findings): Problem => {
  const { contract, target, logInNeeds, sample } = found;
  if (logInNeeds === undefined) return { state: "note", result: "not tried" };
  const missing = [...keysOf(contract), ...accountSettings(contract, "own")].filter(
    (name) => target.values[name] === undefined,
  );
  const advice = missing.length === 0 ? logInNeeds : `set ${missing.join(", ")}`;
  const result = `not tried: ${advice}`;
  return sample !== undefined && isAccepted(sample)
    ? { state: "note", result }
    : wrong(result, `the log-in lacks settings: ${advice}.`);
};

const isClientError = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500 && statusOf(exchange) !== LIMITED;

const LIMITED = 429;

const unclear = (exchange: Exchange, redact: Redact): Problem => ({
  state: "note",
  result: `no result: ${quote(exchange, redact)}`,
});

const blamedLogIn = (found: Findings, redact: Redact): Problem => {
  const { contract, logIn, sample, stranger } = found;
  const answer = logIn as Exchange;
  const result = `refused: ${quote(answer, redact)}`;
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
        : `correct ${[...keysOf(contract), account].join(", ")}; the answers do not show which is wrong`;
  const status = isRefusal(answer) ? statusOf(answer) : quote(answer, redact);
  return wrong(result, `the log-in is refused with ${status}: ${advice}.`);
};

/** Returns what the answer to a call with the configured key shows about the key. */
export const refusedKey = (found: Findings, redact: Redact): Problem | undefined => {
  const { contract, sample, anonymous, stranger, logIn } = found;
  if (sample === undefined || logInOf(contract) !== undefined) {
    if (logIn === undefined || sample === undefined || !found.hasToken) return undefined;
    return isRefusal(sample)
      ? { state: "note", result: `the token is not accepted: ${quote(sample, redact)}` }
      : { state: "ok", result: "key and token accepted" };
  }
  const headers = contract.securitySchemes.map(({ header }) => header).join(", ");
  const isConfigured = !isKeyMissing(found);
  if (!isRefusal(sample))
    return { state: "ok", result: isConfigured ? "not refused" : `not asked for (${headers})` };
  const result = `refused: ${quote(sample, redact)}`;
  if (keysOf(contract).length === 0) return { state: "note", result };
  if (!isConfigured)
    return wrong(result, `the service asks for a key (${statusOf(sample)}): ${keyAdvice(found)}.`);
  const isLikeNone = anonymous !== undefined && formOf(anonymous) === formOf(sample);
  const isLikeUnknown = stranger !== undefined && formOf(stranger) === formOf(sample);
  if (statusOf(sample) === 403 && !isLikeNone && !isLikeUnknown) {
    return {
      state: "note",
      result: `the key is known, but not allowed to call ${sample.operationId}: ${quote(sample, redact)}`,
    };
  }
  const advice = isLikeNone
    ? `the answer is the same as without a key: ${keyAdvice(found)}, and check that the header ${headers} reaches the service`
    : isLikeUnknown
      ? `an unknown key gets the same answer, so ${keyAdvice(found)}`
      : keyAdvice(found);
  return wrong(result, `the key is refused with ${statusOf(sample)}: ${advice}.`);
};

/** Returns what the answer to a valid call shows about the resources in the configuration. */
export const refusedResource = (found: Findings, redact: Redact): Problem | undefined => {
  const { contract, target, sample, isSampleValid } = found;
  if (sample === undefined || isRefusal(sample)) return undefined;
  if (isAccepted(sample)) return { state: "ok", result: `${sample.operationId} accepted` };
  const said = sample.response?.body.toString() ?? "";
  const blamed = isClientError(sample)
    ? namedResources(contract, sample).filter(
        ({ field, setting }) => target.values[setting.name] !== undefined && mentions(said, field),
      )
    : [];
  if (!isSampleValid && isClientError(sample)) {
    return {
      state: "ok",
      result: `${sample.operationId} answers an incomplete call with ${statusOf(sample)}`,
    };
  }
  const result = `${sample.operationId} refused: ${quote(sample, redact)}`;
  const names = [...new Set(blamed.map(({ setting }) => setting.name))].join(", ");
  if (names !== "") {
    return wrong(
      result,
      `${sample.operationId} is refused with ${statusOf(sample)}, and the answer names its field: correct ${names}.`,
    );
  }
  return { state: "note", result };
};

const mentions = (text: string, field: string): boolean => new RegExp(`\\b${field}\\b`).test(text);

/** Returns the outermost fields of the body of a call that carry configured resources. */
const namedResources = (
  contract: Contract,
  { operationId }: Exchange,
): { readonly field: string; readonly setting: Setting }[] => {
  const operation = contract.operations.find((one) => one.operationId === operationId);
  const body = operation?.requestBody?.content["application/json"];
  const name = typeof body?.$ref === "string" ? (body.$ref.split("/").at(-1) ?? "") : "";
  const schema = contract.schemas[name] ?? body;
  return Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>).flatMap(
    ([field, property]) => {
      const setting = serviceDescriptor(contract.service).settings.find(
        ({ resource }) => resource !== undefined && resource === property["x-resource"],
      );
      return setting === undefined ? [] : [{ field, setting }];
    },
  );
};

const keysOf = ({ securitySchemes }: Contract): string[] =>
  securitySchemes.flatMap(({ configuration }) => configuration ?? []);

const isKeyMissing = ({ contract, target: { values } }: Findings): boolean =>
  keysOf(contract).length > 0 && keysOf(contract).every((name) => values[name] === undefined);

/** Returns what to do about the keys of the service: `correct PARCELS_API_KEY`. */
export const keyAdvice = (found: Findings): string =>
  `${isKeyMissing(found) ? "set" : "correct"} ${keysOf(found.contract).join(", ")}`;

/** Returns the settings of the account with which the doctor logs in: its id, and its secret. */
const settingsOf = (contract: Contract, kind: NonNullable<Setting["account"]>): string =>
  accountSettings(contract, kind).join(" and ");

const accountSettings = ({ service }: Contract, kind: NonNullable<Setting["account"]>): string[] => {
  const { settings } = serviceDescriptor(service);
  const id = settings.find(({ account }) => account === kind);
  const secret = settings.find(
    ({ resource, secret: isSecret }) => isSecret && resource === `${id?.resource}-secret`,
  );
  return [id?.name, secret?.name].filter((name) => name !== undefined);
};
