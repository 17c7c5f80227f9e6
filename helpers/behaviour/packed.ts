/** The text of a behaviour in a certificate: compressed, since most of it repeats. */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Service } from "../contract/contract.ts";
import { canonical } from "../contract/json.ts";
import type { Behaviour } from "./behaviour.ts";

/** Returns the behaviour as JSON, compressed with Brotli (RFC 7932), in base64. */
export const packed = (behaviour: Behaviour): string =>
  brotliCompressSync(canonical(behaviour), OPTIONS).toString("base64");

/** The highest quality makes the text a tenth shorter, and takes thirty times as long. */
const OPTIONS = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  },
};

/** Returns the packed behaviours; `undefined` if there are none or one is not readable: another version may pack them otherwise. */
export const unpacked = (
  texts: Readonly<Record<Service, string>> | undefined,
): Readonly<Record<Service, Behaviour>> | undefined => {
  if (texts === undefined) return undefined;
  const read = (text: string): unknown =>
    JSON.parse(brotliDecompressSync(Buffer.from(text, "base64")).toString("utf8"));
  try {
    return Object.fromEntries(
      Object.entries(texts).map(([service, text]) => [service, read(text) as Behaviour]),
    );
  } catch {
    return undefined;
  }
};
