/** Sorts what belongs to a contract by the sections of its document. */

export interface Section<T> {
  readonly title: string;
  readonly items: readonly T[];
}

/** In the order in which sections first come up. */
export const bySection = <T>(items: readonly T[], titleOf: (item: T) => string): Section<T>[] => {
  const sections = new Map<string, T[]>();
  for (const item of items) {
    const title = titleOf(item);
    const known = sections.get(title);
    if (known) known.push(item);
    else sections.set(title, [item]);
  }
  return [...sections].map(([title, members]) => ({ title, items: members }));
};

/** `parcel-pickup.md, Senders; Limits` -> `Senders` */
export const sectionOf = (source: string): string => {
  const [document = "", ...rest] = source.split(", ");
  return firstOf(rest.join(", ")) || document;
};

/** What several sections speak about stands in the first of them. */
export const firstOf = (sections: string): string => sections.split("; ")[0] ?? "";
