/** What was done to a part of a document, and what follows for messages. */
export const ACTIONS = ["added", "removed", "narrowed", "widened", "changed"] as const;

export type Action = (typeof ACTIONS)[number];

/** Whether something that the old document allows may be refused by the new one, and the other way round. */
export interface Effect {
  readonly narrows: boolean;
  readonly widens: boolean;
}
