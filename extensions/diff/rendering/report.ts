/** The report of a diff: its changes, with their places and witnesses, and its counts. Each format chooses only their layout. */
import type { EntryClass } from "../../../helpers/contract/documents/upgrade.ts";
import { section } from "../../../reports/render/report.ts";
import { acceptedBy, cut, type Style } from "../../../reports/text.ts";
import { ruleOf } from "../compare/rules.ts";
import type { Diff, Entry, Judged, Reach } from "../entry.ts";
import type { RequestMessage } from "../witness/message.ts";

/** How formats show the entries of a class, in the order of the report; `level` is a word of SARIF. */
const CLASSES: Readonly<
  Record<EntryClass, { heading: string; sign: string; style: Style; level: "error" | "warning" | "note" }>
> = {
  breaking: { heading: "Breaking", sign: "✗", style: "red", level: "error" },
  undecided: { heading: "Undecided", sign: "?", style: "yellow", level: "warning" },
  compatible: { heading: "Compatible", sign: "·", style: "dim", level: "note" },
};

/** Returns the report. The accept list has a line for each entry that does not accept a change. */
export const diffReportOf = (diff: Diff) => ({
  summary: summaryOf(diff),
  /** The most severe first. */
  changes: diff.entries.map((entry) => changeOf(entry, diff)),
  acceptList: section(`Accept list ${diff.accepted?.file}`, acceptListLines(diff)),
});

const changeOf = (entry: Entry, diff: Diff) => {
  const [where, what] = [whereOf(entry), whatOf(entry)];
  const effects = entry.judged.map((judged) => ({
    ...{ class: judged.class, sender: judged.sender, reason: judged.reason },
    readAs: judged.witness?.readAs,
    ...{ reaches: reachOf(judged), messages: judged.reach.map(messageOf) },
    refusals: refusalsOf(judged, diff),
    /** The witness in full, and with long texts cut. */
    witness: witnessLines(judged, (text) => text),
    brief: witnessLines(judged, brief),
  }));
  return {
    ...{ entry, ...CLASSES[entry.class], where, what, head: `${where}: ${what}`, effects },
    accepted: entry.accepted && acceptedBy(entry.accepted),
    explained: effects.flatMap(({ reaches, reason, refusals, witness }) => [
      `reaches ${reaches}`,
      ...(reason === undefined ? [] : [`undecided: ${reason}`]),
      ...refusals,
      ...witness,
    ]),
  };
};

export type ReportedChange = ReturnType<typeof changeOf>;

/** `schema Customer /name`. */
export const whereOf = ({ owner, part, pointer }: Pick<Entry, "owner" | "part" | "pointer">): string =>
  [owner, part, pointer].filter((one) => one !== "").join(" ");

/** `upper limit narrowed from 100 to 50`. */
export const whatOf = (
  entry: Pick<Entry, "rule" | "action" | "owner" | "part" | "pointer" | "subject" | "note" | "old" | "new">,
): string => {
  const { rule, action, subject, note } = entry;
  const subjectWords = subject === undefined || `${whereOf(entry)}/`.includes(subject) ? "" : ` ${subject}`;
  return `${ruleOf(rule).words}${subjectWords} ${action}${valuesOf(entry)}${note === undefined ? "" : `, ${note}`}`;
};

const valuesOf = ({ action, old: base, new: revision }: Pick<Entry, "action" | "old" | "new">): string => {
  if (base === undefined && revision === undefined) return "";
  if (action === "added") return `: ${brief(revision)}`;
  if (action === "removed") return `: ${brief(base)}`;
  return ` from ${brief(base)} to ${brief(revision)}`;
};

const LONGEST = 240;

/** Cuts a long text and states its length. */
const brief = (value: unknown): string => {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${cut(text, LONGEST)}${text.length > LONGEST ? ` (${text.length} characters)` : ""}`;
};

/** `2 breaking, 1 undecided, 19 compatible; 16 changes of documentation only`. */
const summaryOf = ({ summary, entries }: Diff): string => {
  const { breaking, undecided, compatible, documentation } = summary;
  const texts = documentation === 1 ? "1 change" : `${documentation} changes`;
  const known = entries.filter(({ accepted }) => accepted !== undefined).length;
  const accepting = known === 0 ? "" : `; ${known} of them accepted`;
  return `${breaking} breaking, ${undecided} undecided, ${compatible} compatible${accepting}; ${texts} of documentation only`;
};

const REACH_SHOWN = 2;

/** `request of POST /customers (addCustomer), and 39 more`. */
const reachOf = ({ reach }: Judged): string => {
  const named = reach.slice(0, REACH_SHOWN).map(messageOf);
  const more = reach.length > REACH_SHOWN ? [`and ${reach.length - REACH_SHOWN} more`] : [];
  return [...named, ...more].join(", ");
};

/** `request of POST /customers (addCustomer)`. */
const messageOf = ({ operation, operationId, message }: Reach): string =>
  `${message} of ${operation}${operationId === null ? "" : ` (${operationId})`}`;

/** `allowed by the old document (1.29.0), refused by the new document (1.30.0): /name: must have …` */
const refusalsOf = ({ witness }: Judged, diff: Diff): string[] => {
  if (witness === undefined) return [];
  const { refusedBy, refusal, readAs } = witness;
  const reader = readAs === undefined ? "" : ` for whoever reads it as ${readAs}`;
  const document = (side: "old" | "new"): string => `the ${side} document (${diff[side].version})`;
  const allowing = refusedBy === "new" ? "old" : "new";
  return [
    `allowed by ${document(allowing)}, refused by ${document(refusedBy)}${reader}: ${refusal.place}: ${refusal.text}`,
  ];
};

/**
 * Returns the refused message: the start line, the headers, then the body.
 * @param shown cuts long texts
 */
const witnessLines = ({ witness }: Judged, shown: (text: string) => string): string[] => {
  if (witness === undefined) return [];
  const { message } = witness;
  return [
    message.kind === "request" ? requestLine(message, shown) : `HTTP ${message.status}`,
    ...message.headers.map(([name, value]) => `${name}: ${shown(value)}`),
    ...(message.kind === "request" ? besides(message, shown) : []),
    ...(message.mediaType === undefined ? [] : [`content-type: ${message.mediaType}`]),
    "body" in message ? shown(JSON.stringify(message.body)) : "(no body)",
  ];
};

const requestLine = (
  { delivery, method, server = "", path, query }: RequestMessage,
  shown: (text: string) => string,
): string => {
  if (delivery !== undefined) return delivery;
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${method} ${shown(`${server.replace(/\/$/, "")}${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`)}`;
};

const besides = (
  { cookies, credentials, accept }: RequestMessage,
  shown: (text: string) => string,
): string[] => [
  ...(accept === undefined ? [] : [`accept: ${accept}`]),
  ...cookies.map(([name, value]) => `cookie: ${name}=${shown(value)}`),
  ...(credentials.length > 0 ? [`with ${credentials.map(({ wire }) => wire).join(" and ")}`] : []),
];

const STATES = {
  stale: "names no change between the two documents: remove the entry",
  expired: "no longer accepts what it names",
} as const;

/** Returns one line for each accept list entry that does not accept a change. */
const acceptListLines = ({ accepted }: Diff): string[] =>
  (accepted?.entries ?? []).flatMap(({ fingerprint, owner, expires, state }) =>
    state === "in-force" ? [] : [`${state}: ${fingerprint} (${owner}, until ${expires}) ${STATES[state]}`],
  );
