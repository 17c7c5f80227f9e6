/**
 * The points at which extensions join the core. An extension is a folder of `extensions/` whose `index.ts` exports what it
 * gives; the core never imports one by its name. Its parts are loaded by the processes that need them.
 */
import type { Command } from "commander";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import type { ContractChange } from "../helpers/contract/contract-change.ts";
import type { Upgrade } from "../helpers/contract/documents/upgrade.ts";
import { extensions, givenPart, missing } from "../helpers/contract/extension.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { DOCUMENT_FOLDER } from "../helpers/contract/services.ts";
import type { RunInfo, Selection } from "../helpers/trials/run-info.ts";
import type { Trial } from "../helpers/trials/trial.ts";
import type { SandboxService } from "../mocks/engine/service.ts";
import type { MatrixRow } from "../reports/certificate/matrix.ts";
import { addFileOptions, isGiven, isKey } from "./options-file.ts";

export interface Extension {
  /** What its commands do, by name. Each is a file of its folder `bin/`. */
  readonly commands?: Readonly<Record<string, string>>;
  /** Options of commands of the core, by the name of the command. */
  readonly options?: Readonly<Record<string, () => Promise<Options>>>;
  /** Contracts in place of `schemas/`, and the options that name them. */
  readonly source?: () => Promise<Source>;
  /** The sandbox of a service without code. */
  readonly sandbox?: () => Promise<{
    serviceByConvention(service: Service, further?: Partial<SandboxService>): SandboxService;
  }>;
  /** The trials of a service without code. */
  readonly trials?: () => Promise<{ trials(contract: Contract): Trial[] }>;
  /** How requirements are tried that no run against a service tries, in words, by their id. */
  readonly halves?: () => Promise<{
    halfTrials(contracts: readonly Contract[]): Promise<ReadonlyMap<string, string>>;
  }>;
  /** What changed between two documents of a service. */
  readonly comparison?: () => Promise<DocumentComparison>;
  /** Subjects of the matrix: right and wrong callers and listeners. */
  readonly subjects?: () => Promise<{
    runSubjects(half: NonNullable<RunInfo["half"]>, contract: Contract): Promise<MatrixRow[]>;
  }>;
}

/** Compares the documents of two contracts of a service. */
export interface DocumentComparison {
  /**
   * Returns the breaking changes, as a run tries them.
   * @param ids operationIds, if only some operations are of interest
   */
  changesBetween(base: Contract, revision: Contract, ids?: readonly string[]): ContractChange[];
  /** Returns the changes of answers that may affect who reads them: where, and in which operations. */
  changedAnswers(
    base: Contract,
    revision: Contract,
  ): (Pick<ContractChange, "operations" | "end"> & { readonly words: string; readonly isStatus: boolean })[];
  /**
   * Returns a judge of recorded requests: why the revision refuses what the base does not, in the words of the change.
   * @param base `undefined` if it is not known: then all that the revision refuses is told
   */
  judgeOfRequests(
    base: Contract | undefined,
    revision: Contract,
  ): (
    request: RecordedRequest,
  ) => (Pick<ContractChange, "place" | "pointer" | "keyword"> & { readonly words: string })[];
}

/** A request in a recording. Names of headers are in lower case. */
export interface RecordedRequest {
  readonly method: string;
  /** The encoded path below the base URL. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, text: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** The value of the body; absent if there is none. */
  readonly body?: unknown;
}

/** Options that make a command do something else, or only a part. */
interface Options {
  addOptions(command: Command): Command;
  /**
   * @param given the options, and what the command has read because of its own ones
   * @returns the exit code; `undefined` if none of these options is given
   */
  run?(given: object): Promise<number | undefined>;
  /** @returns the part of a run that these options name; `undefined` if none of them is given */
  narrow?(given: object, run: Narrowable): Promise<Narrowed | undefined>;
}

export interface Narrowable {
  /** The providers' documents, by service. */
  readonly files: Readonly<Record<Service, string>>;
  load(services: readonly Service[]): Promise<readonly Contract[]>;
  /** Returns what the user selects of these contracts. */
  select(contracts: readonly Contract[]): Selection | null;
  /** Returns the ids of the operations that the user selects of these contracts; all if absent. */
  operationsIn(contracts: readonly Contract[]): readonly string[] | undefined;
}

export interface Narrowed {
  readonly contracts: readonly Contract[];
  readonly selection: Selection;
  readonly upgrade: Upgrade;
  /** Why there is nothing to try. */
  readonly nothing: string | undefined;
}

export interface Source {
  /** Adds the options to the help of a command. */
  addOptions(command: Command, need: Need): Command;
  /** @throws ConfigurationError for a wrong option, ContractError for a wrong document */
  open(args: readonly string[], need: Need, named?: Service): Promise<OpenSource>;
}

/**
 * What a command needs: `server`: a server of the service; `server or sandbox`: the embedded sandbox unless `--url` is given;
 * `address`: at most the address of the server; `contract`: only the contract.
 */
export type Need = "server" | "server or sandbox" | "address" | "contract";

/** What a source gives the rest of a command. */
export interface OpenSource {
  /** The folder in place of `schemas/`. */
  readonly schemas: string;
  /** The arguments of the command, which name the service in place of the document. */
  readonly args: readonly string[];
  /** The path or the address of the document. */
  readonly document: string;
  /** The document as it was read. */
  readonly madeFrom: NonNullable<Contract["madeFrom"]>;
  /** The options, as a command that repeats this one has them; absent without a server. */
  readonly repeated?: readonly string[];
  /** The settings of the service, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The options that an extension gives, with its folder: without it, they say what is missing. */
const GIVEN = { "--document": "document", "--listener": "client", "--record": "client", "--since": "diff" };

let opened: OpenSource | undefined;
let added: readonly Options[] = [];

/**
 * Returns a command with the options of the extensions and of the file. The arguments of this process no longer name a
 * document then.
 * @param name the command, if extensions have options for it
 */
export const extended = async (commandLine: () => Command, need: Need, name = ""): Promise<Command> => {
  const all = await extensions<Extension>();
  const given = [...all.values()];
  const source = await given.find((one) => one.source)?.source?.();
  added = await Promise.all(given.flatMap(({ options }) => options?.[name]?.() ?? []));
  const whole = (): Command => {
    const command = added.reduce((line, one) => one.addOptions(line), commandLine());
    source?.addOptions(command, need);
    for (const key of command.options.filter(isKey)) key.hideHelp();
    return command;
  };
  addFileOptions(whole().options, name === "certify");
  for (const [option, folder] of Object.entries(GIVEN))
    if (isGiven(option) && !all.has(folder)) throw missing(option, folder);
  if (source !== undefined && isGiven("--document")) {
    opened = await source.open(process.argv.slice(2), need);
    process.env[DOCUMENT_FOLDER] = opened.schemas;
    process.argv.splice(2, process.argv.length, ...opened.args);
  }
  // The command line lists the services, which are known now.
  return whole();
};

/** Returns a part that one extension gives. @returns `undefined` if this extension is missing */
export const partAt = <Point extends "comparison" | "halves" | "subjects">(point: Point) =>
  givenPart<Awaited<ReturnType<NonNullable<Extension[Point]>>>>(point);

/** Does what options of the extensions ask for. @returns the exit code; `undefined` if none of them is given */
export const instead = async (given: object): Promise<number | undefined> => {
  let code: number | undefined;
  for (const { run } of added) code ??= await run?.(given);
  return code;
};

/** Returns the part of a run that options of the extensions name. @returns `undefined` if none of them is given */
export const narrowed = async (given: object, run: Narrowable): Promise<Narrowed | undefined> => {
  let part: Narrowed | undefined;
  for (const { narrow } of added) part ??= await narrow?.(given, run);
  return part;
};

/** Returns what the arguments of the command named, if they named a document. */
export const openedSource = (): OpenSource | undefined => opened;

/**
 * Returns the contract with another version of its document.
 * @throws ContractError when there is no such document, or when it is invalid
 */
export const versionAt = async ({ service, madeFrom }: Contract, file: string): Promise<Contract> => {
  const source = madeFrom && (await givenPart<Source>("source"));
  if (source === undefined) return loadContract(service, { providerFile: file });
  const opened = await source.open(["--document", file], "contract", service);
  return loadContract(service, { folder: opened.madeFrom.folder, madeFrom: opened.madeFrom });
};

/** Returns the environment with the settings that a source gives. */
export const givenSettings = (): NodeJS.ProcessEnv => ({ ...process.env, ...opened?.settings });
