/**
 * Near-misses of a whole body: what the validator refuses for a reason that no rule of one place names, such as `oneOf`,
 * `dependentRequired`, `contains` or the schema of additional properties.
 */
import fc from "fast-check";
import { isObject } from "../contract/json.ts";
import { MADE_UP } from "../contract/names.ts";
import { atPointer, escapeSegment } from "../contract/pointer.ts";
import type { ValidationError } from "../contract/schemas/schema-validator.ts";
import { applyEdit, type Edit } from "./edit.ts";
import { IMPOSSIBLE } from "./later.ts";
import { stringsMatching } from "./patterns.ts";
import { type Draft, type Place, sampled } from "./schema-location.ts";

/** The number of valid bodies that are changed, and of changes of each. */
const BASES = 8;
const MOST_EDITS = 600;
/** The number of reasons that are tried. */
const MOST_REASONS = 60;

/** Returns a near-miss for each reason. Of several for one reason, it breaks the fewest keywords, and changes least. */
export const bodyNearMisses = (place: Place): Draft[] => {
  const named = (place.rule.value as readonly string[]).map(patternOf);
  const byReason = new Map<
    string,
    { readonly base: unknown; readonly edit: Edit; readonly errors: number; readonly by: number }
  >();
  const constants = constantsIn(place.schema, place.referenced);
  const choices = choicesIn(place.schema, place.referenced);
  const names = [MADE_UP, ...namesIn(place.schema, place.referenced)];
  const lengths = lengthsIn(place.schema, place.referenced);
  for (const [turn, base] of sampled(place.valid(), BASES).entries()) {
    let left = MOST_EDITS;
    for (const edit of editsOf(base, { constants, choices, names, lengths }, turn / BASES)) {
      if (left <= 0) break;
      left -= 1;
      const errors = place.errors(applyEdit(base, edit));
      const reasons = errors.filter(
        (error) => CONDITIONAL.test(error.schemaPath) || !named.some((one) => one.test(placed(error))),
      );
      if (reasons.length === 0) continue;
      const reason = reasonOf(reasons, base, edit, constants);
      const by = changeBy(base, edit);
      const known = byReason.get(reason);
      const { errors: fewest, by: least } = known ?? { errors: Number.POSITIVE_INFINITY, by: 0 };
      if (errors.length < fewest || (errors.length === fewest && by < least))
        byReason.set(reason, { base, edit, errors: errors.length, by });
    }
  }
  return [...byReason]
    .sort(([, one], [, other]) => one.errors - other.errors)
    .slice(0, MOST_REASONS)
    .map(([reason, { base, edit }]) => ({
      kind: `a body that breaks ${reason}`,
      edit: fc.constant(edit),
      prepare: () => base,
    }));
};

/** Returns by how much an edit changes a number or a length: a lax limit lets pass what is near. */
const changeBy = (base: unknown, edit: Edit): number => {
  const [old, value] = [atPointer(base, edit.pointer), "value" in edit ? edit.value : undefined];
  if (typeof old === "number" && typeof value === "number") return Math.abs(value - old);
  const [before, after] = [old, value].map((one) =>
    typeof one === "string" || Array.isArray(one) ? one.length : undefined,
  );
  return before === undefined || after === undefined ? 0 : Math.abs(after - before);
};

/**
 * Each alternative has its own reasons, and the paths of its errors do not name it. With `contains`, a list may have too few
 * matching items, or too many.
 */
const reasonOf = (
  errors: readonly ValidationError[],
  base: unknown,
  edit: Edit,
  constants: readonly unknown[],
): string => {
  const words = new Set(errors.map(({ keyword, schemaPath }) => `${keyword} (${schemaPath})`));
  const has = (...keywords: string[]): boolean => errors.some(({ keyword }) => keywords.includes(keyword));
  const isLonger = has("contains") && sizeOf(applyEdit(base, edit)) > sizeOf(base);
  return [
    [...words].join(", "),
    ...(isLonger ? [", in a longer list"] : []),
    ...(isOtherCase(base, edit) ? [", in another letter case"] : []),
    ...(has("oneOf", "anyOf") ? [`, in ${alternativeOf(base, edit, constants)}`] : []),
  ].join("");
};

const isOtherCase = (base: unknown, edit: Edit): boolean => {
  const [old, value] = [atPointer(base, edit.pointer), "value" in edit ? edit.value : undefined];
  return typeof value === "string" && value !== "" && value.toLowerCase() === String(old).toLowerCase();
};

/** Names the properties of the changed object, with the values that a schema names. */
const alternativeOf = (base: unknown, { pointer }: Edit, constants: readonly unknown[]): string => {
  const changed = atPointer(base, pointer.slice(0, Math.max(0, pointer.lastIndexOf("/"))));
  const members = Object.entries(isObject(changed) ? changed : {}).map(([name, value]) =>
    typeof value === "string" && constants.includes(value) ? `${name} ${value}` : name,
  );
  return members.sort().join(" and ") || "another place";
};

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Keywords whose schemas hold on a condition only, so that no rule of a place names what they demand. */
const CONDITIONS = new Set(["dependentSchemas", "then", "else", "anyOf", "oneOf", "contains"]);

const CONDITIONAL = new RegExp(`/(?:${[...CONDITIONS].join("|")})/`);

const placed = ({ pointer, keyword }: ValidationError): string => `${pointer} ${keyword}`;

/** Matches the errors of a rule, whose pointer has `*` for an item. */
const patternOf = (rule: string): RegExp =>
  new RegExp(`^${rule.replaceAll(/[.+?^$()|[\]\\{}]/g, "\\$&").replaceAll("/*", "/\\d+")}$`);

/** Values that some keyword of a schema allows or forbids: its choices, and numbers beside its limits. */
const constantsIn = (schema: unknown, referenced: Place["referenced"]): unknown[] => {
  const found = new Map<string, unknown>();
  const add = (value: unknown): void => void found.set(JSON.stringify(value), value);
  visitKeywords(schema, referenced, (keyword, value) => {
    if (keyword === "enum" || keyword === "const") for (const one of [value].flat()) add(one);
    else if (typeof value === "number") for (const one of [value - 1, value, value + 1]) add(one);
  });
  return [...found.values()].slice(0, 40);
};

/** The lists of choices of a schema. */
const choicesIn = (schema: unknown, referenced: Place["referenced"]): (readonly unknown[])[] => {
  const found: (readonly unknown[])[] = [];
  visitKeywords(schema, referenced, (keyword, value) => {
    if (keyword === "enum" && Array.isArray(value)) found.push(value);
  });
  return found;
};

/** Lengths of texts and lists just beyond a limit that holds on a condition only. All other limits have rules of their own. */
const lengthsIn = (schema: unknown, referenced: Place["referenced"]): number[] => {
  const found = new Set<number>();
  visitKeywords(schema, referenced, (condition, part) => {
    if (!CONDITIONS.has(condition)) return;
    visitKeywords(part, referenced, (keyword, value) => {
      if (/^max(Length|Items)$/.test(keyword)) found.add(Number(value) + 1);
      if (/^min(Length|Items)$/.test(keyword)) found.add(Number(value) - 1);
    });
  });
  return [...found].filter((length) => length >= 0 && length <= LONGEST).slice(0, MOST_LENGTHS);
};

/** A longer text or list takes long to validate. */
const LONGEST = 10_000;
const MOST_LENGTHS = 8;

/** Names of properties that match the patterns of a schema. */
const namesIn = (schema: unknown, referenced: Place["referenced"]): string[] => {
  const patterns = new Set<string>();
  visitKeywords(schema, referenced, (keyword, value) => {
    if (!isObject(value)) return;
    if (keyword === "patternProperties") for (const pattern of Object.keys(value)) patterns.add(pattern);
    if (keyword === "propertyNames" && typeof value.pattern === "string") patterns.add(value.pattern);
  });
  return [...patterns].slice(0, MOST_NAMES).flatMap((pattern) => {
    const names = stringsMatching(pattern, 1, LONGEST_NAME);
    return names === IMPOSSIBLE ? [] : fc.sample(names, { numRuns: 1, seed: 1 });
  });
};

const MOST_NAMES = 5;
const LONGEST_NAME = 20;

const visitKeywords = (
  schema: unknown,
  referenced: Place["referenced"],
  read: (keyword: string, value: unknown) => void,
): void => {
  const entered = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (entered.has(node) || typeof node !== "object" || node === null) return;
    entered.add(node);
    for (const [keyword, value] of Object.entries(node)) {
      read(keyword, value);
      if (keyword !== "enum" && keyword !== "const") visit(value);
    }
    visit(referenced(node));
  };
  visit(schema);
};

const OTHERS: readonly unknown[] = [null, "", "text", 0, 1_000_003, -1_000_003, 0.5, true, [], {}];
const LONG = "a".repeat(300);
const MANY = 12;
/** The numbers of items that are added to a list. */
const COUNTS = [1, 2, MANY];

interface Words {
  readonly constants: readonly unknown[];
  readonly choices: readonly (readonly unknown[])[];
  readonly names: readonly string[];
  readonly lengths: readonly number[];
}

/**
 * Yields changes of one place each: another choice first, which may need more, then the structure, and then the values.
 * @param start the share of the places that come last, so that all places of a large body have their turn
 */
function* editsOf(
  body: unknown,
  { constants, choices, names, lengths }: Words,
  start: number,
): Generator<Edit> {
  const all = [...placesOf(body, "", false)];
  const first = Math.floor(all.length * start);
  const places = [...all.slice(first), ...all.slice(0, first)];
  for (const { pointer, value: known } of places)
    for (const value of choices.flatMap((list) => (list.includes(known) ? list : [])))
      yield { pointer, value };
  for (const place of places) yield* structuralEdits(place, lengths);
  for (const value of [...constants, ...OTHERS])
    for (const { pointer, value: known } of places) {
      yield { pointer, value };
      if (isObject(known))
        for (const name of names) yield { pointer: `${pointer}/${escapeSegment(name)}`, value };
      if (Array.isArray(known))
        for (const count of COUNTS)
          yield { pointer, value: [...known, ...Array.from({ length: count }, () => value)] };
    }
}

interface Part {
  readonly pointer: string;
  readonly value: unknown;
  /** Whether an object has it. Without an item, the others of a list would change their places. */
  readonly isMember: boolean;
}

function* placesOf(value: unknown, pointer: string, isMember: boolean): Generator<Part> {
  yield { pointer, value, isMember };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* placesOf(inner, `${pointer}/${escapeSegment(key)}`, isObject(value));
}

function* structuralEdits({ pointer, value, isMember }: Part, lengths: readonly number[]): Generator<Edit> {
  if (isMember) yield { pointer, remove: true };
  const to = (changed: unknown): Edit => ({ pointer, value: changed });
  if (typeof value === "string") {
    for (const length of lengths) yield to(value.slice(0, length).padEnd(length, value.at(-1) ?? "a"));
    for (const text of [`${value}_`, LONG, value.toUpperCase(), value.toLowerCase(), value.slice(0, -1)])
      yield to(text);
  } else if (Array.isArray(value)) {
    for (const length of value.length > 0 ? lengths : [])
      yield to(Array.from({ length }, (_, index) => value[Math.min(index, value.length - 1)]));
    for (const index of value.keys()) yield to(value.filter((_, other) => other !== index));
    for (const item of value) {
      yield to([...value, item]);
      yield to(value.map(() => item));
    }
  } else if (isObject(value)) {
    const [inner = 0] = Object.values(value);
    for (const one of ["text", 0, {}]) yield { pointer: `${pointer}/${MADE_UP}`, value: one };
    yield { pointer: `${pointer}/${LONG}`, value: inner };
    for (const [name, one] of Object.entries(value)) yield to({ [name]: one });
    const more = Array.from({ length: MANY }, (_, index) => [`${MADE_UP}${index}`, inner]);
    yield to({ ...value, ...Object.fromEntries(more) });
  }
}
