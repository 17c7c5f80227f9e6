/** What values are generated in. */
import type { Contract } from "../contract/contract.ts";
import type { Validator } from "../contract/schema-validator.ts";

export interface GenerateContext {
  readonly schemas: Contract["schemas"];
  /** Of the same contract. */
  readonly validator: Validator;
  /**
   * Values by `x-resource`, which the server knows. An optional property whose resource is not here is left
   * out.
   */
  readonly resources: Readonly<Record<string, string>>;
  /** The one country that the contract serves, where it serves but one. */
  readonly country?: string | undefined;
  /** What names end with that nobody else may have, where others use the target too. */
  readonly tag?: string | undefined;
  /** JSON pointers of places that must be there; their parents then are too. */
  readonly with?: readonly string[];
  /** JSON pointers of places that must not be there. */
  readonly without?: readonly string[];
  /**
   * For values that need not be plausible: fixed samples meet the formats, the same on every day; there is only what is
   * required, or some of the optional parts too.
   */
  readonly samples?: "required" | "optional";
}
