/** The context in which values are generated. */
import type { Contract } from "../contract/contract.ts";
import type { Validator } from "../contract/schemas/schema-validator.ts";

export interface GenerateContext {
  readonly schemas: Contract["schemas"];
  /** The validator of the same contract. */
  readonly validator: Validator;
  /** Values that the server knows, by `x-resource`; an optional property with any other resource is omitted. */
  readonly resources: Readonly<Record<string, string>>;
  /** The only country that the contract supports; absent if there are several. */
  readonly country?: string | undefined;
  /** A suffix that makes names unique, if other users share the target. */
  readonly tag?: string | undefined;
  /** Whether values that the document states, as examples or defaults, are taken where they fit. */
  readonly takesStated?: boolean;
  /** JSON pointers of places that must be present, together with their parents. */
  readonly with?: readonly string[];
  /** JSON pointers of places that must be absent. */
  readonly without?: readonly string[];
  /**
   * Set for values that need not be plausible. Formats then use fixed samples, which are the same every day, and
   * optional parts are all omitted, partly included or all included.
   */
  readonly samples?: "required" | "optional" | "every";
}
