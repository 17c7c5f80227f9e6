/** The command line of each command: its usage, its help as wide as the terminal, and its errors. */
import { Command, Help, type Option } from "commander";
import { commandWith } from "../../helpers/contract/code.ts";
import { note, print } from "../../reports/print.ts";
import { FILE, isKey } from "../options-file.ts";
import { refuseRemovedOptions } from "./removed-options.ts";

/** What help shows of a command with many options. `--help all` shows all of them, and the texts after them. */
const MOST_USED: readonly string[] = [
  ...["target", "service", "operation", "requirement", "depth", "contract", "document", "url", "id", "key"],
  ...["port", "data", "from", "record", "fault", "difference", "exercise", "help"],
];
const MANY = 18;

const isWhole = ({ argv } = process): boolean =>
  argv.some((text, index) => /^(-h|--help)$/.test(text) && argv[index + 1] === "all");

/** @param name for example `certify`; the usage shows it as a user writes it */
export const createCommand = (name: string): Command => {
  const command = new WrappedCommand(commandWith(name).replace("npx ", ""));
  refuseRemovedOptions(command, name);
  return command;
};

class WrappedCommand extends Command {
  constructor(name: string) {
    super(name);
    this.configureOutput({ writeOut: print, writeErr: note }).configureHelp({
      // Long names of options leave less room than commander wants for wrapping.
      minWidthToWrap: 20,
      visibleOptions: (command) => shownOf(command).shown,
      commandDescription: (command) => joined(command.description()),
      optionDescription: ({ description, argChoices, defaultValue }) => {
        const notes = [
          ...(argChoices ? [argChoices.join(", ")] : []),
          // The descriptions of lists and of flags say what holds without the option.
          ...(["string", "number"].includes(typeof defaultValue) ? [`default: ${defaultValue}`] : []),
        ];
        return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
      },
    });
    super.addHelpText("after", () => {
      const { left } = shownOf(this);
      return left === 0 ? keysOf(this) : `\n--help all shows ${left} more options, and how they work.`;
    });
  }

  override addHelpText(position: "beforeAll" | "before" | "after" | "afterAll", text: unknown): this {
    if (typeof text !== "string") return super.addHelpText(position, text as string);
    const { isTTY, columns } = process.stdout;
    const width = isTTY ? columns : PLAIN_WIDTH;
    return super.addHelpText(position, () =>
      (shownOf(this).left > 0 ? "" : text)
        .split(/\n{2,}/)
        .map((paragraph) => this.createHelp().boxWrap(joined(paragraph), width))
        .join("\n\n"),
    );
  }
}

/** Lists what only the options file gives. */
const keysOf = (command: Command): string => {
  const keys = command.options.filter((option) => option.hidden && isKey(option));
  const width = Math.max(...keys.map((option) => option.name().length)) + 2;
  const help = command.createHelp();
  const lines = keys.map((option) => help.formatItem(option.name(), width, option.description, help));
  return keys.length === 0
    ? ""
    : `\nKeys of ${FILE}, which also takes each option as NAME: VALUE:\n${lines.join("\n")}`;
};

/** Returns the options that help shows, and how many it leaves out. */
const shownOf = (command: Command): { readonly shown: Option[]; readonly left: number } => {
  const all = new Help().visibleOptions(command);
  if (all.length <= MANY || isWhole()) return { shown: all, left: 0 };
  const shown = all.filter((option) => MOST_USED.includes(option.name()));
  return { shown, left: all.length - shown.length };
};

/** The width of help that is not shown on a terminal, as commander chooses it. */
const PLAIN_WIDTH = 80;

/** Joins the lines of a paragraph. The start of the text stays. */
const joined = (text: string): string => text.replaceAll(/(?<=\S)\n(?=\S)/g, " ");
