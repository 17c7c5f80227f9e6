/**
 * A model: the resources that exist after the calls so far, the calls that are then possible, and the answers that they
 * must have.
 */
import type { Exchange } from "../exchange/exchange.ts";
import type { Act } from "../trials/failure.ts";
import type { Call } from "../trials/kit/language.ts";
import type { Draw } from "./draw.ts";

/** @template State plain data, so that it can be copied; one for each sequence */
export interface Model<State> {
  /** Returns the state before the first call. */
  start(): State;
  readonly commands: readonly Command<State>[];
  /** Pairs of commands that may be sent at the same time, since no requirement defines their order. */
  readonly races?: readonly {
    readonly commands: readonly [string, string];
    /** Whether both commands send the same call about the same resource. */
    readonly same: boolean;
  }[];
  /** Returns the queries of a state; each checks that the target matches the calls so far. */
  queries(state: State): readonly Query<State>[];
  /** Judges what is certain only after the last call, for example that no delivery arrived. */
  end?(state: State, note: Assertion): Promise<void>;
  /** Returns calls that remove all resources of the sequence. */
  leave(state: State): readonly Promise<Call>[];
}

export interface Command<State> {
  readonly name: string;
  /** Whether the command is possible; always if absent. */
  when?(state: State): boolean;
  /** The operation that it calls, if the target's permissions may exclude it. */
  readonly operationId?: string;
  /** Set if the command removes a resource. Every other sequence runs such commands only in its second half. */
  readonly removes?: true;
  /** Returns the action, which depends only on the state and the draw. */
  call(state: State, draw: Draw): Action<State> | Promise<Action<State>>;
}

export interface Query<State> {
  /** The name of the resource that it reads, for example `customer 2`. */
  readonly name: string;
  /** Whether the last call concerned the resource, so that the query must run before the next command. */
  readonly due?: boolean;
  call(): Promise<Action<State>>;
}

/** @template State `expect` updates the state as the answer requires, and stores the values that the answer shows */
export type Action<State> =
  | {
      readonly call: Call;
      expect(state: State, exchange: Exchange, note: Assertion): void | Promise<void>;
      /** Returns the call that follows directly, for example the next page; not used for calls at the same time. */
      next?(state: State): Promise<Action<State>> | undefined;
    }
  | { readonly act: Act; expect(state: State, note: Assertion): void | Promise<void> };

/** Notes whether a requirement held. */
export interface Assertion {
  (requirement: string, holds: boolean, wording: Wording): void;
  /** Names of members that differed between two reads of one state, or that no document names. */
  readonly moving?: ReadonlySet<string>;
}

/** The texts of a violation. */
export interface Wording {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer?: string;
  /**
   * What was seen that a wrong server would have shown otherwise. Only for a requirement that no answer shows, such as
   * one about deliveries.
   */
  readonly occasion?: string | undefined;
  /** Whether it depends on assumed names. Only a target that uses the names of the contract can violate it. */
  readonly named?: boolean;
  /**
   * What the target shows of its names if the requirement holds. A violation that depends on names counts on any target
   * that has shown all of this before.
   */
  readonly shows?: readonly string[];
}

/** A violation of a requirement, and its texts. */
export interface Violation extends Wording {
  readonly requirement: string;
}

/** The connection of a sequence to the target. */
export interface SequenceDriver {
  send(call: Call): Promise<Exchange>;
  perform(act: Act): Promise<void>;
  /** Whether the target's permissions allow the operation. */
  permits(operationId: string): boolean;
  /** Returns the names of the members that the contract states for answers of the operation. */
  named(operationId: string): ReadonlySet<string>;
  /** What the target has shown of its names, in all sequences so far. */
  readonly shown: Set<string>;
  /** Notes that the model saw an occasion for the requirements. */
  sawOccasion?(requirements: readonly string[]): void;
  /**
   * Asks again with changed copies of an exchange whether the requirements hold.
   * @param broken returns the requirements that a changed exchange violates
   */
  askAgain?(
    requirements: readonly string[],
    exchange: Exchange,
    broken: (changed: Exchange) => Promise<readonly Violation[]>,
  ): Promise<void>;
}
