/** A kind of parts of documents. */
import type { Random } from "../random.ts";
import type { Json } from "../server/files.ts";
import type { Resource } from "../server/server.ts";

/** A document while it is generated. */
export interface Draft {
  readonly random: Random;
  readonly is30: boolean;
  readonly paths: Record<string, Json>;
  readonly schemas: Record<string, Json>;
  readonly securitySchemes: Record<string, Json>;
  readonly files: Record<string, string>;
  readonly resources: Resource[];
  readonly secrets: Record<string, string>;
  readonly ids: Record<string, string>;
  /** By field: the only text that the server knows. */
  readonly known: Record<string, string>;
  /** Returns a name that no other part of the document has. */
  name(word: string): string;
}

/** Adds a part of one kind to a document. */
export type Kind = (draft: Draft) => void;
