/** Digests of exchanges that are equal in two runs with one seed, and differ when the server behaves differently. */
import { createHash } from "node:crypto";
import type { Exchange } from "../helpers/exchange/exchange.ts";

/** Returns a digest of the request and the answer without digits, ids and keys, which differ from tenant to tenant. */
export const digestOf = ({ operationId, request, response, failure }: Exchange): string => {
  const parts = [
    operationId,
    request.method,
    new URL(request.url).search,
    request.body ?? "",
    ...Object.entries(response?.headers ?? {})
      .filter(([name]) => !VOLATILE_HEADERS.has(name))
      .map(([name, value]) => `${name}: ${value}`)
      .sort(),
    response?.body.toString("latin1") ?? "",
  ];
  return createHash("sha256")
    .update(`${response?.status ?? failure?.kind ?? ""}\n`)
    .update(parts.map((part) => masked(String(part))).join("\n"))
    .digest("base64");
};

const VOLATILE_HEADERS: ReadonlySet<string> = new Set(["date", "content-length"]);

/** A word that is too long for a name: an id, a key, or an encrypted text. */
const KEY = /[\w.~+/-]{24,}=*/g;

const masked = (text: string): string => text.replaceAll(KEY, "key").replaceAll(/\d/g, "#");
