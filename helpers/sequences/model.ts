/** What a model is: what exists as far as the calls so far tell, what can be called then, and what has to be answered. */
import type { Exchange } from "../exchange/exchange.ts";
import type { Call } from "../trials/call.ts";
import type { Draw } from "./draw.ts";

/** @template State plain data, so that it can be copied; one for each sequence */
export interface Model<State> {
  /** What exists before the first call. */
  start(): State;
  readonly commands: readonly Command<State>[];
  /** Names of two commands that may be sent side by side, since nothing is promised about their order. */
  readonly races?: readonly Race[];
  /** What can be looked at in the state: a look finds everything as the calls so far have left it. */
  looks(state: State): readonly Query<State>[];
  /** What can only be told when nothing more is called, such as that nothing arrived. */
  end?(state: State, note: Assertion): Promise<void>;
  /** Calls that remove whatever the sequence made. */
  leave(state: State): readonly Promise<Call>[];
}

export interface Command<State> {
  readonly name: string;
  /** Always if absent. */
  when?(state: State): boolean;
  /** Operation that it calls, where a target may not permit it. */
  readonly operationId?: string;
  /** Whether it takes something away: in every other sequence that comes last, so that much is there by then. */
  readonly removes?: true;
  /** What is asked; it depends on the state and the draw alone. */
  call(state: State, draw: Draw): Action<State> | Promise<Action<State>>;
}

export interface Race {
  readonly commands: readonly [string, string];
  /** Whether both are the same call, about the same thing. */
  readonly same: boolean;
}

export interface Query<State> {
  /** What is looked at, for example `customer 2`. */
  readonly name: string;
  /** Whether the last call was about it, so that it is looked at before anything else happens. */
  readonly due?: boolean;
  call(): Promise<Action<State>>;
}

/** @template State `expect` changes the state into what it has to be after the answer, and notes what the answer shows */
export type Action<State> =
  | {
      readonly call: Call;
      expect(state: State, exchange: Exchange, note: Assertion): void | Promise<void>;
      /** What is called right after, for example the next page; not after calls that are sent side by side. */
      next?(state: State): Promise<Action<State>> | undefined;
    }
  | { readonly act: Act; expect(state: State, note: Assertion): void | Promise<void> };

/** What is done to the target by other means than calls. */
export type Act =
  | { readonly kind: "link-accounts"; readonly customer: string }
  | { readonly kind: "pass"; readonly seconds: number };

/** Notes whether what a requirement says held. */
export type Assertion = (requirement: string, holds: boolean, wording: Wording) => void;

/** What is said where it does not hold. */
export interface Wording {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer?: string;
  /** What the answer would have to be like; absent where no answer shows it by itself. */
  readonly must?: Expectation;
  /** Whether it hangs on names that only a target with the names of the contract can be blamed for. */
  readonly named?: boolean;
}

/** What is demanded of one answer, as data that outlives the run; all of it has to hold. */
export interface Expectation {
  readonly accepted?: boolean;
  readonly status?: number;
  /** A text that the body holds, or lacks. */
  readonly holds?: string;
  readonly lacks?: string;
  /** A place in the body, and the value that stands there. */
  readonly pointer?: string;
  readonly value?: unknown;
}

/** By what a sequence reaches the target. */
export interface SequenceDriver {
  send(call: Call): Promise<Exchange>;
  perform(act: Act): Promise<void>;
  /** Whether the target's permissions let the operation be called. */
  permits(operationId: string): boolean;
}
