/** Redacts exchanges and texts before they are written, and renders exchanges as curl commands. */

import { toCurl } from "./curl.ts";
import type { Exchange, RecordedExchange } from "./exchange.ts";
import { type Redactor, record } from "./redact.ts";

export interface Recorder {
  record(exchange: Exchange): RecordedExchange;
  curl(exchange: Exchange): string;
  redact(text: string): string;
  /** Registers a secret. From now on, only `name` is written. */
  learn(value: string, name: string): void;
  /** Registers an id of the target, which stays readable. */
  keep(id: string): void;
}

export const createRecorder = (redactor: Redactor): Recorder => ({
  record: (exchange) => record(exchange, redactor),
  curl: (exchange) => toCurl(exchange, redactor),
  redact: (text) => redactor.text(text),
  learn: (value, name) => redactor.learn(value, name),
  keep: (id) => redactor.keep(id),
});
