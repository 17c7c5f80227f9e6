/** Redacts exchanges and texts before they are written, and renders exchanges as curl commands. */
import type { CheckResult } from "./check-result.ts";
import { type Address, createCommands, type NoCommand } from "./commands.ts";
import type { Exchange, RecordedExchange } from "./exchange.ts";
import { excerpt, LONGEST_TEXT, type Redactor, record } from "./redact.ts";
import type { GivenId, Sent } from "./repeatable.ts";

/** A violation without its requirement. It contains no secrets. */
export interface RecordedViolation extends Omit<CheckResult, "holds" | "alone" | "suspected"> {
  readonly operationId: string;
  /** The exchange that shows the violation, then its control if there is one. */
  readonly exchanges: readonly RecordedExchange[];
  /** The command that shows the violation again; empty if no command can. */
  readonly curl: string;
  /** Why no command can. */
  readonly noCurl?: NoCommand;
}

export interface Recorder {
  record(exchange: Exchange): RecordedExchange;
  /**
   * @param shown the exchanges that show the violation, with the judged exchange first
   * @param earlier the calls on which the violation depends, or why no calls lead to it
   */
  violation(
    result: CheckResult,
    shown: readonly Exchange[],
    earlier?: readonly Exchange[] | NoCommand,
  ): RecordedViolation;
  /** Returns a command that sends the request again, after the calls that create what it needs; empty if none can. */
  curl(exchange: Exchange): string;
  redact(text: string): string;
  /** Redacts a text that a server may have made too long to read, and cuts it. */
  excerpt(text: string): string;
  /** Notes an exchange of the run: what its requests invent is not secret, and what its cookies contain is. */
  see(exchange: Exchange): void;
  /**
   * Notes that the target was changed by other means than its API: what appears then in a copy can't be had again.
   * @param values the identifiers of what was changed
   */
  seeChange(values: readonly string[]): void;
  /**
   * Registers a secret. From now on, only `name` is written.
   * @param origin the exchange that gave the secret, and the field of the JSON response: curl commands show how to get it
   */
  learn(value: string, name: string, origin?: { readonly exchange: Sent; readonly field: string }): void;
  /** Registers an identifier of the target, which stays readable. @param exchange the exchange that gave it */
  keep(id: GivenId, exchange: Exchange): void;
}

/** @param addresses see `createCommands` */
export const createRecorder = (
  redactor: Redactor,
  addresses: readonly Address[] = [],
  idsShown?: Parameters<typeof createCommands>[2],
): Recorder => {
  const commands = createCommands(redactor, addresses, idsShown);
  const recorded = (exchange: Exchange): RecordedExchange => record(commands.published(exchange), redactor);
  return {
    record: recorded,
    violation(result, shown, earlier = []) {
      const { holds: _, ...redacted } = redactor.about(shown).result(result);
      const [first, ...compared] = shown;
      const calls = first?.isReceived ? "delivery" : earlier;
      return {
        ...redacted,
        operationId: first?.operationId ?? "",
        exchanges: shown.slice(0, MOST_SHOWN).map(recorded),
        ...(first === undefined || typeof calls === "string"
          ? { curl: "", noCurl: typeof calls === "string" ? calls : "actions" }
          : commands.curl(first, calls, result.alone === true ? [] : compared)),
      };
    },
    curl: (exchange) => commands.curl(exchange).curl,
    redact: (text) => redactor.text(text),
    excerpt: (text) => excerpt(text, redactor, LONGEST_TEXT),
    see(exchange) {
      redactor.learnCookies(exchange);
      commands.see(exchange);
    },
    seeChange: commands.seeChange,
    learn(value, name, origin) {
      redactor.learn(value, name);
      if (origin !== undefined) commands.seeOrigin(name, origin.exchange, origin.field);
    },
    keep(id, exchange) {
      if (!id.isChosen) redactor.keep(id.value);
      commands.seeId(id, exchange);
    },
  };
};

const MOST_SHOWN = 3;
