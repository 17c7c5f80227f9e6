/** Access keys for third parties, each known by the receipt of the customer's consent. */
import type { Fields } from "../../engine/values/fields.ts";
import { perWorld } from "./store.ts";

export interface AccessKey {
  readonly receiptId: string;
  readonly partnerId: string;
  /** As the client gave them. */
  fields: Fields;
  /** Milliseconds since 1970. */
  issued: number;
}

/** By receipt id. */
export const accessKeys = perWorld(() => new Map<string, AccessKey>());
