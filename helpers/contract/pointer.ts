/** JSON pointers (RFC 6901), and the references that hold one. */

export const segmentsOf = (pointer: string): string[] => pointer.split("/").slice(1).map(unescapeSegment);

export const escapeSegment = (segment: string): string => segment.replaceAll("~", "~0").replaceAll("/", "~1");

const unescapeSegment = (segment: string): string =>
  segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;

/** The value at a pointer, or `undefined`. */
export const atPointer = (value: unknown, pointer: string): unknown =>
  segmentsOf(pointer).reduce<unknown>(
    (node, segment) =>
      typeof node === "object" && node !== null && Object.hasOwn(node, segment)
        ? (node as Record<string, unknown>)[segment]
        : undefined,
    value,
  );

/** The pointer in a reference, where it is percent-encoded (RFC 6901, 6); a stray per cent sign stands for itself. */
export const pointerIn = (ref: string): string => {
  const fragment = ref.slice(ref.indexOf("#") + 1);
  try {
    return fragment.includes("%") ? decodeURIComponent(fragment) : fragment;
  } catch {
    return fragment;
  }
};

const COMPONENT = "#/components/schemas/";

/** `#/components/schemas/Card` -> `Card`; `undefined` for what is no reference to a component schema. */
export const componentNamed = (ref: unknown): string | undefined =>
  typeof ref === "string" && ref.startsWith(COMPONENT)
    ? unescapeSegment(pointerIn(ref).slice(COMPONENT.length - 1))
    : undefined;

/** The component schema that a reference leads to. */
export const referenced = <Schema>(
  ref: unknown,
  schemas: { readonly [name: string]: Schema },
): Schema | undefined => schemas[componentNamed(ref) ?? ""];
