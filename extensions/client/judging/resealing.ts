/** Opening of encrypted fields by a proxy: clients encrypt them for the proxy, which encrypts them for the target. */

export interface Resealing {
  /** Configuration values by environment name that replace the values of the target for clients. */
  readonly environment: Readonly<Record<string, string>>;
  /** @returns the body for the target, and the decrypted values by pointer */
  reseal(
    body: string,
  ): Promise<{ readonly body: string; readonly opened: Readonly<Record<string, unknown>> }>;
}

/** @returns `undefined` when the configuration of the target lacks a key */
export type CreateResealing = (values: Readonly<Record<string, string>>) => Promise<Resealing | undefined>;
