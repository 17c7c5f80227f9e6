/** The options that earlier versions had. A command that gets one ends with 2, and says what replaces it. */
import { type Command, Option } from "commander";
import { commandWith } from "../../helpers/contract/code.ts";

/** `instead` says what to do instead, as a sentence. */
export const REMOVED_OPTIONS = [
  {
    option: "history",
    commands: ["certify", "merge", "proxy", "judge"],
    instead: "Keep certificates, and compare a run with one of them: --baseline.",
  },
  {
    option: "used-by",
    commands: ["certify"],
    instead: "Choose what a client uses with --operation.",
  },
  {
    option: "used-by",
    commands: ["judge"],
    instead: "Leave it out: the traffic shows what the client reads.",
  },
  {
    option: "time",
    commands: ["certify"],
    instead: "Sequences of calls take ten minutes at exhaustive depth; --max-time limits a whole run.",
  },
  {
    option: "curve",
    commands: ["mutation"],
    instead: `${commandWith("bench")} goals shows the classes of faults that small budgets find.`,
  },
  {
    option: "changed",
    commands: ["mutation"],
    instead: "Name what you change with --fault or --difference, or run all: it takes minutes.",
  },
  {
    option: "predict",
    commands: ["certify"],
    instead:
      "Without a target, --since tries the new document on the embedded sandbox: see --fail-on advisory.",
  },
  {
    option: "sarif",
    commands: ["certify", "merge", "proxy", "judge"],
    instead: "Leave it out: certificate.sarif is always written.",
  },
  {
    option: "key",
    commands: ["mock"],
    instead: "Put the private key into the file of --cert.",
  },
  ...["header", "id", "key", "value"].map((option) => ({
    option,
    commands: ["judge"],
    instead: "Leave it out: the traffic is recorded.",
  })),
];

export const refuseRemovedOptions = (command: Command, name: string): void => {
  for (const { option, instead } of REMOVED_OPTIONS.filter(({ commands }) => commands.includes(name))) {
    command
      .addOption(new Option(`--${option} [value]`).hideHelp())
      .on(`option:${option}`, () =>
        command.error(`error: version 0.3.0 removed the option --${option}. ${instead}`),
      );
  }
};
