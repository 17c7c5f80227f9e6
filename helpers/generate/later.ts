/** Arbitraries that are built only when they are drawn from, and the error for schemas without a valid value. */
import fc from "fast-check";

/** Builds the arbitrary on first use, so that unused alternatives cost nothing and recursion ends. */
export const later = <T>(make: () => fc.Arbitrary<T>): fc.Arbitrary<T> => new Later(make);

/** Thrown when no value can be drawn; another draw may succeed. */
export class NoValue extends Error {
  override readonly name = "NoValue";
}

class Later<T> extends fc.Arbitrary<T> {
  readonly #make: () => fc.Arbitrary<T>;
  #made: fc.Arbitrary<T> | undefined;

  constructor(make: () => fc.Arbitrary<T>) {
    super();
    this.#make = make;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return this.#values().generate(random, bias);
  }

  override canShrinkWithoutContext(_value: unknown): _value is T {
    return false;
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#values().shrink(value, context);
  }

  #values(): fc.Arbitrary<T> {
    this.#made ??= this.#make();
    return this.#made;
  }
}

/** Represents a schema that no value matches. Drawing from it throws an error. */
export const IMPOSSIBLE: fc.Arbitrary<unknown> = later(() => {
  throw CONTRADICTION;
});

/** Created only once, because a search throws it often. */
const CONTRADICTION = new NoValue("No value fits a schema whose parts contradict each other.");
