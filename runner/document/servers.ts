/** The address of the server that an OpenAPI document names (OpenAPI 3.1, 4.8.5). */
import { isObject, type Json } from "../../helpers/contract/json.ts";

/**
 * Returns the address of the first server, with the default values of its variables.
 * @param from the address of the document, to which a relative address belongs
 * @returns `undefined` if there is none, or a relative one without the address of the document
 */
export const serverIn = ({ servers }: Json, from?: string): string | undefined => {
  const [first] = Array.isArray(servers) ? (servers as unknown[]) : [];
  if (!isObject(first) || typeof first.url !== "string") return undefined;
  const variables = (first.variables ?? {}) as Record<string, Json>;
  const url = first.url.replaceAll(/\{([^}]+)\}/g, (text, name: string) =>
    String(variables[name]?.default ?? text),
  );
  return URL.canParse(url, from) ? new URL(url, from).href.replace(/\/+$/, "") : undefined;
};
