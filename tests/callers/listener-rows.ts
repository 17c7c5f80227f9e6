/** The right listeners and the wrong ones, by kind. */
import type { Manners } from "./listener.ts";

export interface ListenerRow {
  readonly name: string;
  readonly manners: Partial<Manners>;
  /** The address that the service would call; `undefined` for the address of the listener itself. */
  readonly url?: string;
  /** The name of the probe that finds a wrong listener. */
  readonly probe?: string;
}

export const right: readonly ListenerRow[] = [
  { name: "no content", manners: {} },
  {
    name: "an answer of 200, small bodies only",
    manners: { status: 200, largest: 10_000, verification: "empty" },
  },
  { name: "taken for later, verified by POST", manners: { status: 202, verification: "post" } },
  { name: "any method but PUT and DELETE", manners: { methods: ["POST", "PATCH"], capacity: 60 } },
];

const wrongOfAll: readonly ListenerRow[] = [
  { name: "it fails", probe: "accepts-events", manners: { status: 500 } },
  { name: "it redirects", probe: "accepts-events", manners: { status: 302 } },
  {
    name: "it refuses unknown fields",
    probe: "accepts-unknown-fields",
    manners: { acceptsUnknownFields: "none" },
  },
  {
    name: "it refuses unknown fields in inner objects",
    probe: "accepts-unknown-fields",
    manners: { acceptsUnknownFields: "outer" },
  },
  { name: "it refuses what it has", probe: "accepts-repeated", manners: { acceptsRepeated: false } },
  { name: "it refuses what is older", probe: "accepts-out-of-order", manners: { acceptsOlder: false } },
  { name: "it serves few at once", probe: "accepts-fifty-at-once", manners: { capacity: 10 } },
  { name: "it serves one at a time", probe: "serves-beside-slow-sender", manners: { capacity: 1 } },
  { name: "it takes any size", probe: "refuses-oversize", manners: { largest: Number.POSITIVE_INFINITY } },
  { name: "it takes what is not JSON", probe: "refuses-malformed", manners: { refusesMalformed: false } },
  { name: "it takes PUT", probe: "refuses-other-methods", manners: { methods: ["POST", "PUT"] } },
  { name: "it takes DELETE", probe: "refuses-other-methods", manners: { methods: ["POST", "DELETE"] } },
  {
    name: "it takes any content type",
    probe: "refuses-other-content-types",
    manners: { otherContentTypes: /./ },
  },
  {
    name: "it takes plain text",
    probe: "refuses-other-content-types",
    manners: { otherContentTypes: /^text\/plain/ },
  },
  { name: "it ends with a malformed body", probe: "stays-up", manners: { survivesMalformed: false } },
  { name: "it counts events twice", probe: "counts-repeated-once", manners: { countsRepeated: "all" } },
  {
    name: "it knows its last event only",
    probe: "counts-repeated-once",
    manners: { countsRepeated: "later" },
  },
  {
    name: "it counts events at once twice",
    probe: "counts-repeated-once",
    manners: { countsRepeated: "at-once" },
  },
];

/** Wrong listeners by kind. */
export const wrongOf = (kind: string): readonly ListenerRow[] => [
  ...(kind === "report-callback" ? wrongOfAll.flatMap(asReportCallback) : wrongOfAll),
  ...(WRONG_OF_KIND[kind] ?? []),
];

/** Report callbacks are numbered and contain no inner objects. */
const asReportCallback = (row: ListenerRow): readonly ListenerRow[] => {
  if (row.manners.acceptsUnknownFields === "outer") return [];
  return [row.manners.acceptsOlder === false ? { ...row, name: "it refuses older reports" } : row];
};

const WRONG_OF_KIND: Readonly<Record<string, readonly ListenerRow[]>> = {
  webhook: [
    {
      name: "it refuses unknown events",
      probe: "accepts-unknown-events",
      manners: { knownEvents: /^(account|transactions|connect|customer)/ },
    },
    { name: "it knows some events", probe: "accepts-events", manners: { knownEvents: /^account/ } },
  ],
  txpush: [
    {
      name: "it refuses unknown classes",
      probe: "accepts-unknown-events",
      manners: { knownEvents: /^(account|transaction)$/ },
    },
    {
      name: "it knows transactions only",
      probe: "accepts-events",
      manners: { knownEvents: /^transaction$/ },
    },
    { name: "it is not verified", probe: "answers-verification", manners: { verification: "none" } },
    {
      name: "it answers the verification with another text",
      probe: "answers-verification",
      manners: { verification: "other" },
    },
    {
      name: "it has another port",
      probe: "has-standard-port",
      manners: {},
      url: "http://listener.example.com:8080/events",
    },
    {
      name: "it has another secure port",
      probe: "has-standard-port",
      manners: {},
      url: "https://listener.example.com:8443/events",
    },
    { name: "it has no HTTPS", probe: "has-https", manners: {}, url: "http://listener.example.com/events" },
  ],
  "report-callback": [
    { name: "it knows success only", probe: "accepts-events", manners: { knownEvents: /^success$/ } },
  ],
  notification: [
    { name: "it knows one use case", probe: "accepts-events", manners: { knownEvents: /^DURING/ } },
  ],
};
