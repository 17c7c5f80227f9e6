/** A set of statuses is described in one phrase. */
import { expect, test } from "@playwright/test";
import { statusWords } from "../../../helpers/exchange/exchange.ts";

const CASES: readonly (readonly [statuses: readonly number[], words: string])[] = [
  [[400], "400"],
  [[400, 404], "400 or 404"],
  [[400, 404, 405, 406, 409, 410, 422], "a 4xx other than 401, 403, 429"],
  [[400, 403, 404, 405, 406, 409], "a 4xx other than 401, 429"],
  [[400, 401, 403, 404, 429], "a 4xx"],
  [[200, 400, 404, 405, 500], "200 or 400 or 404 or 405 or 500"],
];

for (const [statuses, words] of CASES) {
  test(`${statuses.join(", ")}: ${words}`, () => {
    expect(statusWords(statuses)).toBe(words);
  });
}
