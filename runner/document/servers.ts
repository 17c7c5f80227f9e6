/** The address of the server that an OpenAPI document names (OpenAPI 3.1, 4.8.5). */
import { isObject, type Json } from "../../helpers/contract/json.ts";

/**
 * Returns the first complete address of a server, with the default values of its variables.
 * @param from the address of the document, to which a relative address belongs
 * @returns `undefined` if there is none: a variable has no value, or a relative address has no document with an address
 */
export const serverIn = ({ servers }: Json, from?: string): string | undefined =>
  (Array.isArray(servers) ? (servers as unknown[]) : [])
    .map((server) => (isObject(server) ? addressOf(server, from) : undefined))
    .find((address) => address !== undefined);

const addressOf = ({ url: template, variables = {} }: Json, from: string | undefined): string | undefined => {
  if (typeof template !== "string") return undefined;
  const url = template.replaceAll(/\{([^}]+)\}/g, (text, name: string) =>
    String((variables as Record<string, Json>)[name]?.default ?? text),
  );
  return !url.includes("{") && URL.canParse(url, from)
    ? new URL(url, from).href.replace(/\/+$/, "")
    : undefined;
};
