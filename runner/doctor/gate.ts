/**
 * Tells what a gateway in front of a service refuses. The same request with another key shows which key is wrong: the
 * configured key is wrong if an unknown key gets the same answer.
 */
import { isFromDocument } from "../../helpers/contract/services.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { refusedBefore } from "../../helpers/exchange/refused-before.ts";
import { USER_AGENT } from "../../helpers/exchange/user-agent.ts";
import type { Gateway } from "../../helpers/gateway/gateway.ts";
import { type GatewayKey, gatewaySetting } from "../../helpers/target/names.ts";
import { areAlike, formOf, isRefusal } from "./answers.ts";
import { GIVE_KEY, keyAdvice } from "./credentials.ts";
import { type Conclusion, wrong } from "./diagnosis.ts";
import type { Findings, OtherKey } from "./findings.ts";
import { DIALECTS, nameOf, namesOfOthers } from "./other-keys.ts";

/** Whether every request is refused before its path is looked at. */
export const isGateClosed = ({ all }: Pick<Findings, "all">): boolean =>
  areAlike(all) && all[0] !== undefined && isRefusal(all[0]);

/** Returns the keys to exchange, one at a time. */
export const keysInQuestion = (found: Findings, gateway: Gateway | undefined): OtherKey[] => {
  if (isGateClosed(found))
    return gateway?.signing ? [...namesOfOthers(gateway.signing), "consumer key", "signing key"] : [];
  const body = bodyCall(found);
  const isRefused = body !== undefined && !isAccepted(body) && statusOf(body) < 500;
  return gateway?.sealing?.publicKey !== undefined && isRefused ? ["encryption key"] : [];
};

/** Returns the answer to a call with a body. */
const bodyCall = ({ answers: { logIn, sample } }: Findings): Exchange | undefined =>
  [logIn, sample].find((exchange) => exchange?.request.body !== undefined);

/** A key can be right if it has not reached the service. */
const refusalWithPage = ({ contract: { service }, answers, quote }: Findings): Conclusion | undefined => {
  const { logIn, sample } = answers;
  const refusal = [logIn, sample].find((one) => one !== undefined && refusedBefore(one) !== undefined);
  if (refusal === undefined) return undefined;
  const settings = `${gatewaySetting(service, "HEADERS")} and ${gatewaySetting(service, "PROXY")}`;
  return wrong(
    `refused: ${quote(refusal)}`,
    `${refusedBefore(refusal)} (${statusOf(refusal)}). Ask its owner what it lets through; requests have the User-Agent ` +
      `${USER_AGENT["user-agent"]}, and ${settings} set fixed headers and a proxy.`,
  );
};

/** @returns `undefined` if no gateway seems to refuse the requests */
export const diagnoseGate = (found: Findings): Conclusion | undefined => {
  const { contract, answers, quote } = found;
  const page = refusalWithPage(found);
  if (page !== undefined) return page;
  const named = (...keys: GatewayKey[]): string =>
    keys.map((key) => gatewaySetting(contract.service, key)).join(" and ");
  const sealed = answers["encryption key"];
  const body = bodyCall(found);
  if (sealed !== undefined && body !== undefined && formOf(sealed) === formOf(body)) {
    return wrong(
      quote(body),
      `an encrypted body is refused with ${statusOf(body)}, and so is one for an unknown key: correct ${named("BODY_ENCRYPTION_KEY")}, and ${named("BODY_ENCRYPTION_KEY_ID")}.`,
    );
  }
  const [first] = found.all;
  if (first === undefined || !isGateClosed(found)) return undefined;
  const result = `every request is refused, also for a path that does not exist: ${quote(first)}`;
  const refused = `every request is refused with ${statusOf(first)}`;
  const isLike = (key: OtherKey): boolean | undefined => {
    const other = answers[key];
    return other && formOf(other) === formOf(first);
  };
  const dialect = DIALECTS.find((one) => {
    const answer = answers[nameOf(one)];
    return answer?.response !== undefined && !isRefusal(answer);
  });
  if (dialect !== undefined) {
    const encoding = `${named("SIGNATURE_ENCODING")}=${dialect.encoding}`;
    const method = `${named("SIGNATURE_METHOD")}=${dialect.method}`;
    const advice = `${refused}, but not in another dialect of signatures: set ${encoding} and ${method}.`;
    return wrong(result, advice);
  }
  const [byConsumer, bySigner] = [isLike("consumer key"), isLike("signing key")];
  if (byConsumer === undefined || bySigner === undefined) {
    const others = isFromDocument()
      ? `if a gateway asks for another header or key, ${GIVE_KEY}`
      : `if a gateway asks for signatures, set ${named("CONSUMER_KEY", "SIGNING_KEY")}`;
    // A gateway may ask for keys that the operation of the examination does not need.
    const { operation: _, ...anyOperation } = found;
    const keys = contract.securitySchemes.length > 0 ? [keyAdvice(anyOperation)] : [];
    return wrong(result, `${refused}: ${[...keys, others].join("; ")}.`);
  }
  // Without a known consumer, no answer shows what the gateway says to a wrong signature.
  if (byConsumer) {
    return wrong(
      result,
      `${refused}, and so is an unknown consumer key: correct ${named("CONSUMER_KEY")}. Some gateways refuse a wrong signature with the same answer: then correct ${named("SIGNING_KEY")}.`,
    );
  }
  const problem = bySigner ? "not its signature" : "something else is wrong";
  return wrong(
    result,
    `${refused}: the consumer key is known, but ${problem}: correct ${named("SIGNING_KEY")}, or ask for a new key if it has expired: ${quote(first)}`,
  );
};
