/** What a section remembers in each world: kept in the section's own file, made when first asked for. */
import type { World } from "./world.ts";

/**
 * `const subscriptions = perWorld(() => new Map<string, Subscription>())` gives a function from a world to its own map.
 */
export const perWorld = <State>(create: (world: World) => State): ((world: World) => State) => {
  const states = new WeakMap<World, { readonly state: State }>();
  return (world) => {
    const known = states.get(world);
    if (known !== undefined) return known.state;
    const state = create(world);
    states.set(world, { state });
    return state;
  };
};
