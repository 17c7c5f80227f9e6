/**
 * Reads the mappings of a source map: for places in compiled code, the places in the sources. Node.js makes an object of
 * each mapping, which takes ten times as long.
 */

/** A place in a source, by its index in the map. Lines and columns start at 0. */
export interface Mapped {
  readonly source: number;
  readonly line: number;
  readonly column: number;
}

/** A mapping has up to five numbers: the column in the compiled code, source, line, column there, and a name. */
const NUMBERS = 5;
const WITH_SOURCE = 4;

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));
const COMMA = -1;

/** Adds the mappings to the numbers of the mapping before them, because the text contains only the differences. */
const add = (numbers: Int32Array, mappings: string): number => {
  let field = 0;
  let value = 0;
  let shift = 0;
  for (let at = 0; at < mappings.length; at += 1) {
    const digit = VALUES[mappings.charCodeAt(at)] as number;
    if (digit === COMMA) {
      field = 0;
      continue;
    }
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers[field] = (numbers[field] as number) + (value & 1 ? -(value >> 1) : value >> 1);
    field += 1;
    value = 0;
    shift = 0;
  }
  return field;
};

/** @param mappings `mappings` of a source map, lines and columns start at 0 */
export const readMappings = (mappings: string): ((line: number, column: number) => Mapped | undefined) => {
  const lines = mappings.split(";");
  // The numbers before each line.
  const starts = new Int32Array(lines.length * NUMBERS);
  const numbers = new Int32Array(NUMBERS);
  for (const [index, text] of lines.entries()) {
    numbers[0] = 0;
    starts.set(numbers, index * NUMBERS);
    add(numbers, text);
  }
  return (line, column) => {
    const at = starts.slice(line * NUMBERS, (line + 1) * NUMBERS);
    let found: Mapped | undefined;
    for (const mapping of lines[line]?.split(",") ?? []) {
      const fields = add(at, mapping);
      const [start = 0, source = 0, sourceLine = 0, sourceColumn = 0] = at;
      if (start > column) break;
      found = fields < WITH_SOURCE ? undefined : { source, line: sourceLine, column: sourceColumn };
    }
    return found;
  };
};
