/** Values of which it shows only when they are drawn what they are, or that there are none. */
import fc from "fast-check";

/** For the alternatives of a schema: those that are never drawn cost nothing, and circles of them end. */
export const later = <T>(make: () => fc.Arbitrary<T>): fc.Arbitrary<T> => new Later(make);

/** That no value could be drawn, which another draw may be spared. */
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

/** Stands where no value fits; an error when it is drawn from. */
export const IMPOSSIBLE: fc.Arbitrary<unknown> = later(() => {
  throw CONTRADICTION;
});

/** Created once, since a search meets it often. */
const CONTRADICTION = new NoValue("No value fits a schema whose parts contradict each other.");
