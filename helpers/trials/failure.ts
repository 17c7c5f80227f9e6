/** A violation as data, with the steps that reproduce it. */
import type { Exchange, RecordedExchange } from "../exchange/exchange.ts";
import type { RecordedViolation } from "../exchange/recorder.ts";

/** A violation. Reports render its text. It contains no secrets: they are redacted at capture. */
export interface Failure extends RecordedViolation {
  /** The trial that shows the violation. */
  readonly trial?: string;
  /** Messages of other violations with the same fingerprint, whose examples are less plain. */
  readonly also?: readonly string[];
  /** The steps that lead to the violation, if no single exchange shows it. */
  readonly sequence?: readonly RecordedStep[];
}

/** A recorded step of a sequence. */
export interface RecordedStep extends Omit<ExecutedStep, "exchange"> {
  readonly exchange?: RecordedExchange;
}

/** An executed step, described so that a person can repeat it. */
export interface ExecutedStep {
  /** The name of the command or of the query. */
  readonly title: string;
  readonly exchange?: Exchange;
  /** The action, if the step was not a call. */
  readonly act?: Act;
  /** Whether it was sent at the same time as the previous step. */
  readonly beside: boolean;
}

/** An action on the target that is not a call. */
export type Act =
  | { readonly kind: "link-accounts"; readonly customer: string }
  | { readonly kind: "pass"; readonly seconds: number };
