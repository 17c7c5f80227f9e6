/**
 * The options of `--document`: any API from its OpenAPI document. The document becomes a service that exists only for this
 * command, in a folder for temporary files, so that nothing is written into the project.
 */
import { Command } from "commander";
import type { DocumentFlags, Need } from "../../../runner/extensions.ts";

/** Adds the options to the help of a command. `takeDocument` reads them before. */
export const addDocumentOptions = (command: Command, need: Need): Command => {
  command
    .option("--document <file|url>", "any OpenAPI document (3.0 or 3.1), instead of the services")
    .option("--root <dir>", "with --document: the folder of all its files; its own folder if not set");
  if (need === "contract") return command;
  return command
    .option(
      "--url <base>",
      need === "server"
        ? "with --document: the server; the first of `servers` in the document if not set"
        : "with --document: the server; the embedded sandbox if not set",
    )
    .option(
      "--header <'Name: value'|@file>",
      "with --document: a header of every request; $NAME in it is a variable of the environment; repeatable",
      add,
      [],
    )
    .option(
      "--id <NAME=VALUE>",
      "with --document: an identifier that the server knows, which the run may change and never deletes; repeatable",
      add,
      [],
    )
    .option(
      "--key <NAME=$VARIABLE|@file>",
      "with --document: a key by the name of its scheme or place, or a field of a log-in; repeatable",
      add,
      [],
    )
    .option(
      "--token-from <name>",
      "with --document: the log-in operation, or the scheme with client credentials, that gives the token",
    );
};

const add = (text: string, others: readonly string[]): readonly string[] => [...others, text];

/**
 * Replaces the options of a document in the arguments of this process by the options of its service. Does nothing without `--document`.
 * @param kept the options of a document, if the arguments name none
 * @throws ConfigurationError for a wrong option, ContractError for a wrong document
 */
export const takeDocument = async (need: Need, kept: readonly string[] = []): Promise<void> => {
  const all = process.argv.slice(2);
  const isNamed = all.some((argument) => /^--document(=|$)/.test(argument));
  if (!isNamed && kept.length === 0) return;
  const given = isNamed ? all : [...kept, ...all];
  const end = given.indexOf("--");
  const [own, others] = end < 0 ? [given, []] : [given.slice(0, end), given.slice(end)];
  const command = addDocumentOptions(new Command().exitOverride(), need);
  const { operands, unknown } = command.parseOptions(own);
  // Other commands do not need to load this code.
  const { openService } = await import("./open-service.ts");
  const target = await openService(command.opts<DocumentFlags>(), need);
  process.argv.splice(2, all.length, ...operands, ...unknown, ...target, ...others);
};
