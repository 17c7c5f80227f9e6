/** Renders a diff as a guide in Markdown: for each operation and each schema, what changed, whom it concerns, and what to do. */
import { groupByTitle } from "../../../reports/order.ts";
import { fenced } from "../../../reports/render/markdown.ts";
import { inBlocks } from "../../../reports/text.ts";
import type { Diff } from "../entry.ts";
import { plain } from "./markdown.ts";
import { diffReportOf, type ReportedChange } from "./report.ts";

/** Returns Markdown that ends with a line feed, with each place and each message in full. */
export const renderGuide = (diff: Diff): string => {
  const { summary, changes } = diffReportOf(diff);
  return inBlocks([
    [`# From ${plain(diff.old.version)} to ${plain(diff.new.version)}`],
    [`${summary}.`],
    ...operationBlocks(changes),
    ...groupByTitle(changes, ({ entry }) => entry.owner).flatMap(({ title, items }) => [
      [`## ${plain(title)}`],
      ...items.flatMap(changeBlocks),
    ]),
  ]);
};

/** Lists where the changes of each operation stand: several operations may share a schema. */
const operationBlocks = (changes: readonly ReportedChange[]): string[][] => {
  const reached = changes.flatMap(({ entry }) =>
    entry.judged.flatMap(({ class: severity, reach }) =>
      reach.map(({ operation }) => ({ operation, where: `${entry.owner} (${severity})` })),
    ),
  );
  const lines = groupByTitle(reached, ({ operation }) => operation).map(({ title, items }) => {
    const places = [...new Set(items.map(({ where }) => where))];
    return `- ${plain(title)}: ${places.map(plain).join(", ")}`;
  });
  return lines.length === 0 ? [] : [["## Operations"], lines];
};

const changeBlocks = (change: ReportedChange): string[][] => {
  const { entry, heading, what, accepted, effects } = change;
  const place = [entry.part, entry.pointer].filter((part) => part !== "").join(" ");
  return [
    [`### ${plain(place === "" ? what : `${place}: ${what}`)}`],
    [`${heading}, \`${entry.fingerprint}\`${accepted === undefined ? "" : `, accepted ${plain(accepted)}`}.`],
    valuesTable(change),
    ...effects.flatMap((effect) => [
      [
        `**${WHO[effect.sender]}** ${effect.messages.map((message) => `the ${plain(message)}`).join(", ")}: ${plain(dueTo(change, effect))}`,
      ],
      effect.witness.length === 0 ? [] : [fenced(effect.witness.join("\n"), "http")],
      effect.refusals.map((refusal) => `The message is ${plain(refusal)}.`),
    ]),
  ];
};

const WHO = { caller: "Who sends", service: "Who reads" } as const;

const valuesTable = ({ entry }: ReportedChange): string[] => {
  if (entry.old === undefined && entry.new === undefined) return [];
  const cell = (value: unknown): string =>
    value === undefined ? "" : plain(typeof value === "string" ? value : JSON.stringify(value));
  return ["| before | after |", "|---|---|", `| ${cell(entry.old)} | ${cell(entry.new)} |`];
};

/** Returns what the sender or the reader of the messages has to do. */
const dueTo = (
  { entry: { rule, action } }: ReportedChange,
  effect: ReportedChange["effects"][number],
): string => {
  if (effect.class === "undecided") return `decide for yourself, because ${effect.reason}.`;
  if (effect.class === "compatible")
    return rule.endsWith("deprecated") && action === "added"
      ? "plan to do without it: the document announces its end."
      : "nothing has to be done.";
  if (effect.sender === "service")
    return "accept a message such as this one, which the new service may send.";
  return rule === "operation" && action === "removed"
    ? "stop calling it, because the new service does not serve it."
    : "stop sending a message such as this one, which the new service may refuse.";
};
