/** The address of the server that an OpenAPI document names (OpenAPI 3.1, 4.8.5). */
import { isObject, type Json } from "../../../helpers/contract/json.ts";

/**
 * Returns the first complete address of a server, with the default values of its variables.
 * @param from the address of the document, to which a relative address belongs
 * @returns `undefined` if there is none: a variable has no value, or a relative address has no document with an address
 */
export const serverIn = (root: Json, from?: string): string | undefined => serversIn(root, from)[0];

const serversIn = ({ servers }: Json, from?: string): string[] =>
  (Array.isArray(servers) ? (servers as unknown[]) : []).flatMap(
    (server) => (isObject(server) ? addressOf(server, from) : undefined) ?? [],
  );

/**
 * Returns the address at the server that is certified, if the document names it at one of its own servers: the log-in of a
 * copy is at the copy, and the credentials for it are not sent elsewhere.
 */
export const atServer = (root: Json, address: string, base: string): string => {
  const own = `${base.replace(/\/+$/, "")}/`;
  const url = new URL(address, own);
  const server = serversIn(root).find((one) => new URL(one).origin === url.origin);
  if (server === undefined) return url.href;
  return url.href.startsWith(`${server}/`)
    ? new URL(url.href.slice(server.length + 1), own).href
    : new URL(`${url.pathname}${url.search}`, own).href;
};

const addressOf = ({ url: template, variables = {} }: Json, from: string | undefined): string | undefined => {
  if (typeof template !== "string") return undefined;
  const url = template.replaceAll(/\{([^}]+)\}/g, (text, name: string) =>
    String((variables as Record<string, Json>)[name]?.default ?? text),
  );
  return !url.includes("{") && URL.canParse(url, from)
    ? new URL(url, from).href.replace(/\/+$/, "")
    : undefined;
};
