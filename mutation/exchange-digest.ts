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
    "",
  ];
  return createHash("sha256")
    .update(`${response?.status ?? failure?.kind}\n`)
    .update(masked(Buffer.concat([Buffer.from(parts.join("\n")), response?.body ?? NOTHING, NEWLINE])))
    .digest("base64");
};

const VOLATILE_HEADERS: ReadonlySet<string> = new Set(["date", "content-length"]);

const NOTHING = Buffer.alloc(0);
const NEWLINE = Buffer.from("\n");

/** A word of this length is too long for a name: it is an id, a key, or an encrypted text. */
const SHORTEST_KEY = 24;

/** The sign that may follow a key in Base64. */
const PADDING = "=".charCodeAt(0);

/** By byte: what stands for it if it may be in a word or a key; 0 if it ends them. */
const MASKS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const sign = String.fromCharCode(byte);
  return /[\w.~+/-]/.test(sign) ? (/\d/.test(sign) ? "#".charCodeAt(0) : byte) : 0;
});

/**
 * Masks digits and keys within the bytes, which end with a newline. Regular expressions take several times as long for
 * large answers.
 */
const masked = (bytes: Buffer): Buffer => {
  let end = 0;
  let word = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    const mask = MASKS[byte] as number;
    if (mask === 0 && end - word >= SHORTEST_KEY) {
      word += bytes.write(maskOf(bytes.toString("latin1", word, end)), word);
      end = word;
      while (bytes[at] === PADDING) at += 1;
      continue;
    }
    bytes[end] = mask === 0 ? byte : mask;
    end += 1;
    at += 1;
    if (mask === 0) word = end;
  }
  return bytes.subarray(0, end);
};

/** Masks a key, and keeps its letter case if all its letters are upper-case. */
const maskOf = (key: string): string => (/^[^a-z]*[A-Z][^a-z]*$/.test(key) ? "KEY" : "key");
