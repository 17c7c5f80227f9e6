/** Permitted differences of the server as a whole: its address, its limits, and its headers. */
import { header, permitted, served } from "../engine/deviations/rows.ts";
import { BASE } from "./base.ts";

export const SERVER_DIFFERENCES = [
  ...permitted("base addresses")({
    "behind-gateway": {
      what: "The base address has a longer path, which a header states.",
      effects: [
        ...served(BASE, `/gateway${BASE}`),
        ...header({}, "content-location", `/gateway${BASE}/cards`),
      ],
    },
  }),
  ...permitted("events")({
    "event-feed": {
      what: "Answers name a feed of events.",
      effects: header({}, "link", '</events>; rel="monitor"'),
    },
  }),
  ...permitted("rate limits", { group: "interruptions" })({
    "rate-limited": "Every 80th call is answered with 429.",
  }),
  ...permitted("404 and 503", { group: "interruptions" })({
    "unavailable-at-times": "Every 80th call is answered with 503.",
  }),
  ...permitted("versioning scheme")({
    "version-stated": {
      what: "Answers state the version of the interface and the end of its support.",
      effects: [
        ...header({}, "api-version", "1.0.0"),
        ...header({}, "sunset", "Sat, 31 Dec 2033 23:59:59 GMT"),
      ],
    },
  }),
];
