/** Two versions of a document and what the second one breaks: what this extension gives the core. */
import type { Extension } from "../../runner/extensions.ts";

export const extension: Extension = {
  commands: { diff: "shows what a new version of an OpenAPI document breaks" },
  options: { certify: () => import("./since.ts") },
  comparison: () => import("./comparison.ts"),
};
