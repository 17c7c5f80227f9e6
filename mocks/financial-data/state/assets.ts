/** Files of a customer: stored pay statements, and account statements. */
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { type State, stored } from "./state.ts";

export interface Asset {
  readonly id: string;
  readonly customerId: string;
  readonly content: Buffer;
}

/** By asset id. */
export const assets = stored("assets", (state) => {
  const all = new Map<string, Asset>();
  state.events.on("customer-deleted", ({ customer }) => {
    for (const { id, customerId } of all.values()) if (customerId === customer.id) all.delete(id);
  });
  return all;
});

/** Stores an asset. A second asset with the same id does not replace the first. */
export const storeAsset = (state: State, asset: Asset): Asset =>
  getOrInsert(assets(state), asset.id, () => asset);

/** @returns the asset if it exists and belongs to the customer */
export const assetOf = (state: State, customerId: string, id: string): Asset | undefined => {
  const asset = assets(state).get(id);
  return asset?.customerId === customerId ? asset : undefined;
};
