/** Makes changes that show only after a moment, in a sandbox with such a difference. */
import type { State } from "./state/state.ts";

/** Milliseconds until a late change shows. */
const LATE = 1_000;

export const afterwards = (state: State, isLate: boolean, change: () => void): void => {
  if (isLate) state.clock.at(state.clock.now().getTime() + LATE, change);
  else change();
};
