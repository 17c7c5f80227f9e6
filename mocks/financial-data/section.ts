/** A section of financial data: related operations with their state and faults. */
import type { Answer } from "../engine/call.ts";
import type { PageRoute } from "../engine/service.ts";
import type { Fields } from "../engine/values/fields.ts";
import type { Call, Visit } from "./calls.ts";
import type { State } from "./state/state.ts";
import type { StatefulFaultTable } from "./stateful-faults.ts";

export interface Section {
  /** By operationId. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Faults over several calls. */
  readonly statefulFaults?: readonly StatefulFaultTable[];
  /** Situations that a client cannot cause by itself, by name. */
  readonly situations?: Readonly<Record<string, Situation>>;
  readonly pages?: readonly HostedPage[];
  /** Called once for each fresh state. Subscribes to events or schedules work. */
  readonly open?: (state: State) => void;
}

/** @throws RefusedError (see answers.ts) to refuse the call */
export type Handler = (state: State, call: Call) => Answer | Promise<Answer>;

/**
 * @returns the configuration values of the situation, by environment name
 * @throws AdminError when the situation cannot be arranged
 */
export type Situation = (
  state: State,
  parameters: Fields,
) => Record<string, string> | Promise<Record<string, string>>;

export interface HostedPage extends PageRoute {
  readonly handler: (state: State, visit: Visit) => Answer | Promise<Answer>;
}
