/** Permitted differences of the server as a whole: its address, its limits, and its headers. */
import type { DeviationRow } from "../engine/deviations/deviation.ts";
import { header, served, switched } from "../engine/deviations/rows.ts";
import { BASE } from "./base.ts";

export const SERVER_DIFFERENCES = [
  {
    name: "behind-gateway",
    what: "The base address has a longer path, which a header states.",
    gaps: ["base addresses"],
    effects: [...served(BASE, `/gateway${BASE}`), ...header({}, "content-location", `/gateway${BASE}/cards`)],
  },
  {
    name: "event-feed",
    what: "Answers name a feed of events.",
    gaps: ["events"],
    effects: header({}, "link", '</events>; rel="monitor"'),
  },
  switched("rate-limited", "Every 80th call is answered with 429.", "rate limits", "interruptions"),
  switched("unavailable-at-times", "Every 80th call is answered with 503.", "404 and 503", "interruptions"),
  {
    name: "version-stated",
    what: "Answers state the version of the interface and the end of its support.",
    gaps: ["versioning scheme"],
    effects: [
      ...header({}, "api-version", "1.0.0"),
      ...header({}, "sunset", "Sat, 31 Dec 2033 23:59:59 GMT"),
    ],
  },
] as const satisfies readonly DeviationRow[];
