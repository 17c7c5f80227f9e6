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
  { name: "a check of signatures, if there are any", manners: { checksSignature: true } },
  { name: "one event at a time, quickly", manners: { worksMs: 2 } },
  { name: "a memory of a thousand events", manners: { remembers: 1_000, acceptsOlder: true } },
  { name: "half a minute for a body", manners: { bodyTimeoutMs: 30_000, largest: 8_900_000 } },
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
  { name: "it takes 9 MB", probe: "refuses-oversize", manners: { largest: 10_000_000 } },
  {
    name: "it gives up a slow sender",
    probe: "serves-beside-slow-sender",
    manners: { bodyTimeoutMs: 100 },
  },
  {
    name: "it works on one event at a time, slowly",
    probe: "accepts-fifty-at-once",
    manners: { worksMs: 150 },
  },
  { name: "it reads fields by their order", probe: "accepts-other-order", manners: { readsInOrder: true } },
  { name: "it needs the length", probe: "accepts-other-forms", manners: { forms: "with-length" } },
  { name: "it reads one line", probe: "accepts-other-forms", manners: { forms: "one-line" } },
  { name: "it knows no charset", probe: "accepts-other-forms", manners: { forms: "plain-type" } },
  { name: "it reads no codes of characters", probe: "accepts-other-forms", manners: { forms: "unescaped" } },
  { name: "it loses events at once", probe: "loses-no-event", manners: { loses: "at-once" } },
  { name: "it loses every tenth event", probe: "loses-no-event", manners: { loses: "tenth" } },
  { name: "it remembers five events", probe: "counts-repeated-once", manners: { remembers: 5 } },
  { name: "it remembers ten events", probe: "counts-repeated-once", manners: { remembers: 10 } },
  {
    name: "it forgets events of yesterday",
    probe: "counts-repeated-once",
    manners: { forgetsYesterday: true },
  },
  { name: "it dies of an empty body", probe: "stays-up", manners: { diesOf: /^$/ } },
  { name: "it dies of a list", probe: "stays-up", manners: { diesOf: /^\[\]$/ } },
  { name: "it dies of null", probe: "stays-up", manners: { diesOf: /^null$/ } },
  { name: "it dies of a field that is null", probe: "stays-up", manners: { diesOf: /:null/ } },
  {
    name: "it dies of a field of another type",
    probe: "stays-up",
    manners: { diesOf: /"event":5|"payload":\[\]/ },
  },
  { name: "it dies of half a message", probe: "stays-up", manners: { diesOf: /^\{$/ } },
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

/** Report callbacks are numbered, and contain no times and no inner objects. */
const asReportCallback = (row: ListenerRow): readonly ListenerRow[] => {
  if (row.manners.forgetsYesterday) return [];
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
    {
      name: "it demands the institutions",
      probe: "accepts-absent-fields",
      manners: { demands: ["institutionIds"] },
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
    {
      name: "it demands the description",
      probe: "accepts-absent-fields",
      manners: { demands: ["description"] },
    },
    { name: "it is verified once", probe: "answers-verification", manners: { verification: "once" } },
    { name: "it repeats the first code", probe: "answers-verification", manners: { verification: "first" } },
    {
      name: "it has no page for a verification, and takes any POST",
      probe: "answers-verification",
      manners: { verification: "get-not-found" },
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
    { name: "it demands the type", probe: "accepts-absent-fields", manners: { demands: ["type"] } },
    { name: "it knows success only", probe: "accepts-events", manners: { knownEvents: /^success$/ } },
  ],
  notification: [
    { name: "it reads ASCII", probe: "accepts-other-forms", manners: { forms: "ascii" } },
    { name: "it decodes parts of a body", probe: "accepts-other-forms", manners: { forms: "one-part" } },
    { name: "it demands the time", probe: "accepts-absent-fields", manners: { demands: ["createdAt"] } },
    { name: "it knows one use case", probe: "accepts-events", manners: { knownEvents: /^DURING/ } },
  ],
};
