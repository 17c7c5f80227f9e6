/** What a message must have so that it can show a change. */

/** Represents a value that is absent or cannot be generated. */
export const NONE: unique symbol = Symbol("none");

/** The differences between a draft and the smallest message. */
export interface Wanted {
  /** Values by key of a parameter or header; `NONE` represents a generated value. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** A parameter whose text must be read as the value that it was written for, and a demand on that value. */
  readonly meaning?: { readonly key: string; readonly demand: unknown };
  readonly accept?: string;
  readonly awaits?: string;
  /** The key of a header that must be absent. */
  readonly without?: string;
  readonly mediaType?: string;
  /** The body; absent for a generated body, `NONE` for a message without a body. */
  readonly body?: unknown;
  readonly server?: string;
  /** Index of the security alternative whose credentials the message contains. */
  readonly alternative?: number;
  readonly status?: string;
}
