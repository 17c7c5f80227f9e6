/** Observes the behaviour of a target in the exchanges of one trial. */
import type { Contract } from "../contract/contract.ts";
import { operationsById } from "../contract/lookups.ts";
import { getOrInsert } from "../contract/memoize.ts";
import { type Exchange, statusOf } from "../exchange/exchange.ts";
import type { Recorder } from "../exchange/recorder.ts";
import type { Delivery } from "../flows/delivery.ts";
import { answerFormOf } from "./answer-form.ts";
import { type AnswerForm, type Behaviour, type Examples, isRandom, triesShown } from "./behaviour.ts";
import { mergedForm } from "./merge.ts";
import { answerOf, deliveryForm, normalText, shortAnswer } from "./normal-text.ts";

export interface Observer {
  /** @param tried what the request tries, within the trial */
  see(exchange: Exchange, tried?: string): void;
  /** Adds what a trial observed itself. @param observed `what was tried: what happened` */
  note(subject: string, operationId: string, observed: string): void;
  /** Adds the deliveries that a trial received. */
  receive(deliveries: readonly Delivery[]): void;
  behaviour(): Behaviour;
  examples(): Examples;
}

/** Stands for what a trial with several different requests tries. */
const IN_ORDER = "all calls, in order";

/** The rest of a longer name is not part of a form. */
const LONGEST_NAME = 200;

/** Stands for the operationId of deliveries. */
const DELIVERIES = "(deliveries)";

/** Recorded traffic may have any number of calls. */
const MOST_TURNS = 1_000;

/**
 * Adds an answer to a call of one operation, unless it equals the answer before: the number of equal answers may depend on
 * time, for example while a report is generated.
 */
const addTurn = (turns: { readonly answers: string[]; count: number }, answer: string): void => {
  turns.count += 1;
  const { answers } = turns;
  if (answers.at(-1) !== answer && answers.length < MOST_TURNS) answers.push(answer);
};

/**
 * @param recorder redacts texts, and renders requests as commands
 * @param isComparable whether to keep a request for each answer, which shows a change since a baseline
 */
export const createObserver = (
  contract: Contract,
  trial: string,
  { curl, redact }: Pick<Recorder, "curl" | "redact">,
  isComparable = true,
): Observer => {
  const answers: Record<string, Record<string, string[]>> = {};
  const forms: Record<string, Record<string, AnswerForm>> = {};
  const examples: Record<string, Record<string, Record<string, string>>> = {};
  /** The last exchange of each operation: what a trial notes is about it. */
  const last = new Map<string, Exchange>();
  const inOrder = new Map<string, Parameters<typeof addTurn>[0]>();
  const names = new Map<string, string>();
  const redactName = (name: string): string =>
    getOrInsert(names, name, () => redact(name).slice(0, LONGEST_NAME));
  const add = (operationId: string, tried: string, answer: string, exchange?: Exchange): void => {
    answers[operationId] ??= {};
    const known = answers[operationId];
    if (known[tried]?.includes(answer) === true) return;
    known[tried] = [...(known[tried] ?? []), answer].sort();
    if (exchange === undefined || !isComparable) return;
    const command = curl(exchange);
    if (command === "") return;
    examples[operationId] ??= {};
    examples[operationId][tried] ??= {};
    examples[operationId][tried][answer] = command;
  };
  return {
    note(subject, operationId, observed) {
      const [what = "", ...happened] = observed.split(": ");
      const isNamed = happened.length > 0;
      const tried = `${subject}: ${isNamed ? normalText(what) : trial}`;
      add(operationId, tried, normalText(isNamed ? happened.join(": ") : what), last.get(operationId));
    },
    receive(deliveries) {
      if (isRandom(trial)) return;
      add(DELIVERIES, `${trial}: the number of deliveries`, String(deliveries.length));
      for (const delivery of deliveries) {
        add(DELIVERIES, `${trial}: a delivery`, redact(deliveryForm(delivery)));
      }
    },
    see(exchange, tried) {
      const { operationId, response } = exchange;
      const operation = operationsById(contract).get(operationId);
      if (operation === undefined) return;
      last.set(operationId, exchange);
      const answer = answerOf(exchange, redact);
      if (isRandom(trial)) answers[operationId] ??= {};
      else add(operationId, tried === undefined ? trial : `${trial}: ${tried}`, answer, exchange);
      if (tried === undefined && !isRandom(trial) && !triesShown(trial))
        addTurn(
          getOrInsert(inOrder, operationId, () => ({ answers: [], count: 0 })),
          shortAnswer(answer),
        );
      if (response === undefined) return;
      const form = answerFormOf(contract, operation, exchange, response, redactName);
      forms[operationId] ??= {};
      const ofOperation = forms[operationId];
      const before = ofOperation[statusOf(exchange)];
      ofOperation[statusOf(exchange)] = before === undefined ? form : mergedForm(before, form);
    },
    behaviour() {
      for (const [operationId, { answers: turns, count }] of inOrder) {
        if (count > 1) add(operationId, `${trial}: ${IN_ORDER}`, turns.join(" "));
      }
      inOrder.clear();
      return { answers, forms };
    },
    examples: () => examples,
  };
};
