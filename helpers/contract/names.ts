/** Compares names without their spelling. */

/** Normalizes a name, so that letter case and separators do not matter. */
export const loose = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** `settleByDates` → `settle`, `by`, `date`; without the `s` of the plural */
export const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.replace(/([^s])s$/, "$1"));
