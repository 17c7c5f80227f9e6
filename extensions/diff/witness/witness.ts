/** Searches for a message that one document allows and the other refuses because of one change. */
import { isObject } from "../../../helpers/contract/json.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { componentNamed } from "../../../helpers/contract/pointer.ts";
import type { SchemaStep } from "../compare/change.ts";
import type { Found, MessagePlace, Occurrence } from "../compare/found.ts";
import { ruleOf } from "../compare/rules.ts";
import { liesWithin, placesAt, valuesAt } from "../compare/steps.ts";
import { NONE, type Wanted } from "../compare/wanted.ts";
import type { Both } from "../document/model.ts";
import { type ApiOperation, type Schemas, type Sender, sidesOf } from "../document/model.ts";
import { isParameter, otherRules } from "./alone.ts";
import { demandsFor } from "./demands.ts";
import { draftRequest, draftResponse } from "./draft.ts";
import type { Judge } from "./judge.ts";
import type { Refusal, Witness } from "./message.ts";
import { isProved } from "./proof.ts";
import { refusals, schemaRefusals } from "./refusals.ts";
import { repaired } from "./repair.ts";
import { slimmed } from "./slim.ts";

/** The maximum number of messages that are tried. Further messages of the same change rarely show more. */
const MOST_OCCURRENCES = 4;

/**
 * @returns a witness, the proof that there is none, or neither; `hidden` if messages have the change, but another
 * alternative allows each of them
 */
export const searchWitness = (
  judges: Both<Judge>,
  { change, occurrences }: Found,
  sender: Sender,
): Witness | "none" | "hidden" | "not found" => {
  const harmful = sender === "caller" ? "narrows" : "widens";
  const own = occurrences.filter(
    ({ message, schema }) => message.sender === sender && (schema?.change.effect ?? change.effect)[harmful],
  );
  const tried = lightestFirst(judges, own, sender).slice(0, MOST_OCCURRENCES);
  const budget: Budget = { spent: 0, values: 0, isHidden: false };
  for (const occurrence of tried) {
    const witness =
      occurrence.schema === undefined
        ? byDraft(judges, occurrence, sender)
        : byInstance(judges, occurrence, sender, budget);
    if (witness !== undefined) return witness;
  }
  for (const occurrence of budget.isHidden ? tried : []) {
    const witness = byInstance(judges, occurrence, sender, { spent: 0, values: 0, isHidden: false }, true);
    if (witness !== undefined) return witness;
  }
  if (own.every((occurrence) => isProved(judges, occurrence, sender))) return "none";
  return budget.isHidden ? "hidden" : "not found";
};

const lightestFirst = (
  judges: Both<Judge>,
  occurrences: readonly Occurrence[],
  sender: Sender,
): readonly Occurrence[] => {
  if (occurrences.length < 2 || occurrences[0]?.schema === undefined) return occurrences;
  const [side] = sidesOf(sender);
  const { schemas } = judges[side].document;
  return occurrences
    .map((occurrence) => ({
      occurrence,
      weight:
        weightOf(occurrence.schema?.[side], schemas[sender]) +
        (occurrence.schema?.change.steps.length ?? 0) / 100,
    }))
    .sort((a, b) => a.weight - b.weight)
    .map(({ occurrence }) => occurrence);
};

/** A witness, and whether it breaks no rule but the one that it shows. */
interface Candidate {
  readonly witness: Witness;
  readonly isAlone: boolean;
}

/** The maximum number of witnesses among which one that breaks only one rule is searched. */
const MOST_CANDIDATES = 4;

/** The limit for the length of all values that are tried for one change. Only large messages reach it. */
const MOST_CHARACTERS = 200_000;

interface Budget {
  spent: number;
  values: number;
  /** Whether a value was refused at the place of the change, but allowed as a whole. */
  isHidden: boolean;
}

/** Returns the number of attempts that the budget still allows, by the mean length of the values so far. */
const affordable = (attempts: number, { spent, values }: Budget): number =>
  Math.min(attempts, Math.floor((MOST_CHARACTERS - spent) / Math.max(1, spent / Math.max(1, values))));

/** Returns the first witness that breaks only one rule, or else the first one. */
const best = (candidates: Iterable<Candidate | undefined>): Witness | undefined => {
  const seen: Witness[] = [];
  for (const candidate of candidates) {
    if (candidate?.isAlone) return candidate.witness;
    if (candidate !== undefined) seen.push(candidate.witness);
    if (seen.length >= MOST_CANDIDATES) break;
  }
  return seen[0];
};

const byDraft = (judges: Both<Judge>, occurrence: Occurrence, sender: Sender): Witness | undefined => {
  // Another operation may have a parameter in place of a fixed segment.
  const isOfPlace = occurrence.message.place === "operation" ? /^(operation$|path )/ : undefined;
  const shows = ({ place }: Refusal): boolean => isOfPlace?.test(place) ?? place === occurrence.message.place;
  function* candidates() {
    for (const wanted of occurrence.drafts ?? []) yield confirmed(judges, occurrence, sender, wanted, shows);
  }
  return best(candidates());
};

const byInstance = (
  judges: Both<Judge>,
  occurrence: Occurrence,
  sender: Sender,
  budget: Budget,
  isRead = false,
): Witness | undefined => {
  const { schema } = occurrence;
  const reading = isRead ? readingOf(schema?.change.steps ?? []) : undefined;
  if (schema === undefined || (isRead && reading === undefined)) return undefined;
  return best(candidatesIn(judges, occurrence, schema, sender, budget, reading));
};

/** A way through an alternative that both documents have. A message may be read as this alternative only. */
interface Reading {
  readonly label: string;
  readonly steps: readonly SchemaStep[];
  readonly old: unknown;
  readonly new: unknown;
}

/** Returns the innermost alternative on the way to a change. */
const readingOf = (steps: readonly SchemaStep[]): Reading | undefined => {
  const at = steps.findLastIndex(
    (step) => step.kind === "way" && step.old !== undefined && step.new !== undefined,
  );
  const way = steps[at];
  return way?.kind === "way"
    ? { label: way.label.replace(/^\w+ /, ""), steps: steps.slice(0, at), old: way.old, new: way.new }
    : undefined;
};

function* candidatesIn(
  judges: Both<Judge>,
  occurrence: Occurrence,
  schema: NonNullable<Occurrence["schema"]>,
  sender: Sender,
  budget: Budget,
  reading?: Reading,
): Generator<Candidate | undefined> {
  const { message } = occurrence;
  const { change } = schema;
  const [side, other] = sidesOf(sender);
  const [allowing, refusing] = [judges[side].of(sender), judges[other].of(sender)];
  const shows = shownBy(occurrence);
  const placesIn = (value: unknown) =>
    reading === undefined ? [{ pointer: "", value }] : placesAt(value, reading.steps);
  const refusalsOf = (value: unknown): Refusal[] =>
    placesIn(value).flatMap((one) =>
      schemaRefusals(refusing, message.place, (reading ?? schema)[other], one.value, one.pointer),
    );
  const isRead = (value: unknown): boolean =>
    reading === undefined ||
    placesIn(value).every((one) => allowing.validate(reading[side], one.value).length === 0);
  const isSendable = (value: unknown): boolean =>
    change.namedBy === undefined ||
    valuesAt(value, change.steps).every((one) =>
      change.namedBy?.some((saying) => allowing.validate(saying, one).length === 0),
    );
  const isRefusedThere = (value: unknown): boolean =>
    change.steps.some((step) => step.kind === "way" && step.old !== undefined) &&
    valuesAt(value, change.steps).some((one) => refusing.validate(change.nodes[other], one).length > 0);
  const isAllowed = (value: unknown): boolean =>
    isSendable(value) && isRead(value) && allowing.validate(schema[side], value).length === 0;
  const serves = (value: unknown): boolean => {
    budget.spent += JSON.stringify(value).length;
    budget.values += 1;
    if (!isAllowed(value)) return false;
    const refused = refusalsOf(value);
    budget.isHidden ||= refused.length === 0 && isRefusedThere(value);
    return refused.some(shows);
  };
  // A value of a large union may have what only another alternative requires.
  const least = (wanted: unknown): unknown => {
    const fits = (value: unknown): boolean =>
      isAllowed(value) && allowing.validate(wanted, value).length === 0;
    const value = slimmed(allowing.find(wanted, { samples: "required", attempts: 1 }, fits), fits);
    return value !== NONE && serves(value) ? value : NONE;
  };
  const sources = [
    [refusing, schema[other]],
    [allowing, schema[side]],
  ] as const;
  for (const { wanted, ...draws } of demandsFor(change, schema[side], sender)) {
    const attempts = affordable(draws.attempts, budget);
    if (attempts <= 0) return;
    const drawn = allowing.find(wanted, { ...draws, attempts }, serves);
    const found = drawn === NONE && draws.samples === "required" ? least(wanted) : drawn;
    if (found === NONE) continue;
    const value = draws.samples === "every" ? slimmed(found, serves) : found;
    const alone = repaired(value, { refusalsOf, shows, serves, sources });
    const read = reading && { as: reading.label, refusals: refusalsOf(alone) };
    yield confirmed(judges, occurrence, sender, wantedAt(message, alone), shows, read);
  }
}

const wantedAt = ({ place, mediaType }: MessagePlace, value: unknown): Wanted =>
  place === "body" || place === "response body"
    ? { body: value, ...(mediaType !== undefined && { mediaType }) }
    : { values: { [place]: value } };

/** Whether a refusal results from the change: by its place and, for monotonic changes, by its keyword. */
const shownBy = ({ schema, message }: Occurrence): ((refusal: Refusal) => boolean) => {
  if (schema === undefined) return () => false;
  const { steps, simpleUntil, rule } = schema.change;
  const isSimple = simpleUntil >= steps.length;
  // Another type reads the text of a parameter differently, and may refuse it for any reason.
  const isReadAgain = rule === "type" && steps.length === 0 && isParameter(message.place);
  const keywords = isSimple && !isReadAgain ? ruleOf(rule).shownBy : undefined;
  const place = steps.slice(0, simpleUntil);
  return (refusal) =>
    refusal.place === message.place &&
    liesWithin(refusal.pointer, place) &&
    (keywords === undefined || keywords.includes(refusal.keyword));
};

/** Drafts the whole message and judges it by both documents. */
const confirmed = (
  judges: Both<Judge>,
  occurrence: Occurrence,
  sender: Sender,
  wanted: Wanted,
  shows: (refusal: Refusal) => boolean,
  read?: { readonly as: string; readonly refusals: readonly Refusal[] },
): Candidate | undefined => {
  const [side, other] = sidesOf(sender);
  const operation = occurrence[side];
  if (operation === undefined) return undefined;
  const { status, place } = occurrence.message;
  const counterpart = { judge: judges[other], operation: occurrence[other], place };
  const message =
    status === undefined
      ? draftRequest(judges[side], operation, wanted, counterpart)
      : draftResponse(judges[side], operation, { ...wanted, status: listed(operation, status) }, counterpart);
  if (message === undefined || refusals(judges[side], operation, message).length > 0) return undefined;
  const all = read?.refusals ?? refusals(judges[other], occurrence[other], message);
  const refusal = all.find(shows);
  return (
    refusal && {
      witness: {
        ...{ operation: operation.label, message, refusedBy: other, refusal },
        ...(read && { readAs: read.as }),
      },
      isAlone: otherRules(all, shows).length === 0,
    }
  );
};

/** Returns the key under which the document lists the status. */
const listed = ({ responses }: ApiOperation, status: string): string =>
  [status, `${status[0]}XX`, "default"].find((one) => responses[one] !== undefined) ?? status;

/** Returns the number of component schemas that a schema leads to, which a validator has to compile. */
const weightOf = (schema: unknown, schemas: Schemas): number => {
  const met = new Set<string>();
  const waiting = [...namesIn(schema)];
  while (waiting.length > 0) {
    const name = waiting.pop() as string;
    if (met.has(name)) continue;
    met.add(name);
    waiting.push(...namesIn(schemas[name]));
  }
  return met.size;
};

const known = new WeakMap<object, readonly string[]>();

const namesIn = (node: unknown): readonly string[] => {
  if (typeof node !== "object" || node === null) return [];
  const own = isObject(node) ? (componentNamed(node.$ref) ?? []) : [];
  return getOrInsert(known, node, () => [...new Set([own, Object.values(node).flatMap(namesIn)].flat())]);
};
