/**
 * The options of `--document`: any API from its OpenAPI document. The document becomes a service that exists only for this
 * command, in a folder for temporary files, so that nothing is written into the project.
 */
import { Command } from "commander";
import type { Service } from "../../../helpers/contract/contract.ts";
import type { Need, OpenSource } from "../../../runner/extensions.ts";
import type { DocumentFlags } from "./open-service.ts";

/** Adds the options to the help of a command. `open` reads them before. */
export const addOptions = (command: Command, need: Need): Command => {
  command
    .option("--document <file|url>", "any OpenAPI document (3.0 or 3.1), instead of the services")
    .option("--root <dir>", "with --document: the folder of all its files; its own folder if not set");
  if (need === "contract") return command;
  command.option("--url <base>", `with --document: the server; ${OTHERWISE[need]} if not set`);
  if (need === "address") return command;
  for (const [flags, what] of REPEATABLE)
    command.option(flags, `with --document: ${what}; repeatable`, add, []);
  return command.option(
    "--token-from <name>",
    "with --document: the log-in operation, or the scheme with client credentials, that gives the token",
  );
};

const OTHERWISE = {
  server: "the first of `servers` in the document",
  "server or sandbox": "the embedded sandbox",
  address: "found in the traffic",
} as const;

const REPEATABLE = [
  [
    "--header <'Name: value'|@file>",
    "a header of every request; $NAME in it is a variable of the environment",
  ],
  ["--id <NAME=VALUE>", "an identifier that the server knows, which the run may change and never deletes"],
  [
    "--value <NAME=VALUE>",
    "a value of a parameter, a header or a field of requests, which each valid call has",
  ],
  ["--key <NAME=$VARIABLE|@file>", "a key by the name of its scheme or place, or a field of a log-in"],
] as const;

const add = (text: string, others: readonly string[]): readonly string[] => [...others, text];

/** Makes a service of what the arguments name, and names it in the arguments instead. */
export const open = async (given: readonly string[], need: Need, name?: Service): Promise<OpenSource> => {
  const end = given.indexOf("--");
  const [own, others] = end < 0 ? [given, []] : [given.slice(0, end), given.slice(end)];
  const command = addOptions(new Command().exitOverride(), need);
  const { operands, unknown } = command.parseOptions([...own]);
  // Commands without a document do not need to load this code.
  const { openService } = await import("./open-service.ts");
  const { target, ...service } = await openService(command.opts<DocumentFlags>(), need, name);
  return { ...service, args: [...operands, ...unknown, ...target, ...others] };
};
