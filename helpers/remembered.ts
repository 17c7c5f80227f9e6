/** The same function, which makes what it makes of an object once, and forgets it with the object. */
export const remembered = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
};
