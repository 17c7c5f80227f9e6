/** Paths of a document: which requests they match, and under which keys resources are stored. */
export const keyOf = (item: string, ids: Readonly<Record<string, string>>): string =>
  item.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""));

export const patternOf = (path: string) => {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const text = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "([^/]+)");
  return { names, regex: new RegExp(`^${text}$`) };
};
