/** What a new version of a provider's document changes in the contract of a service, as a certificate keeps it. */

/** `breaking`: there is a witness; `undecided`: there is a reason; `compatible`: no party is affected. */
export type EntryClass = "breaking" | "undecided" | "compatible";

export interface Upgrade {
  readonly old: { readonly file: string; readonly version: string; readonly digest: string };
  readonly new: Upgrade["old"];
  /** The number of changes by class, and of those that affect only texts, examples, tags and extensions. */
  readonly changes: Readonly<Record<EntryClass | "documentation", number>>;
  /** operationIds that a change reaches, or that a new, removed or changed requirement names. */
  readonly touched: readonly string[];
  /** Breaking changes that reach an operation of the contract. */
  readonly breaking: readonly BreakingChange[];
  /** The most severe class of change for each affected operation, by operationId. */
  readonly worst: Readonly<Record<string, EntryClass>>;
  /** operationIds that depend on resources which only touched operations provide. */
  readonly hanging: readonly string[];
  readonly requirements: RequirementChanges;
  /** The requirements that the changes touch, and the number of all requirements of the contract. */
  readonly share: { readonly touched: readonly string[]; readonly all: number };
}

/** Ids of requirements. */
export interface RequirementChanges {
  /** Requirements that only the contract with the new document states. */
  readonly added: readonly string[];
  /** Requirements that only the contract with the old document states. */
  readonly gone: readonly string[];
  /** Requirements whose rules, statement, subject or level differ. */
  readonly changed: readonly string[];
}

export interface BreakingChange {
  /** The fingerprint is equal for the same change in the same place. */
  readonly fingerprint: string;
  /** The name of the rule that found it: `maxLength`. */
  readonly rule: string;
  readonly action: "added" | "removed" | "narrowed" | "widened" | "changed";
  /** `schema Customer`, `parameter Limit`, `GET /customers`, `the document`. */
  readonly owner: string;
  /** The place in the owner: `query limit`, `response 200`; empty if the owner identifies it. */
  readonly part: string;
  /** The place in the value of that part. */
  readonly pointer: string;
  /** The name of a property, a parameter or a status, if the keyword does not identify it. */
  readonly subject?: string;
  /** operationIds of the contract that the change reaches. */
  readonly operations: readonly string[];
  /** The messages that it breaks. */
  readonly messages: readonly ("request" | "response")[];
}
