/**
 * The points at which extensions join the core. An extension is a folder of `extensions/` whose `index.ts` exports what it
 * gives; the core never imports one by its name. Its parts are loaded by the processes that need them.
 */
import type { Command } from "commander";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { givenPart, missing } from "../helpers/contract/extension.ts";
import { DOCUMENT_FOLDER } from "../helpers/contract/services.ts";
import type { Trial } from "../helpers/trials/trial.ts";
import type { SandboxService } from "../mocks/engine/service.ts";

export interface Extension {
  /** What its commands do, by name. Each is a file of its folder `bin/`. */
  readonly commands?: Readonly<Record<string, string>>;
  /** Contracts in place of `schemas/`, and the options that name them. */
  readonly source?: () => Promise<Source>;
  /** The sandbox of a service without code. */
  readonly sandbox?: () => Promise<{
    serviceByConvention(service: Service, further?: Partial<SandboxService>): SandboxService;
  }>;
  /** The trials of a service without code. */
  readonly trials?: () => Promise<{ trials(contract: Contract): Trial[] }>;
}

export interface Source {
  /** Adds the options to the help of a command. */
  addOptions(command: Command, need: Need): Command;
  /** @throws ConfigurationError for a wrong option, ContractError for a wrong document */
  open(args: readonly string[], need: Need): Promise<OpenSource>;
}

/**
 * What a command needs: `server`: a server of the service; `server or sandbox`: the embedded sandbox unless `--url` is given;
 * `contract`: only the contract.
 */
export type Need = "server" | "server or sandbox" | "contract";

/** What a source gives the rest of a command. */
export interface OpenSource {
  /** The folder in place of `schemas/`. */
  readonly schemas: string;
  /** The arguments of the command, which name the service in place of the document. */
  readonly args: readonly string[];
  /** The path or the address of the document. */
  readonly document: string;
  /** The options, as a command that repeats this one has them; absent without a server. */
  readonly repeated?: readonly string[];
  /** The settings of the service, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

let opened: OpenSource | undefined;

/** Returns a command with the options of the extensions. The arguments of this process no longer name a document then. */
export const extended = async (commandLine: () => Command, need: Need): Promise<Command> => {
  const source = await givenPart<Source>("source");
  if (namesDocument()) {
    if (source === undefined) throw missing("--document");
    opened = await source.open(process.argv.slice(2), need);
    process.env[DOCUMENT_FOLDER] = opened.schemas;
    process.argv.splice(2, process.argv.length, ...opened.args);
  }
  // The command line lists the services, which are known now.
  const command = commandLine();
  return source?.addOptions(command, need) ?? command;
};

/** Whether the arguments name a document. What comes after `--` are arguments of another command. */
export const namesDocument = (): boolean => {
  const end = process.argv.indexOf("--");
  return process.argv.some((argument, at) => /^--document(=|$)/.test(argument) && (end < 0 || at < end));
};

/** Returns what the arguments of the command named, if they named a document. */
export const openedSource = (): OpenSource | undefined => opened;

/** Returns the environment with the settings that a source gives. */
export const givenSettings = (): NodeJS.ProcessEnv => ({ ...process.env, ...opened?.settings });
