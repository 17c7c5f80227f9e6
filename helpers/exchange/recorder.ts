/** Redacts exchanges and texts before they are written, and renders exchanges as curl commands. */

import { toCurl } from "./curl.ts";
import type { Exchange, RecordedExchange } from "./exchange.ts";
import { type Redactor, record } from "./redact.ts";

export interface Recorder {
  record(exchange: Exchange): RecordedExchange;
  curl(exchange: Exchange): string;
  redact(text: string): string;
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
  return {
    record: (exchange) => record(exchange, redactor),
    curl(exchange) {
      const command = toCurl(exchange, redactor);
      const needed = [...origins].filter(([name]) => new RegExp(`\\$\\{?${name}\\b`).test(command));
      return [...needed.map(([, origin]) => origin), command].join("; ");
    },
    redact: (text) => redactor.text(text),
    learn(value, name, origin) {
      redactor.learn(value, name);
      if (origin !== undefined)
        origins.set(name, `${name}=$(${toCurl(origin.exchange, redactor)} | ${printField(origin.field)})`);
    },
    keep: (id) => redactor.keep(id),
  };
};

/** Returns a command that prints the value of a field in JSON. */
const printField = (field: string): string => `sed -n 's/.*"${field}" *: *"\\([^"]*\\)".*/\\1/p'`;
