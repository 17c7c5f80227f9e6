/** Renders the template of situations files: every entry as a comment, with what it is. */
import { stringify } from "yaml";
import { serviceDescriptor } from "../../helpers/contract/services.ts";
import type { SituationRow } from "../../helpers/situations/catalogue.ts";
import { STATED } from "../../helpers/situations/schema.ts";
import { groupByTitle } from "../order.ts";

const INTRODUCTION = `# yaml-language-server: $schema=./situations.schema.json
## A situations file tells what you know of a target that no client can cause or see: SITUATIONS=<this file>.
## Copy this template, and remove the hash before each entry that you fill in.
##
## An entry has the identifiers that you know (ids), or a command, or an HTTP request (http). A command gets
## {"situation": name, "parameters": {...}} on its standard input, a request as its body. Both answer with
## {"ids": {name: value}}. "Each item serves one trial": such an entry can be a list of several items.
## A run changes them for good. State "untouched: true" beside the ids if no run has used an item: otherwise a failure that
## an earlier run may have caused is left untried.
`;

const HOOKS = [
  ["clock", 'moves the clock of the target: gets {"advance": seconds}'],
  ["linked-accounts", 'links test accounts to a customer: gets {"customerId": id}'],
  ["mail", 'prints the e-mails that the target has sent: [{"to": address, "link": URL}]'],
] as const;

export const situationsTemplate = (rows: readonly SituationRow[]): string => {
  const services = groupByTitle(rows, ({ service }) => service).map(
    ({ title, items }) =>
      `\n  ## ${serviceDescriptor(title).title}\n${items
        .map((row) => noted(meaningOf(row), "  ") + commented({ [row.name]: exampleOf(row) }, "  "))
        .join("")}`,
  );
  const hooks = HOOKS.map(
    ([name, meaning]) => noted(meaning, "") + commented({ [name]: { command: [`./${name}`] } }, ""),
  );
  const stated = Object.entries(STATED).map(
    ([name, meaning]) => noted(meaning, "  ") + commented([name], "  "),
  );
  return `${INTRODUCTION}\nsituations:${services.join("")}\n${hooks.join("")}\ncapabilities:\n${stated.join("")}`;
};

const noted = (meaning: string, indent: string): string => `${indent}## ${meaning}.\n`;

const meaningOf = ({ meaning, once }: SituationRow): string =>
  once ? `${meaning} (each item serves one trial)` : meaning;

const exampleOf = ({ name, ids, act, parameters }: SituationRow): object => {
  if (act) return { command: [`./${name}`] };
  const values = Object.fromEntries(ids.map((id) => [id, ""]));
  return Object.keys(parameters).length === 0 ? { ids: values } : { with: parameters, ids: values };
};

const commented = (entry: object, indent: string): string =>
  stringify(entry, { lineWidth: 0, flowCollectionPadding: true, collectionStyle: "flow" })
    .trim()
    .replace(/^[{[] ?(.*?) ?[}\]]$/s, Array.isArray(entry) ? "- $1" : "$1")
    .replace(/^/, `${indent}# `)
    .concat("\n");
