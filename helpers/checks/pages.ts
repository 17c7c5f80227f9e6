/** Checks that pages divide a list: each item is on one of them. */
import { type CheckResult, HOLDS, violation } from "../exchange/check-result.ts";

/** The most items that a message names. */
const MOST_NAMED = 5;

/**
 * @param pages the keys of the items on each page, in turn
 * @param whole the keys of the first items of the list, in one answer
 * @param isEnd whether the last page is the last one of the list
 * @returns `undefined` when other pages may still show the rest
 */
export const checkPages = (
  parameter: string,
  pages: readonly (readonly string[])[],
  whole: readonly string[],
  isEnd: boolean,
): CheckResult | undefined => {
  const seen = new Set<string>();
  for (const [index, page] of pages.entries()) {
    const twice = page.filter((key) => seen.has(key));
    if (twice.length > 0)
      return violation({
        pointer: parameter,
        message: `page ${index + 1} shows items of an earlier page again`,
        expected: "other items on each page",
        actual: `again ${twice.slice(0, MOST_NAMED).join(", ")}`,
      });
    for (const key of page) seen.add(key);
  }
  const lost = whole.filter((key) => !seen.has(key));
  if (lost.length === 0) return pages.filter((page) => page.length > 0).length > 1 ? HOLDS : undefined;
  // What a list shows in one answer comes first on its pages, too.
  const [first = []] = pages;
  if (!isEnd && seen.size < whole.length + first.length) return undefined;
  return violation({
    pointer: parameter,
    message: `${lost.length} of ${whole.length} items of a list are on none of its pages`,
    expected: "each item on one page",
    actual: `not ${lost.slice(0, MOST_NAMED).join(", ")}`,
  });
};
