/** Returns a copy of data. For objects and lists, as in JSON, this takes a fraction of the time of `structuredClone`. */
export const copyOf = <Data>(data: Data): Data => {
  if (Array.isArray(data)) return data.map((item) => copyOf<unknown>(item)) as Data;
  if (typeof data !== "object" || data === null) return data;
  if (Object.getPrototypeOf(data) !== Object.prototype) return structuredClone(data);
  const copy = { ...data } as Record<string, unknown>;
  for (const name of Object.keys(copy)) copy[name] = copyOf(copy[name]);
  return copy as Data;
};
