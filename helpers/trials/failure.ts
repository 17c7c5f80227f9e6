/** A violation as data, and the steps that show it. */
import type { CheckResult } from "../checks/check.ts";
import type { RecordedExchange } from "../exchange/exchange.ts";
import type { Act, Must } from "../sequences/model.ts";

/** What a violation looks like; prose is rendered from it last. Nothing in it is secret: redacted at capture. */
export interface Failure extends Omit<CheckResult, "holds"> {
  readonly operationId: string;
  /** The exchange that shows it, smallest example first, then its twin if there is one. */
  readonly exchanges: readonly RecordedExchange[];
  readonly curl: string;
  /** The steps that lead there, where one exchange alone shows nothing. */
  readonly sequence?: readonly RecordedStep[];
}

/** A step of a sequence, as a person can take it again. */
export interface RecordedStep {
  readonly title: string;
  /** Whether it was sent at the same time as the one before. */
  readonly beside: boolean;
  readonly exchange?: RecordedExchange;
  /** What was done by other means than a call. */
  readonly act?: Act;
  /** Values of the answer, by JSON pointer, that later requests are made of. */
  readonly gives?: Readonly<Record<string, string>>;
  /** What the answer would have to be like, where it shows the violation. */
  readonly must?: Must;
}
