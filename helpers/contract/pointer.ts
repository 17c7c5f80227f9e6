/** JSON pointers (RFC 6901), and references that contain one. */

export const segmentsOf = (pointer: string): string[] => pointer.split("/").slice(1).map(unescapeSegment);

export const escapeSegment = (segment: string): string =>
  segment.includes("~") || segment.includes("/")
    ? segment.replaceAll("~", "~0").replaceAll("/", "~1")
    : segment;

export const unescapeSegment = (segment: string): string =>
  segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;

/** Returns the value at a pointer, or `undefined`. */
export const atPointer = (value: unknown, pointer: string): unknown =>
  segmentsOf(pointer).reduce<unknown>(
    (node, segment) =>
      typeof node === "object" && node !== null && Object.hasOwn(node, segment)
        ? (node as Record<string, unknown>)[segment]
        : undefined,
    value,
  );

/** Returns the pointer of what contains the value at a pointer; empty for the whole. */
export const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));

/** Decodes the pointer in a reference (RFC 6901, 6). An invalid per cent sign is not decoded. */
export const pointerIn = (ref: string): string => {
  const fragment = ref.slice(ref.indexOf("#") + 1);
  try {
    return fragment.includes("%") ? decodeURIComponent(fragment) : fragment;
  } catch {
    return fragment;
  }
};

const COMPONENT = "#/components/schemas/";

/** Returns `Card` for `#/components/schemas/Card`; `undefined` for any other value. */
export const componentNamed = (ref: unknown): string | undefined =>
  typeof ref === "string" && ref.startsWith(COMPONENT)
    ? unescapeSegment(pointerIn(ref).slice(COMPONENT.length - 1))
    : undefined;

/** Returns the component schema that a reference names. */
export const referenced = <Schema>(
  ref: unknown,
  schemas: { readonly [name: string]: Schema },
): Schema | undefined => schemas[componentNamed(ref) ?? ""];

interface Leaf {
  /** The name of the member, or the index in a list. */
  readonly name: string;
  readonly pointer: string;
  readonly value: unknown;
}

/** Returns the values of a document that contain no others. */
export const leavesOf = (value: object, path = ""): Leaf[] =>
  Object.entries(value).flatMap(([name, inner]) => {
    const pointer = `${path}/${escapeSegment(name)}`;
    return typeof inner === "object" && inner !== null
      ? leavesOf(inner, pointer)
      : [{ name, pointer, value: inner }];
  });

/** Decodes a text (RFC 3986, 2.1), which stays as it is if it is not encoded correctly. */
export const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
