/** Applies the effects of the faults in force in one tenant. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { Answer } from "../service.ts";
import { type Validators, validatorsOf } from "../validators.ts";
import { editAt } from "../values/pointer.ts";
import type { AnswerEffect, Fault, PathEffect, RequestEffect, Which } from "./fault.ts";

export interface EffectsInForce {
  readonly validators: Validators;
  readonly paths: readonly PathEffect[];
  behaves(name: string): boolean;
  /** @param operation absent when the request matched no operation */
  answer(answer: Answer, operation?: Operation): Answer;
}

/** @param correct validators of the unchanged contract */
export const effectsOf = (
  contract: Contract,
  correct: Validators,
  faults: readonly Fault[],
): EffectsInForce => {
  const effects = faults
    .filter((fault) => fault.service === contract.service)
    .flatMap((fault) => fault.effects);
  const requests = effects.filter((effect): effect is RequestEffect => effect.kind === "request");
  const answers = effects.filter((effect): effect is AnswerEffect => ANSWER_KINDS.has(effect.kind));
  const behaviours = new Set(effects.flatMap((effect) => (effect.kind === "behaviour" ? [effect.name] : [])));
  return {
    validators: requests.length === 0 ? correct : validatorsOf(contract, requests, correct),
    paths: effects.filter((effect) => effect.kind === "path"),
    behaves: (name) => behaviours.has(name),
    answer: (answer, operation) => {
      const fitting = answers.filter((effect) => fits(effect.when, answer, operation));
      return fitting.reduce(applied, answer);
    },
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
