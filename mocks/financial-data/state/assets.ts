/** Files that belong to a customer: pay statements as they were stored, and statements of accounts. */

import { keptIn } from "../../../helpers/contract/once.ts";
import { perState, type State } from "./state.ts";

export interface Asset {
  readonly id: string;
  readonly customerId: string;
  readonly content: Buffer;
}

/** By asset id. */
const assets = perState((state) => {
  const all = new Map<string, Asset>();
  state.events.on("customer-deleted", ({ customer }) => {
    for (const { id, customerId } of all.values()) if (customerId === customer.id) all.delete(id);
  });
  return all;
});

/** The first content of an id stays. */
export const storeAsset = (state: State, asset: Asset): Asset => keptIn(assets(state), asset.id, () => asset);

/** @returns the asset when there is one and it is the customer's */
export const assetOf = (state: State, customerId: string, id: string): Asset | undefined => {
  const asset = assets(state).get(id);
  return asset?.customerId === customerId ? asset : undefined;
};
