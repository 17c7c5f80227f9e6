/** Checks the signatures of clients, and signs their requests again for the address of the target. */
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import type { SignatureDialect } from "../../../helpers/gateway/gateway.ts";
import { authorizationFor } from "../../../helpers/gateway/signature.ts";
import type { Gateways } from "../../../helpers/gateway/through-gateway.ts";
import { gatewaySetting } from "../../../helpers/target/names.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import { counted } from "../../../reports/text.ts";
import { examineSignature } from "./client-signature.ts";
import { asRecord, type RawHeaders, withValues } from "./reply.ts";

/** A request with a signature. */
interface SignedRequest {
  readonly service: string;
  readonly method: string;
  readonly headers: RawHeaders;
  /** The address that the client used. */
  readonly asked: string;
  /** The address of the target. */
  readonly url: string;
  /** The bytes that the client sent; `undefined` without a body. */
  readonly received: Buffer | undefined;
  /** The bytes that the target gets. */
  readonly sent: Buffer | undefined;
}

export type Signatures = ReturnType<typeof createSignatures>;

/** @param tell receives each new problem @param required the only encoding that is right; both are if absent */
export const createSignatures = (
  gateways: Gateways,
  tell: (problem: string) => void,
  required?: SignatureDialect["encoding"],
) => {
  const renewed = new Map<string, number>();
  const passed = new Map<string, number>();
  const seen = new Map<string, Set<string>>();
  const problems = new Map<string, number>();
  const repeatedNonce = createNonces();
  return {
    /** Returns the headers for the target. */
    renew({ service, method, headers, asked, url, received, sent }: SignedRequest): RawHeaders {
      const { authorization = "" } = asRecord(headers);
      const signing = gateways[service]?.signing;
      const now = Date.now();
      const request = { method, bytes: received };
      const examined = examineSignature(authorization, request, [asked, url], signing, now);
      const { encoding, seen: form = [], method: used, problem: own } = examined;
      const isOther = required !== undefined && encoding !== undefined && encoding !== required;
      const problem =
        repeatedNonce(service, authorization) ??
        own ??
        (isOther ? `the encoding is ${encoding}, and ${required} is required` : undefined);
      if (encoding !== undefined && used !== undefined)
        getOrInsert(seen, service, () => new Set()).add([`${encoding} encoding`, ...form, used].join(", "));
      if (problem !== undefined && count(problems, `${service}: ${problem}`) === 1)
        tell(`signature: ${service}: ${method} ${new URL(url).pathname}: ${problem}`);
      if (signing === undefined && asked !== url) count(passed, service);
      // A wrong signature stays wrong, so that the target answers as it would without the proxy.
      if (signing === undefined || problem !== undefined) return headers;
      count(renewed, service);
      const renewal = authorizationFor({ method, url, bytes: sent }, signing, now);
      return withValues(headers, /^authorization$/i, () => renewal);
    },
    /** Returns what the user should know when the recording ends. */
    notes: (): string[] => [
      ...[...problems].map(([problem, times]) => `signature of ${counted(times, "request")}: ${problem}.`),
      ...[...renewed].map(
        ([service, times]) => `${service}: ${counted(times, "signed request")}, signed again for the target.`,
      ),
      ...[...seen].map(
        ([service, dialects]) => `${service}: signatures were seen in ${[...dialects].join(" and ")}.`,
      ),
      ...[...passed].map(
        ([service, times]) =>
          `${service}: ${counted(times, "signed request")}, passed on as signed. The target may refuse signatures for the ` +
          `address of the proxy: set ${gatewaySetting(service, "CONSUMER_KEY")} and ${gatewaySetting(service, "SIGNING_KEY")}.`,
      ),
    ],
  };
};

/** Adds one to a count. */
const count = (counts: Map<string, number>, key: string): number => {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
};

/** RFC 5849, 3.3: a nonce is unique across all requests with one timestamp. */
const createNonces = () => {
  const nonces = new Memory<string, true>(10_000);
  return (service: string, authorization: string): string | undefined => {
    const [, nonce = ""] = /oauth_nonce="([^"]*)"/.exec(authorization) ?? [];
    const [, time = ""] = /oauth_timestamp="([^"]*)"/.exec(authorization) ?? [];
    const key = `${service} ${nonce} ${time}`;
    const isKnown = nonce !== "" && nonces.has(key);
    nonces.set(key, true);
    return isKnown ? "oauth_nonce was used before" : undefined;
  };
};

export const needsSignature = (headers: RawHeaders): boolean =>
  /^OAuth\s/i.test(asRecord(headers).authorization ?? "");
