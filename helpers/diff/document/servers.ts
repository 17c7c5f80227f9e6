/** Addresses at which an operation is served. */
import type { OpenApiDocument } from "../../contract/document.ts";
import { isObject, type Json } from "../../contract/json.ts";
import type { Servers } from "./model.ts";

/** The nearest list counts: the operation's, the path's, the document's; without any it is `/`. */
export const serversOf = (document: OpenApiDocument, item: Json, node: Json, label: string): Servers => {
  const own = [node, item].find(({ servers }) => Array.isArray(servers));
  const { servers } = own ?? document.root;
  const listed = Array.isArray(servers) && servers.length > 0 ? servers : [{ url: "/" }];
  const urls = listed.filter(isObject).flatMap(addresses);
  return { owner: own === undefined ? "the document" : label, urls: [...new Set(urls)] };
};

/** More combinations of variables than anybody lists. */
const MOST_ADDRESSES = 64;

/** One address for every value that the variables may have. */
const addresses = ({ url, variables }: Json): string[] => {
  let urls = [String(url).replace(/(?<=.)\/$/, "")];
  for (const [name, variable] of Object.entries(isObject(variables) ? variables : {})) {
    if (!isObject(variable)) continue;
    const values = Array.isArray(variable.enum) ? variable.enum : [variable.default];
    urls = urls.flatMap((one) => values.map((value) => one.replaceAll(`{${name}}`, String(value))));
    if (urls.length > MOST_ADDRESSES) return urls.slice(0, MOST_ADDRESSES);
  }
  return urls;
};
