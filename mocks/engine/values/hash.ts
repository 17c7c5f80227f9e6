/** Digests: long ones for identifiers and catalogues, short ones for whatever is drawn by them. */
import { createHash } from "node:crypto";

export const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/** FNV-1a of 32 bits. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
};
