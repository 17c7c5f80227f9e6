/** The text of a behaviour in a certificate: compressed, since most of it repeats. */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
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

/** @throws Error when the text is not a packed behaviour */
export const unpacked = (text: string): Behaviour =>
  JSON.parse(brotliDecompressSync(Buffer.from(text, "base64")).toString("utf8")) as Behaviour;

/** Whether all texts are packed behaviours. Another version may pack them otherwise. */
export const arePacked = (texts: readonly string[]): boolean => {
  try {
    for (const text of texts) unpacked(text);
    return true;
  } catch {
    return false;
  }
};
