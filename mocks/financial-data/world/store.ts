/** What a section remembers in each world: kept in the section's own file, made when first asked for. */
import { oncePer } from "../../engine/values/once-per.ts";
import type { World } from "./world.ts";

/**
 * `const subscriptions = perWorld(() => new Map<string, Subscription>())` gives a function from a world to its own map.
 */
export const perWorld = oncePer as <State>(create: (world: World) => State) => (world: World) => State;
