/**
 * The log of recorded traffic: NDJSON, append-only, redacted. The first line describes the recording, each other line is
 * an exchange or the end of a run of the client. A line is written before the client gets the end of its response, so that the log is
 * complete even if the recording process is killed.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Contract, Service } from "../contract/contract.ts";
import { type CheckResult, HOLDS } from "../exchange/check-result.ts";
import type { Exchange, RecordedExchange } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import { type Redactor, record } from "../exchange/redact.ts";
import { visible } from "../exchange/visible.ts";
import type { Match } from "./match.ts";
import { type Ending, type Marks, type Seen, type StoredResult, seenOf } from "./seen.ts";

export const LOG_FORMAT = "traffic/1";

export interface LogHead {
  readonly format: typeof LOG_FORMAT;
  readonly target: string;
  readonly baseUrls: Readonly<Record<Service, string>>;
  readonly startedAt: string;
  /** The documents by which the requests were judged; a log of an earlier release has none. */
  readonly documents?: Readonly<Record<Service, LoggedDocument>>;
}

export interface LoggedDocument {
  readonly version: string;
  readonly digest: string;
  /** The provider's document; absent for the contract that comes with the product. */
  readonly file?: string;
}

export const loggedDocument = ({ version, digest, provider }: Contract): LoggedDocument =>
  provider ?? { version, digest };

export interface LogLine extends RecordedExchange {
  readonly service: Service;
  readonly client: string;
  readonly marks: Marks;
  /** Ids of requirements that the request meets. */
  readonly met?: readonly string[];
  /** Violations by the request. */
  readonly judged?: readonly (StoredResult & Pick<CheckResult, "suspected">)[];
  readonly exercises?: readonly string[];
  /** The pointers of the fields that were decrypted. Their values are not written. */
  readonly opened?: readonly string[];
}

export interface LogEnd extends Ending {
  readonly end: string;
}

/** Bodies are stored up to this number of characters, so that later judging can read them. */
const KEPT = 262_144;

/** @throws Error when the file can't be written */
export const openLog = (path: string, head: Omit<LogHead, "format">, redactor: Redactor) => {
  const file = openSync(path, "a", 0o600);
  const write = (line: object): void => void writeSync(file, `${visible(JSON.stringify(line))}\n`);
  write({ format: LOG_FORMAT, ...head } satisfies LogHead);
  return {
    add(
      { exchange, service, client, marks, exercises, opened }: Seen,
      judged: readonly StoredResult[],
    ): void {
      const own = redactor.about([exchange]);
      const violations = judged.flatMap(({ requirement, result: { suspected, ...result } }) =>
        result.holds ? [] : [{ requirement, ...(suspected && { suspected }), result: own.result(result) }],
      );
      const met = new Set(judged.flatMap(({ requirement, result }) => (result.holds ? [requirement] : [])));
      const line: LogLine = {
        ...record(exchange, redactor, KEPT),
        service,
        client: own.text(client),
        marks,
        ...(met.size > 0 && { met: [...met] }),
        ...(violations.length > 0 && { judged: violations }),
        ...(exercises.length > 0 && { exercises }),
        ...(Object.keys(opened).length > 0 && { opened: Object.keys(opened).map(own.text) }),
      };
      write(line);
    },
    end: (ending: Ending): void => write({ end: new Date().toISOString(), ...ending } satisfies LogEnd),
    close: (): void => closeSync(file),
  };
};

/**
 * @param match the operation of the line, and what its contract states
 * @param storedBy the digest of the document by which the line was judged
 */
export const seenOfLine = (line: LogLine, match: Omit<Match, "service">, storedBy?: string): Seen => {
  const { id, service, request, response, failure, durationMs } = line;
  const operationId = match.operation?.operationId ?? "";
  const { json: requestJson, numeric } = jsonOf(Buffer.from(request.body ?? ""));
  const bytes = Buffer.from(response?.body ?? "");
  const exchange: Exchange = {
    ...{ id, service, operationId, request, requestJson, durationMs },
    ...(response && { response: { ...response, body: bytes, ...jsonOf(bytes) } }),
    ...(failure !== undefined && { failure: failureOf(failure) }),
    startedAt: new Date(line.startedAt ?? Number.NaN),
  };
  return seenOf(
    exchange,
    { ...match, service },
    {
      ...(numeric !== undefined && { numeric }),
      client: line.client,
      marks: line.marks,
      opened: Object.fromEntries((line.opened ?? []).map((pointer) => [pointer, undefined])),
      stored: [
        ...(line.met ?? []).map((requirement) => ({ requirement, result: HOLDS })),
        ...(line.judged ?? []).map(({ requirement, suspected, result }) => ({
          requirement,
          result: { ...result, ...(suspected && { suspected }) },
        })),
      ],
      exercises: line.exercises ?? [],
      ...(storedBy !== undefined && { storedBy }),
    },
  );
};

const failureOf = (text: string): NonNullable<Seen["exchange"]["failure"]> => {
  const [kind = "connection-lost", ...message] = text.split(": ");
  return { kind: kind as "connection-lost", message: message.join(": ") };
};
