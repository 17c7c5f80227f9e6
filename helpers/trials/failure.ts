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

/** A recorded step of a sequence, which can be replayed. */
export interface RecordedStep extends Omit<ExecutedStep, "exchange"> {
  readonly exchange?: RecordedExchange;
  /** Values of the response, by JSON pointer, that later requests use. */
  readonly gives?: Readonly<Record<string, string>>;
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
  /** The necessary answer, if this step shows the violation. */
  readonly must?: Expectation;
}

/** An action on the target that is not a call. */
export type Act =
  | { readonly kind: "link-accounts"; readonly customer: string }
  | { readonly kind: "pass"; readonly seconds: number };

/** Conditions for one answer, as data that can be stored after the run. All conditions must hold. */
export interface Expectation {
  readonly accepted?: boolean;
  readonly status?: number;
  /** A text that the body contains, or must not contain. */
  readonly holds?: string;
  readonly lacks?: string;
  /** A place in the body, and its value. */
  readonly pointer?: string;
  readonly value?: unknown;
}
