/** Any API from its OpenAPI document: what this extension gives the core. */
import type { Extension } from "../../runner/extensions.ts";

export const extension: Extension = {
  commands: { "new-service": "writes a service of your own from an OpenAPI document, or updates it" },
  source: () => import("./reading/options.ts"),
  sandbox: () => import("./sandbox/by-convention.ts"),
  trials: () => import("./trials.ts"),
};
