/** Redacts exchanges and texts before they are written, and renders exchanges as curl commands. */

import type { CheckResult } from "../checks/check.ts";
import { toCurl } from "./curl.ts";
import type { Exchange, RecordedExchange } from "./exchange.ts";
import { excerpt, LONGEST_TEXT, type Redactor, record } from "./redact.ts";

/** A violation without its requirement. It contains no secrets. */
export interface RecordedViolation extends Omit<CheckResult, "holds"> {
  readonly operationId: string;
  /** The exchange that shows the violation, then its control if there is one. */
  readonly exchanges: readonly RecordedExchange[];
  readonly curl: string;
}

export interface Recorder {
  record(exchange: Exchange): RecordedExchange;
  /** @param shown the exchanges that show the violation, with the judged exchange first */
  violation(result: CheckResult, shown: readonly Exchange[]): RecordedViolation;
  curl(exchange: Exchange): string;
  redact(text: string): string;
  /** Redacts a text that a server may have made too long to read, and cuts it. */
  excerpt(text: string): string;
  /**
   * Registers a secret. From now on, only `name` is written.
   * @param origin the exchange that gave the secret, and the field of the response: curl commands show how to get it
   */
  learn(value: string, name: string, origin?: Origin): void;
  /** Registers an id of the target, which stays readable. */
  keep(id: string): void;
}

interface Origin {
  readonly exchange: Exchange;
  /** The name of a field in a JSON response. */
  readonly field: string;
}

export const createRecorder = (redactor: Redactor): Recorder => {
  const origins = new Map<string, string>();
  const curl = (exchange: Exchange): string => {
    const command = toCurl(exchange, redactor);
    const needed = [...origins].filter(([name]) => new RegExp(`\\$\\{?${name}\\b`).test(command));
    return [...needed.map(([, origin]) => origin), command].join("; ");
  };
  return {
    record: (exchange) => record(exchange, redactor),
    violation(result, shown) {
      const { holds: _, ...redacted } = redactor.about(shown).result(result);
      const [first] = shown;
      return {
        ...redacted,
        operationId: first?.operationId ?? "",
        exchanges: shown.slice(0, MOST_SHOWN).map((exchange) => record(exchange, redactor)),
        curl: first === undefined ? "" : curl(first),
      };
    },
    curl,
    redact: (text) => redactor.text(text),
    excerpt: (text) => excerpt(text, redactor, LONGEST_TEXT),
    learn(value, name, origin) {
      redactor.learn(value, name);
      if (origin !== undefined)
        origins.set(name, `${name}=$(${toCurl(origin.exchange, redactor)} | ${printField(origin.field)})`);
    },
    keep: (id) => redactor.keep(id),
  };
};

const MOST_SHOWN = 3;

/** Returns a command that prints the value of a field in JSON. */
const printField = (field: string): string => `sed -n 's/.*"${field}" *: *"\\([^"]*\\)".*/\\1/p'`;
