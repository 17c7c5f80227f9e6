/** What was done to a part of a document, and what follows for messages. */
export type Action = "added" | "removed" | "narrowed" | "widened" | "changed";

/** Of something that differs, and that one side may lack. */
export const actionOf = (old: unknown, fresh: unknown): "added" | "removed" | "changed" => {
  if (old === undefined) return "added";
  return fresh === undefined ? "removed" : "changed";
};

/** Names that either side has, those of the old one first. */
export const namesOf = (old: object | undefined, fresh: object | undefined): ReadonlySet<string> =>
  new Set([...Object.keys(old ?? {}), ...Object.keys(fresh ?? {})]);

/** Whether something that the old document allows may be refused by the new one, and the other way round. */
export interface Effect {
  readonly narrows: boolean;
  readonly widens: boolean;
}
