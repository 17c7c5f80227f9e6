/**
 * Reads the entries of an HTTP archive one by one, so that the size of an archive does not matter. An archive that ends
 * in the middle gives all entries before the end.
 */

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [...Buffer.from('"\\{}[]')];
const ENTRIES = /"entries"\s*:\s*$/;

export const createEntryReader = () => {
  let before = "";
  let place: "before" | "between" | "inside" | "after" = "before";
  let depth = 0;
  let inString = false;
  let escaped = false;
  let pieces: Buffer[] = [];
  let count = 0;

  const scanEntry = (part: Buffer, from: number): number => {
    for (let at = from; at < part.length; at += 1) {
      const byte = part[at];
      if (escaped) escaped = false;
      else if (inString) {
        if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN) depth += 1;
      else if (byte === CLOSE) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    return -1;
  };

  /** Finds the list of entries. Other members before it are small: creator, browser, pages. */
  const skipTo = (part: Buffer): number => {
    for (let at = 0; at < part.length; at += 1) {
      before = (before + String.fromCharCode(part[at] ?? 0)).slice(-64);
      if (part[at] === OPEN_LIST && ENTRIES.test(before.slice(0, -1))) {
        place = "between";
        return at + 1;
      }
    }
    return part.length;
  };

  return {
    /** Returns the texts of the entries that this part completes. */
    add(part: Buffer): string[] {
      const found: string[] = [];
      let at = place === "before" ? skipTo(part) : 0;
      while (at < part.length && place !== "after" && place !== "before") {
        if (place === "between") {
          const byte = part[at];
          if (byte === OPEN) place = "inside";
          else {
            if (byte === CLOSE_LIST) place = "after";
            at += 1;
            continue;
          }
        }
        const end = scanEntry(part, at);
        pieces.push(part.subarray(at, end < 0 ? part.length : end));
        if (end < 0) break;
        found.push(Buffer.concat(pieces).toString("utf8"));
        pieces = [];
        count += 1;
        place = "between";
        at = end;
      }
      return found;
    },
    /** Returns what is wrong with the archive; `undefined` when it is complete. */
    problem(): string | undefined {
      if (place === "before") return "there is no list of entries: this is not an HTTP archive (HAR)";
      if (place === "after") return undefined;
      return place === "inside"
        ? `the archive ends in the middle of entry ${count + 1}`
        : `the archive ends after entry ${count}, before the end of its list`;
    },
  };
};
