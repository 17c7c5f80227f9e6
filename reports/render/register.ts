/** Renders the register: every requirement of the given contracts, and how it is tried. */
import { Help } from "commander";
import type { Contract, Hazard, Requirement } from "../../helpers/contract/contract.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import { asSentence, counted, inBlocks, spaced } from "../text.ts";

export interface RegisterRow
  extends Pick<Requirement, "id" | "service" | "level" | "source" | "operations" | "statement"> {
  /** How it is tried, in words, for example `from outside; makes billable calls`. */
  readonly tried: string;
  /** The verdict in a certificate, and its reason, if one was given. */
  readonly verdict?: Verdict;
  readonly reason?: string | null;
}

/** @param halves how requirements of callers and listeners are tried, in words, by the id of the requirement */
export const registerRows = (
  contracts: readonly Contract[],
  halves: ReadonlyMap<string, string>,
): RegisterRow[] =>
  contracts.flatMap(({ requirements }) =>
    requirements.map((requirement) => {
      const { id, service, level, source, operations, statement } = requirement;
      return { id, service, level, source, operations, tried: howTried(requirement, halves), statement };
    }),
  );

/** Returns a few lines for each requirement, wrapped at `width` (at least 80). */
export const registerTable = (rows: readonly RegisterRow[], width: number): string => {
  // This uses the same wrapping and labels as the help of the commands.
  const help = Object.assign(new Help(), { helpWidth: width });
  const labelled = (label: string, text: string): string =>
    help.formatItem(label, "verdict".length, text, help);
  const blocks = rows.map(({ id, level, source, tried, statement, verdict, reason }) => [
    id,
    help.boxWrap(statement, width - 2).replaceAll(/^/gm, "  "),
    labelled("level", level),
    labelled("source", source),
    labelled("tried", tried),
    ...(verdict === undefined
      ? []
      : [labelled("verdict", `${spaced(verdict)}${reason ? `: ${asSentence(reason)}` : ""}`)]),
  ]);
  return inBlocks([...blocks, [counted(rows.length, "requirement")]]);
};

const HAZARDS: Readonly<Record<Hazard, string>> = {
  billable: "makes billable calls",
  destructive: "destroys data",
  changes: "changes data",
  "locks-account": "locks an account",
  slow: "takes long",
};

export const NOT_OBSERVABLE = "not tried: not observable";

const SIGHT: Readonly<Record<Requirement["observable"], string>> = {
  "from-outside": "from outside",
  "needs-setup": "after set-up",
  "needs-clock": "with a clock that can be moved",
  "not-observable": NOT_OBSERVABLE,
};

const howTried = (
  { id, subject, observable, setup, hazards }: Requirement,
  halves: ReadonlyMap<string, string>,
): string => {
  if (subject === "client") return halves.get(id) ?? "not tried: obliges the caller";
  if (subject === "listener") return halves.get(id) ?? "not tried: obliges the listener";
  const sight = setup === undefined ? SIGHT[observable] : `${SIGHT[observable]} (${setup})`;
  return observable === "not-observable" ? sight : [sight, ...hazards.map((one) => HAZARDS[one])].join("; ");
};
