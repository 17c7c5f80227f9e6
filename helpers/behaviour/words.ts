/** Describes a change of behaviour in words. */
import type { BehaviourChange } from "./drift.ts";

/** Returns a sentence without the operation, such as `an unknown key was answered 401, is now answered 403`. */
export const wordsOf = (change: BehaviourChange): string => {
  const { kind, where, before, now } = change;
  const [status = "", ...rest] = where.split(" ");
  const place = rest.join(" ");
  const answers = status === "" ? "" : ` in answers with ${status}`;
  switch (kind) {
    case "answer":
      return answered(triedIn(where), before, now);
    case "header":
      return `${traitOf(place)} was ${before[0]} sent with ${status}, is now ${now[0]} sent`;
    case "field":
      return `the field ${place}${answers} was ${before[0]} present, is now ${now[0]} present`;
    case "field-order":
      return `the fields of ${place || "the body"}${answers} have another order`;
    case "value":
      return `${place || "the body"}${answers} was ${list(before)}, is now ${list(now)}`;
    case "echo":
      return `the sent ${place}${answers} was returned ${list(before)}, is now returned ${list(now)}`;
    case "kept":
      return `the sent ${place}${answers} was ${list(before)}, is now ${list(now)}`;
    case "order":
      return `the list${answers} was ${list(before)} by ${place}, is now ${list(now)}`;
    case "page":
      return `the list${answers} without a limit was ${pages(before)}, is now ${pages(now)}`;
  }
};

/** Describes the change of an observation. */
export const answered = (what: string, before: readonly string[], now: readonly string[]): string => {
  const [then, here] = shortest(before, now);
  return [...then, ...here].every((text) => /^\d{3}\b/.test(text))
    ? `${what} was answered ${list(then)}, is now answered ${list(here)}`
    : `${what}: was ${list(then)}, is now ${list(here)}`;
};

/** Reduces answers to their statuses if these differ. */
const shortest = (before: readonly string[], now: readonly string[]) => {
  const [one, other] = [before, now].map((answers) => [
    ...new Set(answers.map((text) => text.split(";")[0] as string)),
  ]);
  return one?.join() === other?.join() ? ([before, now] as const) : ([one ?? [], other ?? []] as const);
};

/** `authentication: an unknown app key` -> `an unknown app key` */
const triedIn = (where: string): string => {
  const at = where.indexOf(": ");
  const [trial, tried] = at < 0 ? [where, ""] : [where.slice(0, at), where.slice(at + 2)];
  if (tried === "" || tried === "probe" || tried === "control") return `${tried || "a call"} of ${trial}`;
  return tried;
};

const traitOf = (name: string): string => (name.startsWith("(") ? name : `the header ${name}`);

const pages = (cuts: readonly string[]): string => (cuts.length === 0 ? "never cut" : list(cuts));

const list = (texts: readonly string[]): string => (texts.length === 0 ? "nothing" : texts.join(" or "));
