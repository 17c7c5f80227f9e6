/** Renders the register: every requirement of some contracts, and how it is tried. */
import type { Contract, Hazard, Requirement } from "../helpers/contract/contract.ts";

export interface RegisterRow
  extends Pick<Requirement, "id" | "service" | "level" | "source" | "operations" | "statement"> {
  /** In words, for example `from outside; makes billable calls`. */
  readonly tried: string;
}

export const registerRows = (contracts: readonly Contract[]): RegisterRow[] =>
  contracts.flatMap(({ requirements }) =>
    requirements.map((requirement) => {
      const { id, service, level, source, operations, statement } = requirement;
      return { id, service, level, source, operations, tried: howTried(requirement), statement };
    }),
  );

/** A few lines for each requirement, none wider than `width` unless a single word is. */
export const registerTable = (rows: readonly RegisterRow[], width: number): string => {
  const blocks = rows.map(({ id, level, source, tried, statement }) =>
    [
      id,
      ...wrap(statement, width - 2).map((line) => `  ${line}`),
      ...labelled("level", level, width),
      ...labelled("source", source, width),
      ...labelled("tried", tried, width),
    ].join("\n"),
  );
  return `${[...blocks, `${rows.length} requirements`].join("\n\n")}\n`;
};

const HAZARDS: Readonly<Record<Hazard, string>> = {
  billable: "makes billable calls",
  destructive: "destroys data",
  "locks-account": "locks an account",
  slow: "takes long",
};

const SIGHT: Readonly<Record<Requirement["observable"], string>> = {
  "from-outside": "from outside",
  "needs-setup": "after set-up",
  "needs-clock": "with a clock that can be moved",
  "not-observable": "not tried: not observable",
};

const howTried = ({ subject, observable, setup, hazards }: Requirement): string => {
  if (subject === "client") return "not tried: obliges the caller";
  if (subject === "listener") return "not tried: obliges the listener";
  const sight = setup === undefined ? SIGHT[observable] : `${SIGHT[observable]} (${setup})`;
  return observable === "not-observable" ? sight : [sight, ...hazards.map((one) => HAZARDS[one])].join("; ");
};

const LABEL_WIDTH = 10;

const labelled = (label: string, text: string, width: number): string[] =>
  wrap(text, width - LABEL_WIDTH).map((line, index) =>
    index === 0 ? `  ${label.padEnd(LABEL_WIDTH - 2)}${line}` : `${" ".repeat(LABEL_WIDTH)}${line}`,
  );

const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};
