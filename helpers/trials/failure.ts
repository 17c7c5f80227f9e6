/** A violation as data, with the steps that reproduce it. */
import type { RecordedExchange } from "../exchange/exchange.ts";
import type { RecordedViolation } from "../exchange/recorder.ts";
import type { ExecutedStep } from "../sequences/run.ts";

/** A violation. Reports render its text. It contains no secrets: they are redacted at capture. */
export interface Failure extends RecordedViolation {
  /** The trial that shows the violation. */
  readonly trial?: string;
  /** The steps that lead to the violation, if no single exchange shows it. */
  readonly sequence?: readonly RecordedStep[];
}

/** A recorded step of a sequence, which can be replayed. */
export interface RecordedStep extends Omit<ExecutedStep, "exchange"> {
  readonly exchange?: RecordedExchange;
  /** Values of the response, by JSON pointer, that later requests use. */
  readonly gives?: Readonly<Record<string, string>>;
}
