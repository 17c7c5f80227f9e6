/** Keeps what is known of the bump that a run is about beside the certificate that it writes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bump } from "../helpers/diff/bump.ts";
import { readJson } from "../helpers/run/json-file.ts";

const bumpPath = (out: string): string => join(out, "bump.json");

export const keepBump = (out: string, bump: Bump): void => writeFileSync(bumpPath(out), JSON.stringify(bump));

/** What `keepBump` kept; `undefined` when the run is about none. */
export const keptBump = (out: string): Bump | undefined => readJson(bumpPath(out));
