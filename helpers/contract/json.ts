/** JSON values, and pointers into them (RFC 6901). */

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const segmentsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((segment) => decoded(segment).replaceAll("~1", "/").replaceAll("~0", "~"));

/** In a reference a pointer is percent-encoded (RFC 6901, 6); a stray per cent sign stands for itself. */
const decoded = (segment: string): string => {
  try {
    return segment.includes("%") ? decodeURIComponent(segment) : segment;
  } catch {
    return segment;
  }
};

export const escapeSegment = (segment: string): string => segment.replaceAll("~", "~0").replaceAll("/", "~1");

/** The value at a JSON pointer (RFC 6901), or `undefined`. */
export const atPointer = (value: unknown, pointer: string): unknown =>
  segmentsOf(pointer).reduce<unknown>(
    (node, segment) =>
      typeof node === "object" && node !== null && Object.hasOwn(node, segment)
        ? (node as Json)[segment]
        : undefined,
    value,
  );
