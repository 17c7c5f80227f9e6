/** A section of financial data: the operations that belong together, with what they remember and how they can fail. */

import type { Answer, PageRoute } from "../engine/service.ts";
import type { Fields } from "../engine/values/fields.ts";
import type { Call, Visit } from "./faults.ts";
import type { State } from "./state/state.ts";
import type { StatefulFaultTable } from "./stateful-faults.ts";

export interface Section {
  /** By operationId. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** How they can fail over several calls. */
  readonly statefulFaults?: readonly StatefulFaultTable[];
  /** By name; what a client can't provoke by itself. */
  readonly situations?: Readonly<Record<string, Situation>>;
  readonly pages?: readonly Page[];
  /** Called once for every fresh state: listens to what happens in it, or sets due work. */
  readonly open?: (state: State) => void;
}

/**
 * @throws RefusedError (see answers.ts) for what it refuses
 */
export type Handler = (state: State, call: Call) => Answer | Promise<Answer>;

/**
 * @returns configuration values by environment name under which the situation holds
 * @throws AdminError when it can't be arranged as asked
 */
export type Situation = (
  state: State,
  parameters: Fields,
) => Record<string, string> | Promise<Record<string, string>>;

export interface Page extends PageRoute {
  readonly handler: (state: State, visit: Visit) => Answer | Promise<Answer>;
}
