/** Concludes from the answers of a service what is wrong with the configuration of a target. */

import { type Exchange, statusOf, type TransportFailure } from "../../helpers/exchange/exchange.ts";
import { type GatewayKey, gatewaySetting } from "../../helpers/gateway/settings.ts";
import { baseUrlName } from "../../helpers/target/names.ts";
import { allWith, areAlike, isRefusal, quote } from "./answers.ts";
import { refusedKey, refusedLogIn, refusedResource } from "./credentials.ts";
import type { Cause, Checked, State } from "./diagnosis.ts";
import type { Findings } from "./findings.ts";
import { diagnoseGate } from "./gate.ts";

/** @param redact removes secrets from the answers of the server */
export const diagnoseService = (
  found: Findings,
  redact: (text: string) => string,
): { readonly checked: readonly Checked[]; readonly causes: readonly Cause[] } => {
  const of = found.contract.service;
  const checked: Checked[] = [];
  const causes: Cause[] = [];
  const note = (check: Checked["check"], state: State, result: string): void => {
    checked.push({ of, check, state, result });
  };
  const blame = (
    check: Checked["check"],
    result: string,
    text: string,
    kind: Cause["kind"] = "configuration",
  ) => {
    note(check, "wrong", result);
    causes.push({ of, kind, text });
  };
  const connection = connectionOf(found);
  note("connection", connection === undefined ? "ok" : "wrong", connection?.result ?? addressOf(found));
  if (connection !== undefined) return { checked, causes: [{ of, ...connection.cause }] };
  const path = pathOf(found, redact);
  note("path", path.state, path.result);
  if (path.cause !== undefined) return { checked, causes: [{ of, ...path.cause }] };
  const gate = diagnoseGate(found, redact);
  if (gate?.text !== undefined) {
    blame("credentials", gate.result, gate.text);
    return { checked, causes };
  }
  for (const [check, problem] of [
    ["log-in", refusedLogIn(found, redact)],
    ["credentials", refusedKey(found, redact)],
    ["call", refusedResource(found, redact)],
  ] as const) {
    if (problem?.text !== undefined) blame(check, problem.result, problem.text, problem.kind);
    else if (problem !== undefined) note(check, problem.state, problem.result);
  }
  checked.push(...clockOf(found));
  return { checked, causes };
};

const addressOf = ({ target, contract }: Findings): string => {
  const url = new URL(target.baseUrls[contract.service] ?? "");
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
};

const FAILED = 500;

const connectionOf = (
  found: Findings,
): { readonly result: string; readonly cause: Omit<Cause, "of"> } | undefined => {
  const { lost } = found;
  if (lost !== undefined) return { result: lost, cause: { kind: "unreachable", text: lost } };
  const failure = found.all.find((exchange) => exchange.failure !== undefined)?.failure;
  if (failure !== undefined) return { result: failure.message, cause: causeOf(found, failure) };
  const statuses = [...new Set(found.all.map(statusOf))];
  if (found.all.length < 2 || !statuses.every((status) => status >= FAILED)) return undefined;
  const result = `every request is answered with ${statuses.join(" or ")}`;
  return {
    result,
    cause: {
      kind: "unreachable",
      text: `${result}: the server, or a gateway before it, fails. Try again when it is up.`,
    },
  };
};

/** Failures that only another configuration prevents. */
const CONFIGURED: readonly TransportFailure[] = [
  "not-allowed",
  "refused-certificate",
  "refused-by-proxy",
  "undecipherable",
];

const causeOf = (
  { contract: { service }, target }: Findings,
  { kind, message }: NonNullable<Exchange["failure"]>,
): Omit<Cause, "of"> => {
  const advice = ADVICE[kind]?.map((key) => gatewaySetting(service, key)).join(", ");
  if (CONFIGURED.includes(kind)) {
    return { kind: "configuration", text: advice === undefined ? message : `${message}: correct ${advice}` };
  }
  const certificate = gatewaySetting(service, "CLIENT_CERTIFICATE");
  // Servers refuse a certificate of an unknown authority without a word.
  if (kind === "connection-lost" && target.values[certificate] !== undefined) {
    const text = `${message}: it does not seem to accept the client certificate; correct ${certificate}`;
    return { kind: "configuration", text };
  }
  const isMissing = kind === "connection-lost" && target.baseUrls[service]?.startsWith("https:");
  return {
    kind: "unreachable",
    text: isMissing ? `${message}; if it asks for a client certificate, set ${certificate}` : message,
  };
};

const ADVICE: Partial<Record<TransportFailure, readonly GatewayKey[]>> = {
  "refused-certificate": ["CLIENT_CERTIFICATE", "CLIENT_KEY"],
  undecipherable: ["BODY_DECRYPTION_KEY"],
};

interface PathResult {
  readonly state: State;
  readonly result: string;
  readonly cause?: Omit<Cause, "of">;
}

const pathOf = (found: Findings, redact: (text: string) => string): PathResult => {
  const { contract, all, unknownPath } = found;
  const name = baseUrlName(contract.service);
  const known = all.filter((exchange) => exchange !== unknownPath);
  const [first] = all;
  if (first === undefined || unknownPath === undefined) return { state: "note", result: "not checked" };
  const wrong = (result: string, advice: string): PathResult => ({
    state: "wrong",
    result,
    cause: { kind: "configuration", text: `${result}: ${advice}` },
  });
  const location = all.every(isRedirect) ? first.response?.headers.location : undefined;
  if (location !== undefined) {
    return wrong(
      `every request is redirected to ${redact(location)}`,
      `set ${name} to the address to which it leads.`,
    );
  }
  if (allWith(all, 404) && (areAlike(all) || known.some((one) => !isDocumented(found, one)))) {
    return wrong("every path is answered with 404", `${prefixAdvice(found, name)}.`);
  }
  if (areAlike(all) && !isRefusal(first)) {
    const result = `every request gets the same answer, also for a path that does not exist: ${quote(first, redact)}`;
    return wrong(result, `this is not the service. Correct ${name}.`);
  }
  const status = statusOf(unknownPath);
  return { state: "ok", result: `known; a path that does not exist is answered with ${status}` };
};

const isRedirect = (exchange: Exchange): boolean => statusOf(exchange) >= 300 && statusOf(exchange) < 400;

const isDocumented = ({ contract }: Findings, { operationId }: Exchange): boolean =>
  contract.operations.find((one) => one.operationId === operationId)?.responses[404] !== undefined;

const prefixAdvice = ({ contract: { basePath, service }, target }: Findings, name: string): string => {
  const path = new URL(target.baseUrls[service] ?? "").pathname.replace(/\/+$/, "");
  if (basePath !== "" && !path.endsWith(basePath)) return `${name} must end with ${basePath}`;
  return `correct the path ${path === "" ? "/" : path} in ${name}; is a prefix missing or wrong`;
};

/** Seconds. Signatures and tokens allow about this difference. */
const TOLERATED_SKEW = 60;

const clockOf = (found: Findings): Checked[] => {
  const dated = found.all.find(({ response }) => response?.headers.date !== undefined);
  const shown = Date.parse(dated?.response?.headers.date ?? "");
  if (dated === undefined || Number.isNaN(shown)) return [];
  const local = dated.startedAt.getTime() + dated.durationMs;
  const seconds = Math.round((shown - local) / 1000);
  const size = Math.abs(seconds);
  const result =
    size <= 2 ? "no difference" : `${size} s ${seconds > 0 ? "ahead of" : "behind"} this machine`;
  const advice =
    size > TOLERATED_SKEW ? "; set the clock of this machine, or times and signatures will be refused" : "";
  const state = size > TOLERATED_SKEW ? "note" : "ok";
  return [{ of: found.contract.service, check: "clock", state, result: `${result}${advice}` }];
};
