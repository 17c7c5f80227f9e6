/** Parts of documents that several kinds share. */
import type { Json } from "../server/files.ts";
import type { Draft } from "./kind.ts";

export const json = (schema: unknown) => ({ "application/json": { schema } });

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const REFUSED = { description: "Refused." };

/** Returns the refusals of an operation: listed one by one, or as a range or the default. */
export const refusals = ({ random }: Draft, ...statuses: readonly number[]): Json =>
  random.one<() => Json>([
    () => Object.fromEntries(statuses.map((status) => [String(status), REFUSED])),
    () => ({ "4XX": REFUSED }),
    () => ({ default: REFUSED }),
  ])();

/** Adds an operation whose body has a schema, and whose answer has another. */
export const addPost = (draft: Draft, word: string, sent: unknown, answered: unknown): void => {
  const name = draft.name(word);
  draft.paths[`/${name}`] = {
    post: {
      operationId: `try-${name}`,
      requestBody: { required: true, content: json(sent) },
      responses: { 200: { description: "Done.", content: json(answered) }, ...refusals(draft, 400) },
    },
  };
};
