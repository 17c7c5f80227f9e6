/** Turns exchanges and texts into what may be written: redacted, with curl that shows an exchange again. */

import { toCurl } from "./curl.ts";
import type { Exchange, RecordedExchange } from "./exchange.ts";
import { type Redactor, record } from "./redact.ts";

export interface Recorder {
  record(exchange: Exchange): RecordedExchange;
  curl(exchange: Exchange): string;
  redact(text: string): string;
  /** From now on the value is written as `name` only. */
  learn(value: string, name: string): void;
}

export const createRecorder = (redactor: Redactor): Recorder => ({
  record: (exchange) => record(exchange, redactor),
  curl: (exchange) => toCurl(exchange, redactor),
  redact: (text) => redactor.text(text),
  learn: (value, name) => redactor.learn(value, name),
});
