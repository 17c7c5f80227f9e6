/** Files of JSON that may be absent. */
import { existsSync, readFileSync } from "node:fs";

/**
 * @returns `undefined` when there is no such file
 * @throws SyntaxError when it holds no JSON
 */
export const readJson = <Value>(path: string): Value | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Value) : undefined;
