/** Ids in a path that can be none, whatever they name: refused before anybody looks for what they name. */

import { refused } from "./answers.ts";
import type { Call } from "./faults.ts";

/** Unreserved characters of RFC 3986, 2.3, of which all ids here are made. */
const ID = /^[\w.~-]{1,128}$/;

/** @throws RefusedError with 400 for such an id where the operation documents that status */
export const refuseMalformedIds = ({ path, operation }: Call): void => {
  const malformed = Object.entries(path).find(([, value]) => !ID.test(value));
  if (malformed === undefined || operation.responses[400] === undefined) return;
  throw refused(400, "malformed-id", `The ${malformed[0]} in the path is malformed.`);
};
