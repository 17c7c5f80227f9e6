/** A merchant's participation. */
import type { Fields } from "../engine/values/fields.ts";
/** A merchant is known by its legal name, country and acquirer. */
export interface MerchantKey {
  readonly merchantLegalName: string;
  readonly countryCode: string;
  readonly acquirerICA: string;
}

export interface Participation {
  readonly requestId: string;
  /** Milliseconds since the epoch, on the clock of the tenant. */
  readonly submittedAt: number;
  readonly merchant: MerchantKey;
  readonly mids: readonly string[];
  /** Whatever else was submitted. */
  readonly details: Fields;
}
