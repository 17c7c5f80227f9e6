/** Permitted differences in institutions, and in the analytics of small businesses. */
import { json, permitted, remove } from "../../../engine/deviations/rows.ts";
import { PICTURES } from "../../institution-fields.ts";

const BY_ROUTING_NUMBER = "GetInstitutionsByRoutingNumber";
const BRANDING = { operationId: "GetInstitutionBranding", status: 200 };
const METRICS = "GenerateSBCAMetricsReport";

export const INSTITUTION_DIFFERENCES = [
  ...permitted("routing number length", { operations: [BY_ROUTING_NUMBER] })({
    "routing-number-lengths": "Routing numbers may have from five to twelve digits.",
  }),
  ...permitted([], { operations: [BRANDING.operationId] })({
    "relative-links": {
      what: "The links of a brand are relative.",
      effects: [
        "/branding/70001/logo.svg",
        "//assets.example.com/logo.svg",
        "logo.svg",
        "./tile.svg",
      ].flatMap((link, at) => json(BRANDING, `/branding/${PICTURES[at]}`, link)),
    },
  }),
  ...permitted([], { operations: ["GetInstitution", "GetInstitutionBranding"] })({
    "improbable-ids-exist": "Half of the ids that a client could make up belong to institutions.",
  }),
  ...permitted("SBCA report in a 202 group", { operations: [METRICS] })({
    "metrics-as-report": {
      what: "The analytics of a small business answer with a report id only.",
      effects: remove({ operationId: METRICS, status: 200 }, "/metrics"),
      // The body is assumed.
      affects: [`${METRICS}.response.shape`],
    },
  }),
];
