/** Requests that show a behaviour. */
import type { Behaviour } from "./behaviour.ts";

/** Commands that show an answer, by operationId, by what was tried, then by answer. */
export type Examples = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** Merges examples; the first of each answer remains. */
export const mergedExamples = (all: readonly Examples[]): Examples => {
  const merged: Record<string, Record<string, Record<string, string>>> = {};
  for (const examples of all) {
    for (const [operationId, table] of Object.entries(examples)) {
      merged[operationId] ??= {};
      const ofOperation = merged[operationId];
      for (const [tried, answers] of Object.entries(table))
        ofOperation[tried] = { ...answers, ...ofOperation[tried] };
    }
  }
  return merged;
};

/** Returns a command that shows the first of these answers that has one. */
export const exampleOf = (
  examples: Examples,
  operationId: string,
  tried: string,
  answers: readonly string[],
): string | undefined => {
  const known = examples[operationId]?.[tried] ?? {};
  return answers.map((answer) => known[answer]).find((command) => command !== undefined);
};

/** Returns a command that shows an answer with a status. */
export const exampleWithStatus = (
  examples: Examples,
  operationId: string,
  status: string,
): string | undefined => {
  const tables = Object.values(examples[operationId] ?? {});
  return tables
    .flatMap((answers) => Object.entries(answers))
    .find(([answer]) => answer === status || answer.startsWith(`${status};`))?.[1];
};

/** Returns a command that shows what the pattern finds in the behaviour, one with an answer not in `before` first. */
export const exampleMatching = (
  examples: Examples,
  behaviour: Behaviour,
  pattern: RegExp,
  before: readonly string[],
): string | undefined => {
  const tried = Object.entries(examples).flatMap(([operationId, table]) =>
    Object.entries(table).flatMap(([what, answers]) =>
      pattern.test(`${operationId} ${what}`) ? Object.entries(answers) : [],
    ),
  );
  const isKnown = (answer: string): boolean =>
    before.some((one) => one === answer || answer.startsWith(`${one};`));
  const [, command] = tried.find(([answer]) => !isKnown(answer)) ?? tried[0] ?? [];
  if (command !== undefined) return command;
  for (const [operationId, byStatus] of Object.entries(behaviour.forms)) {
    for (const [status, { headers, objects, values }] of Object.entries(byStatus)) {
      const facts = [
        "",
        ...headers.always,
        ...headers.sometimes,
        ...Object.keys(values),
        ...Object.keys(objects).flatMap((place) =>
          [...(objects[place]?.always ?? []), ...(objects[place]?.sometimes ?? [])].map(
            (name) => `${place}/${name}`,
          ),
        ),
      ];
      if (!facts.some((fact) => pattern.test(`${operationId} ${status} ${fact}`))) continue;
      const found = exampleWithStatus(examples, operationId, status);
      if (found !== undefined) return found;
    }
  }
  return undefined;
};
