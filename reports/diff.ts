/** Renders a diff as text for the terminal, and as Markdown for a pull request or a release note. */
import { ruleOf } from "../helpers/diff/compare/rules.ts";
import type { Diff, Entry, EntryClass, Judged } from "../helpers/diff/entry.ts";
import type { RequestMessage } from "../helpers/diff/witness/message.ts";
import { acceptedBy, cut, inBlocks, type Paint, painter, type Style } from "./text.ts";

const CLASSES: Readonly<Record<EntryClass, { heading: string; sign: string; style: Style }>> = {
  breaking: { heading: "Breaking", sign: "✗", style: "red" },
  undecided: { heading: "Undecided", sign: "?", style: "yellow" },
  compatible: { heading: "Compatible", sign: "·", style: "dim" },
};

/** Returns text that ends with a line feed. */
export const renderDiffText = (diff: Diff, { color }: { readonly color: boolean }): string => {
  const paint = painter(color);
  const title = `${diff.old.version} (${diff.old.file}) → ${diff.new.version} (${diff.new.file})`;
  const list = acceptListLines(diff);
  return inBlocks([
    [paint("bold", title), summaryOf(diff)],
    ...diff.entries.map((entry) => entryLines(entry, diff, paint)),
    list.length > 0 ? [paint("bold", `Accept list ${diff.accepted?.file}`), ...list] : [],
  ]);
};

const entryLines = (entry: Entry, diff: Diff, paint: Paint): string[] => {
  const { sign, style } = CLASSES[entry.class];
  const head = paint(style, `${sign} ${entry.class}`);
  return [
    `${head}  ${whereOf(entry)}: ${whatOf(entry)}  ${paint("dim", entry.fingerprint)}`,
    ...entry.judged.flatMap((judged) => [
      `    reaches  ${reachOf(judged)}${entry.judged.length > 1 ? `: ${judged.class}` : ""}`,
      ...(judged.reason === undefined ? [] : [`    open     ${judged.reason}`]),
      ...witnessLines(judged).map((line, index) => `    ${index === 0 ? "witness" : "       "}  ${line}`),
      ...refusalsOf(judged, diff).map((line) => `    ${line}`),
    ]),
    ...(entry.accepted === undefined ? [] : [`    accepted ${acceptedBy(entry.accepted)}`]),
  ];
};

/** Returns Markdown that ends with a line feed. */
export const renderDiffMarkdown = (diff: Diff): string => {
  const sections = Object.entries(CLASSES).map(([name, { heading }]) => ({
    heading,
    lines: diff.entries.filter((entry) => entry.class === name).flatMap((entry) => entryText(entry, diff)),
  }));
  const list = { heading: "Accept list", lines: acceptListLines(diff).map((line) => `- ${plain(line)}`) };
  return inBlocks([
    [`# ${plain(diff.old.version)} → ${plain(diff.new.version)}`],
    [`${summaryOf(diff)}.`],
    ...[...sections, list].flatMap(({ heading, lines }) =>
      lines.length > 0 ? [[`## ${heading}`], lines] : [],
    ),
  ]);
};

const entryText = (entry: Entry, diff: Diff): string[] => [
  `- **${plain(whereOf(entry))}**: ${plain(whatOf(entry))} (\`${entry.fingerprint}\`)`,
  ...(entry.accepted === undefined ? [] : [`  Accepted ${plain(acceptedBy(entry.accepted))}.`]),
  ...entry.judged.flatMap((judged) => [
    `  Reaches ${plain(reachOf(judged))}.`,
    ...(judged.reason === undefined ? [] : [`  Open: ${plain(judged.reason)}.`]),
    ...refusalsOf(judged, diff).flatMap((refusal) => [
      "",
      "  ```http",
      ...witnessLines(judged).map((line) => `  ${line}`),
      "  ```",
      "",
      `  ${plain(refusal)}.`,
    ]),
  ]),
];

/** Escapes text of a document, so that Markdown does not interpret it. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s+/g, " ");

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
  const subjectWords = subject === undefined || `${whereOf(entry)}/`.includes(subject) ? "" : ` ${subject}`;
  return `${ruleOf(rule).words}${subjectWords} ${action}${valuesOf(entry)}${note === undefined ? "" : `, ${note}`}`;
};

const valuesOf = ({ action, old: base, new: revision }: Worded): string => {
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
  const named = reach
    .slice(0, REACH_SHOWN)
    .map(
      ({ operation, operationId, message }) =>
        `${message} of ${operation}${operationId === null ? "" : ` (${operationId})`}`,
    );
  const more = reach.length > REACH_SHOWN ? [`and ${reach.length - REACH_SHOWN} more`] : [];
  return [...named, ...more].join(", ");
};

/** `allowed by the old document (1.29.0), refused by the new document (1.30.0): /name: must have …` */
const refusalsOf = ({ witness }: Judged, diff: Diff): string[] => {
  if (witness === undefined) return [];
  const { refusedBy, refusal } = witness;
  const document = (side: "old" | "new"): string => `the ${side} document (${diff[side].version})`;
  const allowing = refusedBy === "new" ? "old" : "new";
  return [
    `allowed by ${document(allowing)}, refused by ${document(refusedBy)}: ${refusal.place}: ${refusal.text}`,
  ];
};

/** Returns the refused message: the start line, the headers, then the body. */
const witnessLines = ({ witness }: Judged): string[] => {
  if (witness === undefined) return [];
  const { message } = witness;
  return [
    message.kind === "request" ? requestLine(message) : `HTTP ${message.status}`,
    ...message.headers.map(([name, value]) => `${name}: ${brief(value)}`),
    ...(message.kind === "request" ? besides(message) : []),
    ...(message.mediaType === undefined ? [] : [`content-type: ${message.mediaType}`]),
    "body" in message ? brief(JSON.stringify(message.body)) : "(no body)",
  ];
};

const requestLine = ({ delivery, method, server = "", path, query }: RequestMessage): string => {
  if (delivery !== undefined) return delivery;
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${method} ${brief(`${server.replace(/\/$/, "")}${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`)}`;
};

const besides = ({ cookies, credentials, accept }: RequestMessage): string[] => [
  ...(accept === undefined ? [] : [`accept: ${accept}`]),
  ...cookies.map(([name, value]) => `cookie: ${name}=${brief(value)}`),
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
