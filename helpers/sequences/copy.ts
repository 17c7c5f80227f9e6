/** Returns a copy of plain data: objects and lists, as in JSON. The general `structuredClone` takes several times longer. */
export const copyOf = <Data>(data: Data): Data => {
  if (Array.isArray(data)) return data.map((item) => copyOf<unknown>(item)) as Data;
  if (typeof data !== "object" || data === null) return data;
  const copy = { ...data } as Record<string, unknown>;
  for (const name of Object.keys(copy)) copy[name] = copyOf(copy[name]);
  return copy as Data;
};
