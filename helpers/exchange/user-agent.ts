/**
 * The product's name and version, by which servers know our requests. Common firewalls refuse requests without them
 * (RFC 9110, 10.1.5).
 */
import { readFileSync } from "node:fs";
import { IS_PACKAGED } from "../contract/code.ts";

const manifest = new URL(IS_PACKAGED ? "../../../package.json" : "../../package.json", import.meta.url);

export const { version: VERSION } = JSON.parse(readFileSync(manifest, "utf8")) as {
  readonly version: string;
};

export const USER_AGENT = { "user-agent": `assay/${VERSION}` } as const;
