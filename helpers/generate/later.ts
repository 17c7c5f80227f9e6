/** Arbitraries that are built only when they are drawn from, and the error for schemas without a valid value. */
import fc from "fast-check";

/** Builds the arbitrary on first use, so that unused alternatives cost nothing and recursion ends. */
export const later = <T>(make: () => fc.Arbitrary<T>): fc.Arbitrary<T> => {
  let made: fc.Arbitrary<T> | undefined;
  return fc.constant(undefined).chain(() => {
    made ??= make();
    return made;
  });
};

/** Thrown when no value can be drawn; another draw may succeed. */
export class NoValue extends Error {
  override readonly name = "NoValue";
}

/** Represents a schema that no value matches. Drawing from it throws an error. */
export const IMPOSSIBLE: fc.Arbitrary<unknown> = later(() => {
  throw CONTRADICTION;
});

/** Created only once, because a search throws it often. */
const CONTRADICTION = new NoValue("No value fits a schema whose parts contradict each other.");
