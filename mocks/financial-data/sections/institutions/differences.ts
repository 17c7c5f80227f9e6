/** Permitted differences in institutions, and in the analytics of small businesses. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
import { json, remove } from "../../../engine/deviations/rows.ts";
import { PICTURES } from "../../institution-fields.ts";

const BY_ROUTING_NUMBER = "GetInstitutionsByRoutingNumber";
const BRANDING = { operationId: "GetInstitutionBranding", status: 200 };
const METRICS = "GenerateSBCAMetricsReport";

export const INSTITUTION_DIFFERENCES = [
  {
    name: "routing-number-lengths",
    what: "Routing numbers may have from five to twelve digits.",
    gaps: ["routing number length"],
    effects: ["routing-number-lengths"],
    operations: [BY_ROUTING_NUMBER],
  },
  {
    name: "relative-links",
    what: "The links of a brand are relative.",
    effects: ["/branding/70001/logo.svg", "//assets.example.com/logo.svg", "logo.svg", "./tile.svg"].flatMap(
      (link, at) => json(BRANDING, `/branding/${PICTURES[at]}`, link),
    ),
    operations: [BRANDING.operationId],
  },
  {
    name: "improbable-ids-exist",
    what: "Half of the ids that a client could make up belong to institutions.",
    effects: ["improbable-ids-exist"],
    operations: ["GetInstitution", "GetInstitutionBranding"],
  },
  {
    name: "metrics-as-report",
    what: "The analytics of a small business answer with a report id only.",
    gaps: ["SBCA report in a 202 group"],
    effects: [...remove({ operationId: METRICS, status: 200 }, "/metrics")],
    operations: [METRICS],
    // The body is assumed.
    affects: [`${METRICS}.response.shape`],
  },
] as const satisfies readonly DeviationRow[];
