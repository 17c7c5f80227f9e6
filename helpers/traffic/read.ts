/** Reads recorded traffic: our log, or HTTP archives of any tool, optionally compressed with gzip. */

import { createReadStream, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { commandName } from "../contract/code.ts";
import type { Contract, Service } from "../contract/contract.ts";
import { oncePer } from "../contract/once.ts";
import { fileProblem } from "../run/file-problem.ts";
import { ConfigurationError } from "../target/load-target.ts";
import { isAbsent } from "./absent.ts";
import { createBaseFinder } from "./bases.ts";
import { createCapture } from "./capture.ts";
import { exchangeOfEntry, type HarEntry, textIn } from "./har.ts";
import { createEntryReader } from "./har-entries.ts";
import { LOG_FORMAT, type LogEnd, type LogHead, type LogLine, seenOfLine } from "./log.ts";
import { isPlaceholder } from "./masks.ts";
import { createMatcher } from "./match.ts";
import type { Ending, Seen } from "./seen.ts";

/** What was read besides exchanges. It is complete when all files are read. */
export interface Reading {
  /** The number of exchanges with other hosts, by origin. They are not judged. */
  readonly foreign: Map<string, number>;
  /** Messages about files that are incomplete or unclear. */
  readonly notes: string[];
  /** The number of entries that could not be read as exchanges. */
  unreadable: number;
  /** The number of bodies that archives do not contain. */
  absentBodies: number;
  /** The number of exchanges with values that were masked when they were recorded. */
  masked: number;
  /** The number of exchanges whose start is missing. */
  untimed: number;
  ending: Ending;
}

export const startReading = (): Reading => ({
  foreign: new Map(),
  notes: [],
  unreadable: 0,
  absentBodies: 0,
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
): AsyncGenerator<Seen> {
  const capture = createCapture(contracts, baseUrls);
  for (const file of files) {
    const entries = (await isLog(file)) ? logEntries(file, contracts, reading) : archived(file, reading);
    let last = Number.NEGATIVE_INFINITY;
    let steps = 0;
    for await (const entry of entries) {
      const seen = "request" in entry ? seenOf(file, entry, capture, reading) : entry;
      if (seen === undefined) continue;
      if (Number.isNaN(seen.start)) reading.untimed += 1;
      const isBack = seen.end < last - STEP;
      if (isBack) steps += 1;
      last = isBack ? seen.end : Math.max(last, seen.end);
      yield seen;
    }
    if (steps > 0)
      reading.notes.push(`${file}: the clock went back ${times(steps)}; no time is judged across that.`);
  }
}

/** Entries of archives are sorted by start, so their ends may be this far apart. */
const STEP = 600_000;

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** Returns the text of a file in parts. Decompresses gzip. */
const partsOf = async (file: string): Promise<Readable> => {
  const first = await firstBytes(file);
  if (first.subarray(0, 4).equals(ZIP)) {
    throw new ConfigurationError(
      `${file} is a ZIP file: unzip it, and give the archive (HAR) in its folder, with the files beside it.`,
    );
  }
  const isCompressed = first.subarray(0, 2).equals(GZIP);
  const source = createReadStream(file);
  return isCompressed ? source.pipe(createGunzip()) : source;
};

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from("PK\u0003\u0004");

const firstBytes = async (file: string): Promise<Buffer> => {
  try {
    const handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    await handle.close();
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw new ConfigurationError(`${file} can't be read: ${fileProblem(error)}`);
  }
};

const isLog = async (file: string): Promise<boolean> => {
  for await (const part of await partsOf(file)) {
    return String(part).trimStart().startsWith(`{"format":"${LOG_FORMAT}"`);
  }
  throw new ConfigurationError(
    `${file} is empty: give a log of ${commandName("proxy")}, or an HTTP archive (HAR).`,
  );
};

const seenOf = (
  file: string,
  entry: HarEntry,
  capture: ReturnType<typeof createCapture>,
  reading: Reading,
) => {
  const exchange = exchangeOfEntry(entry, `h-${++numbers.last}`, (name) => attachedTo(file, name));
  if (exchange === undefined) {
    reading.unreadable += 1;
    return undefined;
  }
  const seen = capture({ exchange, address: textIn(entry._clientAddress) ?? "", exercises: [] });
  if (seen === undefined) {
    const { origin } = new URL(exchange.request.url);
    reading.foreign.set(origin, (reading.foreign.get(origin) ?? 0) + 1);
  } else {
    const { request, response } = exchange;
    const bodies = [request.body, response?.body];
    for (const body of bodies) if (isAbsent(body)) reading.absentBodies += 1;
    const texts = [
      ...Object.values(request.headers),
      ...bodies.filter((body) => !isAbsent(body)).map(String),
    ];
    if (texts.some(isPlaceholder)) reading.masked += 1;
  }
  return seen;
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

async function* archived(
  file: string,
  reading: Reading,
): AsyncGenerator<HarEntry & Required<Pick<HarEntry, "request">>> {
  const reader = createEntryReader();
  try {
    for await (const part of await partsOf(file)) {
      for (const text of reader.add(part as Buffer)) {
        const entry = parsed(text);
        if (entry === undefined) reading.unreadable += 1;
        else yield { request: null, ...entry };
      }
    }
  } catch (error) {
    reading.notes.push(`${file}: ${(error as Error).message}; the exchanges before that are judged.`);
  }
  const problem = reader.problem();
  if (problem !== undefined) reading.notes.push(`${file}: ${problem}; the exchanges before that are judged.`);
}

const parsed = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
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
    const line = parsed(text) as LogHead | LogEnd | LogLine | undefined;
    if (line === undefined) {
      reading.unreadable += 1;
    } else if ("format" in line) {
      head = line;
      ended = false;
      matcher = createMatcher(contracts, head.baseUrls);
    } else if ("end" in line) {
      ended = true;
      if (line.exitCode !== undefined) reading.ending = { exitCode: line.exitCode };
    } else {
      const { method, url } = line.request;
      const contract = contracts.find(({ service }) => service === line.service);
      if (contract === undefined) continue;
      yield seenOfLine(line, {
        securitySchemes: contract.securitySchemes,
        operation: operationsById(contract).get(line.operationId),
        path: URL.canParse(url) ? (matcher?.(method, new URL(url))?.path ?? {}) : {},
      });
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

const operationsById = oncePer(
  ({ operations }: Contract) => new Map(operations.map((operation) => [operation.operationId, operation])),
);

/** Returns the lines of a file, without an incomplete last line. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const part of await partsOf(file)) {
    const lines = (rest + decoder.decode(part as Buffer, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield line;
  }
}

/** Returns the base URLs that recorded traffic uses. */
export const findBases = async (
  files: readonly string[],
  contracts: readonly Contract[],
): Promise<Readonly<Record<Service, string>>> => {
  const finder = createBaseFinder(contracts);
  const known: Record<Service, string> = {};
  for (const file of files) {
    if (await isLog(file)) {
      for await (const text of linesOf(file)) {
        const line = parsed(text) as Partial<LogHead> | undefined;
        if (line?.format === LOG_FORMAT) Object.assign(known, line.baseUrls);
        break;
      }
      continue;
    }
    for await (const { request } of archived(file, startReading())) {
      const url = textIn(request?.url) ?? "";
      if (URL.canParse(url)) finder.add(textIn(request?.method) ?? "", new URL(url));
    }
  }
  return { ...finder.found(), ...known };
};
