/** Values in the messages of each kind, by their draw. */
import { steadyNow } from "../../../helpers/contract/steady-time.ts";

/** Returns an id of the form of a UUID. */
export const uuid = (draw: number, index: number): string =>
  `00000000-0000-4000-8000-${String(draw * 1000 + index).padStart(12, "0")}`;

/** Messages begin some minutes before now, so that none comes from the future. */
const STARTED = steadyNow() - 600_000;

/** Later draws are later in time. @param age seconds between the time and now */
export const timeOf = (draw: number, age: number): string =>
  new Date(STARTED + (draw - age) * 1_000).toISOString();
