/** The options of `--document`, which commands that repeat a part of this one have as well. */

export interface DocumentFlags {
  readonly document: string;
  readonly root?: string;
  readonly url?: string;
  readonly header: readonly string[];
  readonly id: readonly string[];
  readonly key: readonly string[];
  readonly tokenFrom?: string;
}

/**
 * What a command needs: `server`: a server of the service; `server or sandbox`: the embedded sandbox unless `--url` is given;
 * `contract`: only the contract.
 */
export type Need = "server" | "server or sandbox" | "contract";

/** What the options of a document give the rest of the command. */
interface OpenDocument {
  /** The path or the address of the document. */
  readonly document: string;
  /** The options, as a command that repeats this one has them; absent without a server. */
  readonly repeated?: readonly string[];
  /** The settings of the service, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

let opened: OpenDocument | undefined;

export const keepDocument = (given: OpenDocument): void => {
  opened = given;
};

/** @returns `undefined` without `--document` and a server */
export const documentArguments = (): readonly string[] | undefined => opened?.repeated;

/** Returns the path or the address of the document; nothing without `--document`. */
export const documentPath = (): Partial<Pick<OpenDocument, "document">> =>
  opened === undefined ? {} : { document: opened.document };

/** Returns the environment with the settings that the options of a document give. */
export const givenSettings = (): NodeJS.ProcessEnv => ({ ...process.env, ...opened?.settings });
