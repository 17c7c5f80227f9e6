/** The right listeners and the wrong ones, by kind. */
import type { Manners } from "./manners.ts";

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
  { name: "any method but DELETE", manners: { methods: ["POST", "PATCH", "PUT"], capacity: 60 } },
  { name: "JSON by any name", manners: { otherContentTypes: /./ } },
  { name: "a check of signatures, if there are any", manners: { checksSignature: true } },
  { name: "one event at a time, quickly", manners: { worksMs: 2 } },
  { name: "a memory of a thousand events", manners: { remembers: 1_000, acceptsOlder: true } },
  { name: "half a minute for a body", manners: { bodyTimeoutMs: 30_000, largest: 8_900_000 } },
];

const wrong = (name: string, probe: string, manners: Partial<Manners>, url?: string): ListenerRow => ({
  ...{ name, probe, manners },
  ...(url !== undefined && { url }),
});

const wrongOfAll: readonly ListenerRow[] = [
  wrong("it fails", "accepts-events", { status: 500 }),
  wrong("it redirects", "accepts-events", { status: 302 }),
  wrong("it refuses unknown fields", "accepts-unknown-fields", { acceptsUnknownFields: "none" }),
  wrong("it refuses unknown fields in inner objects", "accepts-unknown-fields", {
    acceptsUnknownFields: "outer",
  }),
  wrong("it refuses what it has", "accepts-repeated", { acceptsRepeated: false }),
  wrong("it refuses what is older", "accepts-out-of-order", { acceptsOlder: false }),
  wrong("it serves few at once", "accepts-fifty-at-once", { capacity: 10 }),
  wrong("it serves one at a time", "serves-beside-slow-sender", { capacity: 1 }),
  wrong("it takes any size", "refuses-oversize", { largest: Number.POSITIVE_INFINITY }),
  wrong("it takes what is not JSON", "refuses-malformed", { refusesMalformed: false }),
  wrong("it takes DELETE", "refuses-other-methods", { methods: ["POST", "DELETE"] }),
  wrong("it takes any content type", "refuses-other-content-types", {
    otherContentTypes: /./,
    refusesMalformed: false,
  }),
  wrong("it ends with a malformed body", "stays-up", { survivesMalformed: false }),
  wrong("it counts events twice", "counts-repeated-once", { countsRepeated: "all" }),
  wrong("it knows its last event only", "counts-repeated-once", { countsRepeated: "later" }),
  wrong("it takes 9 MB", "refuses-oversize", { largest: 10_000_000 }),
  wrong("it gives up a slow sender", "serves-beside-slow-sender", { bodyTimeoutMs: 100 }),
  wrong("it works on one event at a time, slowly", "accepts-fifty-at-once", { worksMs: 150 }),
  wrong("it reads fields by their order", "accepts-other-order", { readsInOrder: true }),
  wrong("it needs the length", "accepts-other-forms", { forms: "with-length" }),
  wrong("it reads one line", "accepts-other-forms", { forms: "one-line" }),
  wrong("it knows no charset", "accepts-other-forms", { forms: "plain-type" }),
  wrong("it reads no codes of characters", "accepts-other-forms", { forms: "unescaped" }),
  wrong("it loses events at once", "loses-no-event", { loses: "at-once" }),
  wrong("it loses every tenth event", "loses-no-event", { loses: "tenth" }),
  wrong("it remembers five events", "counts-repeated-once", { remembers: 5 }),
  wrong("it remembers ten events", "counts-repeated-once", { remembers: 10 }),
  wrong("it forgets events of yesterday", "counts-repeated-once", { forgetsYesterday: true }),
  wrong("it dies of an empty body", "stays-up", { diesOf: /^$/ }),
  wrong("it dies of a list", "stays-up", { diesOf: /^\[\]$/ }),
  wrong("it dies of null", "stays-up", { diesOf: /^null$/ }),
  wrong("it dies of a field that is null", "stays-up", { diesOf: /:null/ }),
  wrong("it dies of a field of another type", "stays-up", { diesOf: /"event":5|"payload":\[\]/ }),
  wrong("it dies of half a message", "stays-up", { diesOf: /^\{$/ }),
  wrong("it counts events at once twice", "counts-repeated-once", { countsRepeated: "at-once" }),
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
    wrong("it refuses unknown events", "accepts-unknown-events", {
      knownEvents: /^(account|transactions|connect|customer)/,
    }),
    wrong("it demands the institutions", "accepts-absent-fields", { demands: ["institutionIds"] }),
    wrong("it knows some events", "accepts-events", { knownEvents: /^account/ }),
  ],
  txpush: [
    wrong("it refuses unknown classes", "accepts-unknown-events", { knownEvents: /^(account|transaction)$/ }),
    wrong("it knows transactions only", "accepts-events", { knownEvents: /^transaction$/ }),
    wrong("it demands the description", "accepts-absent-fields", { demands: ["description"] }),
    wrong("it is verified once", "answers-verification", { verification: "once" }),
    wrong("it repeats the first code", "answers-verification", { verification: "first" }),
    wrong("it has no page for a verification, and takes any POST", "answers-verification", {
      verification: "get-not-found",
    }),
    wrong("it counts verifications", "answers-verification", { verification: "counted" }),
    wrong("it is not verified", "answers-verification", { verification: "none" }),
    wrong("it answers the verification with another text", "answers-verification", { verification: "other" }),
    wrong("it has another port", "has-standard-port", {}, "http://listener.example.com:8080/events"),
    wrong("it has another secure port", "has-standard-port", {}, "https://listener.example.com:8443/events"),
    wrong("it has no HTTPS", "has-https", {}, "http://listener.example.com/events"),
  ],
  "report-callback": [
    wrong("it demands the type", "accepts-absent-fields", { demands: ["type"] }),
    wrong("it knows success only", "accepts-events", { knownEvents: /^success$/ }),
  ],
  notification: [
    wrong("it reads ASCII", "accepts-other-forms", { forms: "ascii" }),
    wrong("it decodes parts of a body", "accepts-other-forms", { forms: "one-part" }),
    wrong("it demands the time", "accepts-absent-fields", { demands: ["createdAt"] }),
    wrong("it knows one use case", "accepts-events", { knownEvents: /^DURING/ }),
  ],
};
