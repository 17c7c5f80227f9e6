/** Permitted differences of financial data: what its document leaves open. */
import type { DifferenceRow } from "../engine/differences/difference-rows.ts";
import type { GeneralTreatments } from "../engine/differences/general-differences.ts";

export const FINANCIAL_DATA_DIFFERENCES = [
  {
    name: "other-statuses",
    what: "A malformed id is unknown (404), and an unknown app key is forbidden (403).",
    gaps: ["400 and 404 absent from some operation tables"],
    effects: [{ kind: "habit", habits: { statuses: { "malformed-id": 404, "unknown-key": 403 } } }],
    group: "statuses",
  },
  {
    name: "still-other-statuses",
    what: "An unknown app key, a missing consumer and a missing business are bad requests (400).",
    gaps: ["status for a missing consumer or business"],
    effects: [
      { kind: "habit", habits: { statuses: { "unknown-key": 400, "no-consumer": 400, "no-business": 400 } } },
    ],
    group: "statuses",
  },
] as const satisfies readonly DifferenceRow[];

export const GENERAL: GeneralTreatments = {};
