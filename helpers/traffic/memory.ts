/** A map that forgets the entry that was set first, so that a long recording needs little memory. */
export class Memory<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most = 5_000) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    if (this.size > this.#most) this.delete(this.keys().next().value as Key);
    return this;
  }
}
