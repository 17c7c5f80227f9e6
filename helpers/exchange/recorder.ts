/** Redacts exchanges and texts before they are written, and renders exchanges as curl commands. */

import type { CheckResult } from "./check-result.ts";
import { type Address, createCommands } from "./commands.ts";
import type { Exchange, RecordedExchange } from "./exchange.ts";
import { excerpt, LONGEST_TEXT, type Redactor, record } from "./redact.ts";

/** A violation without its requirement. It contains no secrets. */
export interface RecordedViolation extends Omit<CheckResult, "holds" | "alone" | "suspected"> {
  readonly operationId: string;
  /** The exchange that shows the violation, then its control if there is one. */
  readonly exchanges: readonly RecordedExchange[];
  /** The command that shows the violation again; empty if no command can. */
  readonly curl: string;
}

export interface Recorder {
  record(exchange: Exchange): RecordedExchange;
  /**
   * @param shown the exchanges that show the violation, with the judged exchange first
   * @param isAlone whether the violation does not depend on other exchanges
   */
  violation(result: CheckResult, shown: readonly Exchange[], isAlone?: boolean): RecordedViolation;
  /** Returns a command that sends the request again, after the calls that create what it needs; empty if none can. */
  curl(exchange: Exchange): string;
  redact(text: string): string;
  /** Redacts a text that a server may have made too long to read, and cuts it. */
  excerpt(text: string): string;
  /** Notes an exchange of the run: what its requests invent is not secret, and what its cookies contain is. */
  see(exchange: Exchange): void;
  /**
   * Notes that the target was changed by other means than its API: what appears then in a copy can't be had again.
   * @param values what is known of the change
   */
  seeChange(values?: readonly string[]): void;
  /**
   * Registers a secret. From now on, only `name` is written.
   * @param origin the exchange that gave the secret, and the field of the JSON response: curl commands show how to get it
   */
  learn(
    value: string,
    name: string,
    origin?: { readonly exchange: Pick<Exchange, "request">; readonly field: string },
  ): void;
  /** Registers an id of the target, which stays readable. @param exchange the exchange that gave it */
  keep(id: string, exchange: Exchange): void;
}

/** @param addresses the addresses of a copy of the target, which is gone after the run */
export const createRecorder = (redactor: Redactor, addresses: readonly Address[] = []): Recorder => {
  const commands = createCommands(redactor, addresses);
  const recorded = (exchange: Exchange): RecordedExchange => record(commands.published(exchange), redactor);
  return {
    record: recorded,
    violation(result, shown, isAlone = true) {
      const { holds: _, ...redacted } = redactor.about(shown).result(result);
      const [first] = shown;
      const isShown = isAlone && (shown.length === 1 || result.alone === true);
      return {
        ...redacted,
        operationId: first?.operationId ?? "",
        exchanges: shown.slice(0, MOST_SHOWN).map(recorded),
        curl: first !== undefined && isShown ? commands.curl(first) : "",
      };
    },
    curl: commands.curl,
    redact: (text) => redactor.text(text),
    excerpt: (text) => excerpt(text, redactor, LONGEST_TEXT),
    see(exchange) {
      redactor.learnCookies(exchange);
      commands.see(exchange);
    },
    seeChange: (values = []) => commands.seeChange(values),
    learn(value, name, origin) {
      redactor.learn(value, name);
      if (origin !== undefined) commands.seeOrigin(name, origin.exchange, origin.field);
    },
    keep(id, exchange) {
      redactor.keep(id);
      commands.seeId(id, exchange);
    },
  };
};

const MOST_SHOWN = 3;
