/** References to component schemas. */
import type { Schemas } from "./model.ts";

const COMPONENT = "#/components/schemas/";

/** The name of the component schema that a `$ref` leads to. */
export const componentNamed = (ref: unknown): string | undefined =>
  typeof ref === "string" && ref.startsWith(COMPONENT)
    ? decoded(ref.slice(COMPONENT.length)).replaceAll("~1", "/").replaceAll("~0", "~")
    : undefined;

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The schema that a `$ref` leads to; anything goes where it leads nowhere. */
export const referenced = (ref: unknown, schemas: Schemas): unknown =>
  schemas[componentNamed(ref) ?? ""] ?? true;
