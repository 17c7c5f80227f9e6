/** Turns the failures of a ledger into findings: the same failure of several trials is one finding. */
import { join, relative } from "node:path";
import { isExpired } from "../helpers/accept/acceptance.ts";
import { fingerprintOf } from "../helpers/accept/fingerprint.ts";
import type { Service } from "../helpers/contract/contract.ts";
import type { Failure } from "../helpers/trials/failure.ts";
import type { LedgerEntry } from "../helpers/trials/ledger.ts";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import type { Finding } from "./certificate.ts";
import { byText } from "./order.ts";

interface Shown extends Failure {
  readonly requirement: string;
  readonly fingerprint: string;
}

/** Numbered `f-1`, `f-2`, … by requirement, operation and message; each is told by its smallest example. */
export const collectFindings = (run: RunInfo, entries: readonly LedgerEntry[]): Finding[] => {
  const smallest = new Map<string, Shown>();
  for (const { requirement, failure } of entries) {
    if (!failure) continue;
    const fingerprint = fingerprintOf(requirement, failure);
    const shown = { ...failure, requirement, fingerprint };
    const known = smallest.get(fingerprint);
    if (!known || bySize(shown, known) < 0) smallest.set(fingerprint, shown);
  }
  return [...smallest.values()].sort(byPlace).map((shown, index) => ({
    id: `f-${index + 1}`,
    requirement: shown.requirement,
    operationId: shown.operationId,
    pointer: shown.pointer,
    message: shown.message,
    expected: shown.expected,
    actual: shown.actual,
    exchanges: shown.exchanges,
    ...(shown.sequence && { sequence: shown.sequence }),
    curl: shown.curl,
    replay: shown.sequence ? sequenceLine(run, `f-${index + 1}`) : replayLine(run, shown.requirement),
    fingerprint: shown.fingerprint,
    ...acceptedBy(run, shown.fingerprint),
  }));
};

/** An entry that has expired accepts nothing any more. */
const acceptedBy = (run: RunInfo, fingerprint: string): Pick<Finding, "accepted"> => {
  const entry = run.accepted?.entries.find((one) => one.fingerprint === fingerprint);
  if (!entry || isExpired(entry, new Date(run.startedAt))) return {};
  const { owner, reason, expires } = entry;
  return { accepted: { owner, reason, expires } };
};

const byPlace = (a: Shown, b: Shown): number =>
  byText(a.requirement, b.requirement) ||
  byText(a.operationId, b.operationId) ||
  byText(a.message, b.message) ||
  byText(a.pointer, b.pointer);

/** Texts break a tie, so that the order in which trials end does not choose the example. */
const bySize = (a: Shown, b: Shown): number =>
  stepsOf(a) - stepsOf(b) ||
  sizeOf(a) - sizeOf(b) ||
  byText(a.curl, b.curl) ||
  byText(a.actual, b.actual) ||
  byText(a.expected, b.expected);

const stepsOf = ({ sequence }: Failure): number => sequence?.length ?? 1;

const sizeOf = ({ exchanges, curl }: Failure): number => {
  const request = exchanges[0]?.request;
  return request ? request.url.length + (request.body?.length ?? 0) : curl.length;
};

/** The steps stand in the certificate, so that no generation is needed to take them again. */
const sequenceLine = (run: RunInfo, id: string): string => {
  const certificate = join(relative(process.cwd(), run.out), "certificate.json");
  const target = run.target.embedded ? [] : [`--target ${quoted(run.target.name)}`];
  return ["npm run replay --", quoted(certificate), id, ...target].join(" ");
};

const replayLine = (run: RunInfo, requirement: string): string => {
  const service = serviceOf(run, requirement);
  const file = run.contracts.find((contract) => contract.service === service)?.providerFile;
  return [
    "npm run certify --",
    ...(run.target.embedded ? [] : [`--target ${quoted(run.target.name)}`]),
    `--service ${service}`,
    ...(file === undefined ? [] : [`--contract ${quoted(`${service}=${file}`)}`]),
    `--requirement ${quoted(requirement)}`,
    `--seed ${run.seed}`,
    `--depth ${run.depth}`,
  ].join(" ");
};

/** Every requirement id starts with its service. */
const serviceOf = (run: RunInfo, requirement: string): Service | undefined =>
  run.services.find((service) => requirement.startsWith(`${service}.`));

const quoted = (word: string): string =>
  /^[\w.,:=@%+/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
