/** Applies the effects of the deviations in force in one tenant. Habits are applied elsewhere: see vary.ts. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { isSame } from "../../../helpers/contract/json.ts";
import type { Answer } from "../call.ts";
import { type Validator, type Validators, validatorsOf } from "../validators.ts";
import { editAt } from "../values/pointer.ts";
import type { AnswerEffect, Deviation, PathEffect, RequestEffect, Which } from "./deviation.ts";

export interface EffectsInForce {
  readonly validators: Validators;
  readonly paths: readonly PathEffect[];
  behaves(name: string): boolean;
  /** @param operation absent when the request matched no operation */
  answer(answer: Answer, operation?: Operation): Answer;
  /** Returns the number of answers and validations with another result because of the effects. */
  changes(): number;
}

/** @param correct validators of the unchanged contract */
export const effectsOf = (
  contract: Contract,
  correct: Validators,
  deviations: readonly Deviation[],
): EffectsInForce => {
  const effects = deviations.flatMap((one) => one.effects);
  const requests = effects.filter((effect): effect is RequestEffect => effect.kind === "request");
  const answers = effects.filter((effect): effect is AnswerEffect => ANSWER_KINDS.has(effect.kind));
  const behaviours = new Set(effects.flatMap((effect) => (effect.kind === "behaviour" ? [effect.name] : [])));
  let changes = 0;
  const changed = (): void => {
    changes += 1;
  };
  return {
    changes: () => changes,
    validators:
      requests.length === 0 ? correct : compared(validatorsOf(contract, requests, correct), correct, changed),
    paths: effects.filter((effect) => effect.kind === "path"),
    // Most names are put together for the question, so that a look-up would have to hash each of them.
    behaves: behaviours.size === 0 ? () => false : (name) => behaviours.has(name),
    answer: (answer, operation) => {
      if (answers.length === 0) return answer;
      const fitting = answers.filter((effect) => fits(effect.when, answer, operation));
      const result = fitting.reduce(applied, answer);
      if (fitting.some(({ kind }) => kind !== "json") || !isSame(result.json, answer.json)) changed();
      return result;
    },
  };
};

/** Returns the validators of the effects, which report each result that the correct validators do not share. */
const compared = (own: Validators, correct: Validators, report: () => void): Validators => {
  const both = (mine: Validator | undefined, theirs: Validator | undefined): Validator | undefined =>
    mine === theirs || mine === undefined
      ? mine
      : (value) => {
          const violations = mine(value);
          if (violations.length !== theirs?.(value).length) report();
          return violations;
        };
  return {
    ...own,
    body: (operation) => both(own.body(operation), correct.body(operation)),
    schema: (name) => both(own.schema(name), correct.schema(name)) as Validator,
    parameters: (operation, place) =>
      both(own.parameters(operation, place), correct.parameters(operation, place)),
  };
};

const ANSWER_KINDS: ReadonlySet<string> = new Set(["json", "raw", "status", "header"]);

const fits = (when: Which, answer: Answer, operation: Operation | undefined): boolean =>
  (when.operationId === undefined || when.operationId === operation?.operationId) &&
  (when.status === undefined || when.status === answer.status) &&
  (when.cause === undefined || (answer.cause !== undefined && when.cause.includes(answer.cause)));

const applied = (answer: Answer, effect: AnswerEffect): Answer => {
  if (effect.kind === "status") return { ...answer, status: effect.to };
  if (effect.kind === "json") {
    const { written: _, ...rest } = answer;
    return { ...rest, json: editAt(answer.json, effect.pointer, effect.edit) };
  }
  if (effect.kind === "header") {
    const { [effect.name]: _, ...others } = answer.headers ?? {};
    return { ...answer, headers: effect.to === null ? others : { ...others, [effect.name]: effect.to } };
  }
  const { json: _, written: __, ...rest } = answer;
  const { content, contentType } = effect;
  return { ...rest, raw: { content, ...(contentType !== undefined && { contentType }) } };
};
