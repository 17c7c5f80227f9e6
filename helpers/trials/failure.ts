/** A violation as data, and the steps that show it. */
import type { CheckResult } from "../checks/check.ts";
import type { RecordedExchange } from "../exchange/exchange.ts";
import type { ExecutedStep } from "../sequences/run.ts";

/** What a violation looks like; prose is rendered from it last. Nothing in it is secret: redacted at capture. */
export interface Failure extends Omit<CheckResult, "holds"> {
  readonly operationId: string;
  /** The exchange that shows it, smallest example first, then its control if there is one. */
  readonly exchanges: readonly RecordedExchange[];
  readonly curl: string;
  /** The steps that lead there, where one exchange alone shows nothing. */
  readonly sequence?: readonly RecordedStep[];
}

/** A step of a sequence, as a person can take it again. */
export interface RecordedStep extends Omit<ExecutedStep, "exchange"> {
  readonly exchange?: RecordedExchange;
  /** Values of the answer, by JSON pointer, that later requests are made of. */
  readonly gives?: Readonly<Record<string, string>>;
}
