/** Reads recorded traffic: our log, or HTTP archives of any tool, optionally compressed with gzip. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { commandName } from "../contract/code.ts";
import type { Contract, Service } from "../contract/contract.ts";
import { operationsById } from "../contract/lookups.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Redactor } from "../exchange/redact.ts";
import { ConfigurationError } from "../target/load-target.ts";
import { isAbsent } from "./absent.ts";
import { entriesIn, openArchive, withLeftOut } from "./archive.ts";
import { createBaseFinder } from "./bases.ts";
import { createCapture } from "./capture.ts";
import { exchangeOfEntry, type HarEntry, isHttpRequest, textIn } from "./har.ts";
import {
  LOG_FORMAT,
  type LogEnd,
  type LoggedDocument,
  type LogHead,
  type LogLine,
  seenOfLine,
} from "./log.ts";
import { isPlaceholder } from "./masks.ts";
import { createMatcher } from "./match.ts";
import { linesOf, objectIn, partsOf } from "./parts.ts";
import type { Ending, Seen } from "./seen.ts";

/** The facts about a recording besides its exchanges. It is complete when all files are read. */
export interface Reading {
  /** The number of exchanges with other hosts, by origin. They are not judged. */
  readonly foreign: Map<string, number>;
  /** Messages about files that are incomplete or unclear. */
  readonly notes: string[];
  /** The number of entries that could not be read as exchanges. */
  unreadable: number;
  /** The number of bodies that archives do not contain. */
  absentBodies: number;
  /** The names of headers that an archive shows in no request. */
  readonly leftOut: Set<string>;
  /** The number of exchanges with values that were masked when they were recorded. */
  masked: number;
  /** The number of exchanges whose start is missing. */
  untimed: number;
  ending: Ending;
  /** Receives the end of a run of the client before another one in the same recording. */
  readonly onRun: (ending: Ending) => void;
}

export const startReading = (onRun: Reading["onRun"] = () => {}): Reading => ({
  onRun,
  foreign: new Map(),
  notes: [],
  unreadable: 0,
  absentBodies: 0,
  leftOut: new Set(),
  masked: 0,
  untimed: 0,
  ending: {},
});

/** @throws ConfigurationError when a file can't be read, or is neither a log nor an archive */
export async function* readTraffic(
  files: readonly string[],
  contracts: readonly Contract[],
  baseUrls: Readonly<Record<Service, string>>,
  reading: Reading,
  redactor: Pick<Redactor, "learn" | "names">,
): AsyncGenerator<Seen> {
  const capture = createCapture(contracts, baseUrls, redactor);
  const match = createMatcher(contracts, baseUrls);
  for (const file of files) {
    const all = (await isLog(file))
      ? logged(file, contracts, reading)
      : archived(file, capture, match, reading);
    for await (const seen of all) {
      if (Number.isNaN(seen.start)) reading.untimed += 1;
      yield seen;
    }
  }
}

/** Returns the exchanges of a log, and notes where its clock went back. */
async function* logged(file: string, contracts: readonly Contract[], reading: Reading): AsyncGenerator<Seen> {
  let last = Number.NEGATIVE_INFINITY;
  let steps = 0;
  for await (const seen of logEntries(file, contracts, reading)) {
    const isBack = seen.end < last - STEP;
    if (isBack) steps += 1;
    last = isBack ? seen.end : Math.max(last, seen.end);
    yield seen;
  }
  if (steps > 0)
    reading.notes.push(`${file}: the clock went back ${times(steps)}; no time is judged across that.`);
}

/** Exchanges are logged at their end, except that a slow one may be judged late. */
const STEP = 600_000;

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

const isLog = async (file: string): Promise<boolean> => {
  for await (const part of await partsOf(file)) {
    return String(part).trimStart().startsWith(`{"format":"${LOG_FORMAT}"`);
  }
  throw new ConfigurationError(
    `${file} is empty: give a log of ${commandName("proxy")}, or an HTTP archive (HAR).`,
  );
};

/** Reads a body from a file in the folder of the archive. */
const attachedTo = (archive: string, name: string): Buffer | undefined => {
  try {
    return readFileSync(join(dirname(archive), basename(name)));
  } catch {
    return undefined;
  }
};

const numbers = { last: 0 };

/** Returns the exchanges of an archive with the services. */
async function* archived(
  file: string,
  capture: ReturnType<typeof createCapture>,
  match: ReturnType<typeof createMatcher>,
  reading: Reading,
): AsyncGenerator<Seen> {
  const archive = await openArchive(file);
  const onProblem = (problem: string): void =>
    void reading.notes.push(`${file}: ${problem}; the exchanges before that are judged.`);
  for await (const text of archive.entries(onProblem)) {
    const entry = objectIn<HarEntry>(text) ?? {};
    const exchange = exchangeOfEntry(entry, `h-${++numbers.last}`, (name) => attachedTo(file, name));
    if (exchange === undefined) {
      reading.unreadable += 1;
      continue;
    }
    const url = new URL(exchange.request.url);
    const found = match(exchange.request.method, url);
    const leftOut = found === undefined ? [] : archive.leftOut(exchange, found);
    const address = textIn(entry._clientAddress) ?? "";
    const seen = capture({ exchange: withLeftOut(exchange, leftOut), address, exercises: [] });
    if (seen === undefined) reading.foreign.set(url.origin, (reading.foreign.get(url.origin) ?? 0) + 1);
    else {
      noteMissing(exchange, reading);
      for (const name of leftOut) reading.leftOut.add(name);
      yield seen;
    }
  }
}

const noteMissing = ({ request, response }: Exchange, reading: Reading): void => {
  const bodies = [request.body, response?.body];
  for (const body of bodies) if (isAbsent(body)) reading.absentBodies += 1;
  const texts = [...Object.values(request.headers), ...bodies.filter((body) => !isAbsent(body)).map(String)];
  if (texts.some(isPlaceholder)) reading.masked += 1;
};

async function* logEntries(
  file: string,
  contracts: readonly Contract[],
  reading: Reading,
): AsyncGenerator<Seen> {
  let head: LogHead | undefined;
  let ended = false;
  let matcher: ReturnType<typeof createMatcher> | undefined;
  for await (const text of linesUntilProblem(file, reading)) {
    const line = objectIn<LogHead | LogEnd | LogLine>(text);
    if (line === undefined) {
      reading.unreadable += 1;
    } else if ("format" in line) {
      head = line;
      ended = false;
      matcher = createMatcher(contracts, head.baseUrls);
    } else if ("end" in line) {
      ended = true;
      if (line.exitCode !== undefined) reading.ending = { exitCode: line.exitCode };
    } else if (!isHttpRequest(line.request)) {
      reading.unreadable += 1;
    } else {
      const { method, url } = line.request;
      const contract = contracts.find(({ service }) => service === line.service);
      if (contract === undefined) continue;
      if (ended) reading.onRun(reading.ending);
      ended = false;
      // Another document may have the operation at another place, or not at all.
      const found = URL.canParse(url) ? matcher?.(method, new URL(url)) : undefined;
      const { securitySchemes } = contract;
      const { operation, path = {} } = found ?? { operation: operationsById(contract).get(line.operationId) };
      yield seenOfLine(line, { securitySchemes, operation, path }, head?.documents?.[line.service]?.digest);
    }
  }
  if (!ended) reading.notes.push(`${file}: the recording was ended before it could close the log.`);
}

/** Returns the lines before the end of a file that is cut off or damaged. */
async function* linesUntilProblem(file: string, { notes }: Reading): AsyncGenerator<string> {
  try {
    yield* linesOf(file);
  } catch (error) {
    notes.push(`${file}: ${(error as Error).message}; the exchanges before that are judged.`);
  }
}

/** Returns the documents by which recorded traffic was judged, as far as its logs state them. */
export const documentsOf = async (files: readonly string[]): Promise<NonNullable<LogHead["documents"]>> => {
  const known: Record<Service, LoggedDocument> = {};
  for (const file of files) if (await isLog(file)) Object.assign(known, (await headOf(file))?.documents);
  return known;
};

const headOf = async (file: string): Promise<Partial<LogHead> | undefined> => {
  for await (const text of linesOf(file)) return objectIn<Partial<LogHead>>(text);
  return undefined;
};

/** Returns the base URLs that recorded traffic uses. */
export const findBases = async (
  files: readonly string[],
  contracts: readonly Contract[],
): Promise<Readonly<Record<Service, string>>> => {
  const finder = createBaseFinder(contracts);
  const known: Record<Service, string> = {};
  for (const file of files) {
    if (await isLog(file)) {
      Object.assign(known, (await headOf(file))?.baseUrls);
      continue;
    }
    for await (const text of entriesIn(file)) {
      const { request } = objectIn<HarEntry>(text) ?? {};
      const url = textIn(request?.url) ?? "";
      if (URL.canParse(url)) finder.add(textIn(request?.method) ?? "", new URL(url));
    }
  }
  return { ...finder.found(), ...known };
};
