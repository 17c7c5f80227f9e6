/** The calls of financial data. Handlers may check only for behaviours that its faults and differences name. */
import type { Call as CallUnder, Visit as VisitUnder } from "../engine/call.ts";
import type { BehaviourOf } from "../engine/deviations/deviation.ts";
import type { derivedFaults } from "./derived-faults.ts";

/** By name. The tables of faults, which stand beside the handlers, add theirs: see faults.ts. */
export interface Behaviours extends Record<BehaviourOf<ReturnType<typeof derivedFaults>>, true> {}

/** By name: the behaviours of permitted differences. See differences.ts. */
export interface Differing extends Record<never, true> {}

export type Behaviour = keyof Behaviours;
export type Call = CallUnder<Behaviour, keyof Differing>;
export type Visit = VisitUnder<Behaviour>;
