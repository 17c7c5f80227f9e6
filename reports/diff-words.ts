/** What an entry of a diff says in words; every rendering says the same. */

import { ruleOf } from "../helpers/diff/compare/rules.ts";
import type { Diff, Entry, EntryClass, Judged } from "../helpers/diff/entry.ts";
import type { Message, RequestMessage } from "../helpers/diff/witness/message.ts";

/** Longer texts are cut, and say how long they are. */
const LONGEST = 240;

/** `schema Customer /name`. */
export const whereOf = ({ owner, part, pointer }: Pick<Entry, "owner" | "part" | "pointer">): string =>
  [owner, part, pointer].filter((one) => one !== "").join(" ");

type Worded = Pick<
  Entry,
  "rule" | "action" | "owner" | "part" | "pointer" | "subject" | "note" | "old" | "new"
>;

/** `upper limit narrowed from 100 to 50`. */
export const whatOf = (entry: Worded): string => {
  const { rule, action, subject, note } = entry;
  const told = subject === undefined || `${whereOf(entry)}/`.includes(subject) ? "" : ` ${subject}`;
  return `${ruleOf(rule).words}${told} ${action}${valuesOf(entry)}${note === undefined ? "" : `, ${note}`}`;
};

const valuesOf = ({ action, old, new: fresh }: Worded): string => {
  if (old === undefined && fresh === undefined) return "";
  if (action === "added") return `: ${brief(fresh)}`;
  if (action === "removed") return `: ${brief(old)}`;
  return ` from ${brief(old)} to ${brief(fresh)}`;
};

const brief = (value: unknown): string => {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
};

/** `2 breaking, 1 undecided, 19 compatible; 16 changes of documentation alone`. */
export const summaryOf = ({ summary, entries }: Diff): string => {
  const { breaking, undecided, compatible, documentation } = summary;
  const texts = documentation === 1 ? "1 change" : `${documentation} changes`;
  const known = entries.filter(({ accepted }) => accepted !== undefined).length;
  const accepting = known === 0 ? "" : `; ${known} of them accepted`;
  return `${breaking} breaking, ${undecided} undecided, ${compatible} compatible${accepting}; ${texts} of documentation alone`;
};

/** `request of POST /customers (addCustomer), and 39 more`. */
export const reachOf = ({ reach }: Judged, shown = 2): string => {
  const named = reach.slice(0, shown).map(({ operation, operationId, message }) => {
    const name = operationId === null ? "" : ` (${operationId})`;
    return `${message} of ${operation}${name}`;
  });
  const more = reach.length - named.length;
  return more > 0 ? `${named.join(", ")}, and ${more} more` : named.join(", ");
};

/** `allowed by 1.29.0, refused by 1.30.0: /name must have …`. */
export const refusalOf = ({ witness }: Judged, diff: Diff): string => {
  if (witness === undefined) return "";
  const [allows, refuses] = witness.refusedBy === "new" ? [diff.old, diff.new] : [diff.new, diff.old];
  const { place, text } = witness.refusal;
  const label = (document: Diff["old"], side: string): string => `the ${side} document (${document.version})`;
  const sides = witness.refusedBy === "new" ? ["old", "new"] : ["new", "old"];
  return `allowed by ${label(allows, sides[0] as string)}, refused by ${label(refuses, sides[1] as string)}: ${place}: ${text}`;
};

/** A message as lines: what is sent first, then what goes with it. */
export const messageOf = (message: Message): string[] => {
  const start = message.kind === "request" ? requestLine(message) : `HTTP ${message.status}`;
  const headers = [
    ...message.headers.map(([name, value]) => `${name}: ${brief(value)}`),
    ...(message.kind === "request" ? besides(message) : []),
    ...(message.mediaType === undefined ? [] : [`content-type: ${message.mediaType}`]),
  ];
  return [start, ...headers, ...("body" in message ? [brief(JSON.stringify(message.body))] : ["(no body)"])];
};

const requestLine = ({ delivery, method, server = "", path, query }: RequestMessage): string => {
  if (delivery !== undefined) return `${delivery}`;
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${method} ${brief(`${server.replace(/\/$/, "")}${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`)}`;
};

const besides = ({ cookies, credentials }: RequestMessage): string[] => [
  ...cookies.map(([name, value]) => `cookie: ${name}=${brief(value)}`),
  ...(credentials.length > 0 ? [`with ${credentials.map(({ wire }) => wire).join(" and ")}`] : []),
];

export const SIGNS: Readonly<Record<EntryClass, string>> = { breaking: "✗", undecided: "?", compatible: "·" };

/** `by Anna Moreau until 2026-12-31: fixed in the next release`; empty where nobody accepts the change. */
export const acceptedBy = ({ accepted }: Entry): string =>
  accepted === undefined ? "" : `by ${accepted.owner} until ${accepted.expires}: ${accepted.reason}`;

/** One line for each entry of the accept list that does not simply hold. */
export const acceptListLines = ({ accepted }: Diff): string[] =>
  (accepted?.entries ?? []).flatMap(({ fingerprint, owner, expires, state }) =>
    state === "in-force" ? [] : [`${state}: ${fingerprint} (${owner}, until ${expires}) ${STATES[state]}`],
  );

const STATES = {
  stale: "names no change between the two documents: remove the entry",
  expired: "no longer accepts what it names",
} as const;
