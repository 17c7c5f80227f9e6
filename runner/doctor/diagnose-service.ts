/** Concludes from the answers of a service what is wrong with the configuration of a target. */
import { isFromDocument } from "../../helpers/contract/services.ts";
import { type Exchange, statusOf, type TransportFailure } from "../../helpers/exchange/exchange.ts";
import { shownAddress } from "../../helpers/exchange/shown-address.ts";
import { baseUrlName, type GatewayKey, gatewaySetting } from "../../helpers/target/names.ts";
import { areAlike, isRefusal } from "./answers.ts";
import { answeredCall, refusedKey, refusedLogIn } from "./credentials.ts";
import { type Cause, type Checked, type Conclusion, note, ok, wrong } from "./diagnosis.ts";
import type { Findings } from "./findings.ts";
import { diagnoseGate } from "./gate.ts";

export const diagnoseService = (
  found: Findings,
): { readonly checked: readonly Checked[]; readonly causes: readonly Cause[] } => {
  const of = found.contract.service;
  const checked: Checked[] = [];
  const causes: Cause[] = [];
  for (const [check, conclude, isLast] of STEPS) {
    const conclusion = conclude(found);
    if (conclusion === undefined) continue;
    const { state, result, text, kind = "configuration" } = conclusion;
    checked.push({ of, check, state, result });
    if (text === undefined) continue;
    causes.push({ of, kind, text });
    if (isLast) break;
  }
  return { checked, causes };
};

const connectionOf = (found: Findings): Conclusion => {
  const { lost, all, target, contract } = found;
  if (lost !== undefined) return wrong(lost, lost, "unreachable");
  const failure = all.find((exchange) => exchange.failure !== undefined)?.failure;
  if (failure !== undefined) return failed(found, failure);
  const statuses = [...new Set(all.map(statusOf))];
  if (all.length >= 2 && statuses.every((status) => status >= FAILED)) {
    const result = `every request is answered with ${statuses.join(" or ")}`;
    const text = `${result}: the server, or a gateway before it, fails. Try again when it is up.`;
    return wrong(result, text, "unreachable");
  }
  return ok(shownAddress(target.baseUrls[contract.service] ?? "").replace(/\/$/, ""));
};

const FAILED = 500;

/** Failures that only another configuration prevents. */
const CONFIGURED: readonly TransportFailure[] = [
  "not-allowed",
  "refused-certificate",
  "refused-by-proxy",
  "undecipherable",
];

const failed = (
  { contract: { service }, target }: Findings,
  { kind, message }: NonNullable<Exchange["failure"]>,
): Conclusion => {
  const advice = ADVICE[kind]?.map((key) => gatewaySetting(service, key)).join(", ");
  if (CONFIGURED.includes(kind))
    return wrong(message, advice === undefined ? message : `${message}: correct ${advice}`);
  const certificate = gatewaySetting(service, "CLIENT_CERTIFICATE");
  // Servers refuse a certificate of an unknown authority without a word.
  if (kind === "connection-lost" && target.values[certificate] !== undefined) {
    const text = `${message}: it does not seem to accept the client certificate; correct ${certificate}`;
    return wrong(message, text);
  }
  const isMissing = kind === "connection-lost" && target.baseUrls[service]?.startsWith("https:");
  const text = isMissing ? `${message}; if it asks for a client certificate, set ${certificate}` : message;
  return wrong(message, text, "unreachable");
};

const ADVICE: Partial<Record<TransportFailure, readonly GatewayKey[]>> = {
  "refused-certificate": ["CLIENT_CERTIFICATE", "CLIENT_KEY"],
  undecipherable: ["BODY_DECRYPTION_KEY"],
};

const pathOf = (found: Findings): Conclusion => {
  const { contract, all, answers, quote } = found;
  const name = isFromDocument() ? "--url" : baseUrlName(contract.service);
  const known = all.filter((one) => one !== answers.unknownPath);
  const [first] = known;
  if (first === undefined || answers.unknownPath === undefined) return note("not checked");
  const isRedirected = all.every((one) => Math.trunc(statusOf(one) / 100) === 3);
  const location = isRedirected ? first.response?.headers.location : undefined;
  if (location !== undefined) {
    const result = `every request is redirected to ${location}`;
    return wrong(result, `${result}: set ${name} to the address to which it leads.`);
  }
  const isMissing = all.every((one) => statusOf(one) === 404);
  if (isMissing && (areAlike(all) || known.some((one) => !isDocumented(found, one)))) {
    const result = "every path is answered with 404";
    return wrong(result, `${result}: ${prefixAdvice(found, name)}.`);
  }
  if (areAlike(all) && !isRefusal(first)) {
    const result = `every request gets the same answer, also for a path that does not exist: ${quote(first)}`;
    return wrong(result, `${result}: this is not the service. Correct ${name}.`);
  }
  return ok(`known; a path that does not exist is answered with ${statusOf(answers.unknownPath)}`);
};

const isDocumented = ({ contract, answers }: Findings, exchange: Exchange): boolean =>
  exchange === answers.otherSample ||
  contract.operations.find((one) => one.operationId === exchange.operationId)?.responses[404] !== undefined;

const prefixAdvice = ({ contract: { basePath, service }, target }: Findings, name: string): string => {
  const path = new URL(target.baseUrls[service] ?? "").pathname.replace(/\/+$/, "");
  if (basePath !== "" && !path.endsWith(basePath)) return `${name} must end with ${basePath}`;
  return `correct the path ${path === "" ? "/" : path} in ${name}; is a prefix missing or wrong`;
};

/** Seconds. Signatures and tokens allow about this difference. */
const TOLERATED_SKEW = 60;

const clockOf = ({ all }: Findings): Conclusion | undefined => {
  const dated = all.find(({ response }) => response?.headers.date !== undefined);
  const shown = Date.parse(dated?.response?.headers.date ?? "");
  if (dated === undefined || Number.isNaN(shown)) return undefined;
  const local = dated.startedAt.getTime() + dated.durationMs;
  const seconds = Math.round((shown - local) / 1000);
  const size = Math.abs(seconds);
  const result =
    size <= 2 ? "no difference" : `${size} s ${seconds > 0 ? "ahead of" : "behind"} this machine`;
  return size > TOLERATED_SKEW
    ? note(`${result}; set the clock of this machine, or times and signatures will be refused`)
    : ok(result);
};

/** The checks in their order. `isLast`: a cause that it finds explains all that follows. */
const STEPS: readonly (readonly [
  check: Checked["check"],
  conclude: (found: Findings) => Conclusion | undefined,
  isLast?: true,
])[] = [
  ["connection", connectionOf, true],
  ["path", pathOf, true],
  ["credentials", diagnoseGate, true],
  ["log-in", refusedLogIn],
  ["credentials", refusedKey],
  ["call", answeredCall],
  ["clock", clockOf],
];
