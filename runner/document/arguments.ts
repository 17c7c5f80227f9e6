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

let kept: readonly string[] | undefined;

export const keepDocumentArguments = (given: readonly string[]): void => {
  kept = given;
};

/** @returns `undefined` without `--document` */
export const documentArguments = (): readonly string[] | undefined => kept;
