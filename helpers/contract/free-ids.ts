/** Schemas in which an identifier may have any form: no document shows the form of most of them. */
import type { JsonSchema } from "./contract.ts";
import { rewritten } from "./json.ts";

/** Keywords of an identifier that say nothing about its form. */
const KEPT: ReadonlySet<string> = new Set(["x-resource", "x-level", "description"]);

/** Formats of values that the caller chooses. */
const OTHERS: ReadonlySet<unknown> = new Set(["uri", "email", "date", "date-time"]);

/** Returns a copy without the keywords of its assumed identifiers (`x-resource`). */
export const withFreeIds = <Schemas>(schemas: Schemas): Schemas =>
  rewritten(schemas, (node: JsonSchema) =>
    typeof node["x-resource"] === "string" && node["x-level"] !== "documented" && !OTHERS.has(node.format)
      ? Object.fromEntries(Object.entries(node).filter(([keyword]) => KEPT.has(keyword)))
      : node,
  ) as Schemas;
