/** Keeps what is known of the bump that a run is about beside the certificate that it writes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bump } from "../helpers/diff/bump.ts";

const bumpPath = (out: string): string => join(out, "bump.json");

export const keepBump = (out: string, bump: Bump): void => writeFileSync(bumpPath(out), JSON.stringify(bump));

/** What `keepBump` kept; `undefined` when the run is about none. */
export const keptBump = (out: string): Bump | undefined => {
  try {
    return JSON.parse(readFileSync(bumpPath(out), "utf8")) as Bump;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
};
