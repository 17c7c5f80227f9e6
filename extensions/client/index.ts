/** The other half of an integration, callers and listeners: what this extension gives the core. */
import type { Extension } from "../../runner/extensions.ts";

export const extension: Extension = {
  commands: { proxy: "records a client and judges it", judge: "judges recorded traffic" },
  options: {
    certify: () => import("./certifying/listener-options.ts"),
    mock: () => import("./proxy/record-options.ts"),
  },
  halves: () => import("./certifying/half-trials.ts"),
  subjects: () => import("./matrix/halves.ts"),
};
