/** Merges the behaviours that the trials of a run observed. */
import type { AnswerForm, Behaviour } from "./behaviour.ts";
import { mergedNames } from "./names.ts";

type Table<Value> = Readonly<Record<string, Value>>;

export const mergedBehaviour = (one: Behaviour, other: Behaviour): Behaviour => ({
  answers: mergedTable(one.answers, other.answers, (a, b) => mergedTable(a, b, union)),
  forms: mergedTable(one.forms, other.forms, (a, b) => mergedTable(a, b, mergedForm)),
});

export const mergedForm = (one: AnswerForm, other: AnswerForm): AnswerForm => {
  const form = {
    headers: mergedNames(one.headers, other.headers),
    objects: mergedTable(one.objects, other.objects, mergedNames),
    values: mergedTable(one.values, other.values, union),
    echoes: mergedTable(one.echoes, other.echoes, union),
    orders: mergedTable(one.orders, other.orders, union),
    pages: mergedPages(one.pages, other.pages),
  };
  if (one.kept === undefined && other.kept === undefined) return form;
  return { ...form, kept: mergedTable(one.kept ?? {}, other.kept ?? {}, union) };
};

/** Keeps the longest of the lists that were not cut. */
const mergedPages = (one: readonly string[], other: readonly string[]): readonly string[] => {
  if (other.length === 0) return one;
  const pages = [...one, ...other];
  const cuts = pages.filter((page) => page.startsWith("cut"));
  return [...new Set(cuts)].sort().concat(longestOf(pages, "up to"), longestOf(pages, "whole with"));
};

const longestOf = (pages: readonly string[], word: string): string[] => {
  const lengths = pages.flatMap((page) => (page.startsWith(word) ? Number(page.slice(word.length)) : []));
  return lengths.length === 0 ? [] : [`${word} ${Math.max(...lengths)}`];
};

const mergedTable = <Value>(
  one: Table<Value>,
  other: Table<Value>,
  merge: (one: Value, other: Value) => Value,
): Table<Value> => {
  // Most tables add nothing, and are merged very often.
  let merged: Record<string, Value> | undefined;
  for (const key of Object.keys(other)) {
    const [value, known] = [other[key] as Value, one[key]];
    const both = known === undefined ? value : merge(known, value);
    if (both === known) continue;
    merged ??= { ...one };
    merged[key] = both;
  }
  return merged ?? one;
};

/** Returns the distinct texts in alphabetical order. */
const union = (one: readonly string[], other: readonly string[]): readonly string[] =>
  other.every((text) => one.includes(text)) ? one : [...new Set([...one, ...other])].sort();
