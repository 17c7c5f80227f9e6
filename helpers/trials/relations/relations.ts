/** Trials of relations: each parameter with a row in `relations.yaml` is obeyed, as a list that is varied enough shows. */
import { checkFilter } from "../../checks/obedience.ts";
import type { Contract } from "../../contract/contract.ts";
import { movedNames, steadyText } from "../../contract/json.ts";
import { parameterNamed, resourceNamed } from "../../contract/lookups.ts";
import type { Relation } from "../../contract/relations.ts";
import { type CheckResult, checkThat } from "../../exchange/check-result.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import { subjectsOf } from "../from-contract/generated.ts";
import { isKnown, isSameValue, relationsOf, shownIn } from "../from-contract/obedience.ts";
import { operationTrial, type Subject } from "../from-contract/operation-trial.ts";
import type { Policy } from "../from-contract/policy.ts";
import { bound, ifPossible, type T } from "../kit/language.ts";
import type { Trial } from "../trial.ts";
import { tryGiven } from "./given.ts";
import { tryKept } from "./kept.ts";
import { allFound, GUESSED, NONSENSE } from "./list-parameters.ts";
import { tryLocated } from "./located.ts";
import { tryOnce } from "./once.ts";
import { tryOwned } from "./owned.ts";
import { tryPaging } from "./pages.ts";
import { trySiblings } from "./siblings.ts";
import { tryCurrent, tryFresh } from "./tagged.ts";
import { type Related, tryFilteredPage, valuesIn, variedList, wordsOf } from "./varied-list.ts";
import { tryWindow } from "./windows.ts";

/** @param tryGone tries deletions; absent for a service whose scenarios do */
export const relationTrials = (contract: Contract, policy: Policy, tryGone?: typeof trySiblings) =>
  subjectsOf(contract, policy).flatMap((subject) => trialsOf(subject, tryGone));

const trialsOf = (subject: Subject, tryGone?: typeof trySiblings): Trial[] => {
  const { contract, operation } = subject;
  return relationsOf(contract, operation.operationId).flatMap((relation) => {
    const { kind, parameter = "", requirement } = relation;
    const act = actOf(subject, relation, tryGone);
    const row = {
      name: `relation/${parameter || (kind === "start" ? "pages" : kind)}`,
      title: TITLES[kind] ?? `${parameter || "the way to the next page"} is obeyed`,
      requirements: [`${contract.service}.${requirement}`],
    };
    return act === undefined ? [] : operationTrial(subject, row, bound(act));
  });
};

/** Returns what tries a relation; `undefined` if scenarios do. */
const actOf = ({ contract, operation }: Subject, relation: Relation, tryGone?: typeof trySiblings) => {
  const { operationId } = operation;
  const { kind, parameter, situation, beside = [], guessed } = relation;
  const tryNamed = { apart: trySiblings, gone: tryGone, owned: tryOwned }[kind as "apart" | "gone" | "owned"];
  const resource = tryNamed && resourceNamed(contract, operation, parameter);
  if (tryNamed && resource) return (t: T) => tryNamed(t, relation, operationId, resource);
  const tryChange = CHANGES[kind];
  if (tryChange !== undefined) return (t: T) => tryChange(t, relation, operationId);
  const tries = (guessed && GUESSED[kind]) || TRIES[kind];
  const known = parameterNamed(operation, parameter || relation.along);
  if (tries === undefined || known === undefined) return undefined;
  return async (t: T) => {
    for (const resource of beside) {
      await ifPossible(() => t.arrange.need(resource));
      await ifPossible(() => t.arrange.others().need(resource));
    }
    const about = situation === undefined ? undefined : await t.situationIfOffered(situation);
    const certain = isKnown(known, relation, t);
    await tries(t, { relation, operationId, name: known.name, isKnown: certain, about });
  };
};

const TITLES: Partial<Record<Relation["kind"], string>> = {
  current: "a call with the entity tag of the present state is accepted",
  fresh: "a read with the entity tag of another state gives the content",
  apart: "another resource stays as it was",
  given: "every read shows what the call gave",
  gone: "no read shows what the call deleted",
  kept: "fields stay that the call does not name",
  once: "a repeated call with the same key creates nothing more",
  owned: "a path shows only what belongs to its parent",
  located: "the address in the answer leads to what the call created",
};

/** What changes or creates a resource. */
const CHANGES: Partial<
  Record<Relation["kind"], (t: T, relation: Relation, operationId: string) => Promise<void>>
> = {
  ...{ given: tryGiven, kept: tryKept, located: tryLocated },
  ...{ once: tryOnce, fresh: tryFresh, current: tryCurrent },
};

const tryFilter = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement } = relation;
  const { control, items, size } = await variedList(t, row);
  const values = valuesIn(relation, items);
  const [value, ...others] = values;
  if (value === undefined) return acceptOnly(t, row, `whose items show ${relation.shows?.[0]}`);
  for (const one of [value, ...others].slice(0, VALUES[t.depth])) {
    const ask = (value: string) =>
      t.readUntil(
        () => t.answered(operationId, row.about, { parameters: { ...size, [name]: value } }),
        (exchange) => isAccepted(exchange) && t.itemsIn(exchange).length > 0,
      );
    let probe = await ask(one);
    // Answers may show the words of the parameter in another spelling.
    const listed = isAccepted(probe) ? undefined : listedWord(t, row, one);
    if (listed !== undefined) probe = await ask(listed);
    // Acceptance alone does not show that the target obeys.
    if (!isAccepted(probe)) {
      t.judgeParameter(requirement, name, [probe, control], { confirmed: row.isKnown, isShown: true });
      continue;
    }
    const shown = t.itemsIn(probe).map((item) => shownIn(relation, item));
    const result = checkFilter(name, one, shown, isSameValue(relation));
    judgeObedience(t, row, result ?? NOTHING_FOUND, [probe, control]);
    if (result?.holds) await tryFilteredPage(t, row, one, probe);
  }
  const isSeen = others.length > 0 || (await askForUnseen(t, row, value));
  if (isSeen) t.showOccasion(requirement);
  else t.leaveWithoutOccasion(requirement, `a list of ${operationId} with items of several ${name}`);
};

/**
 * Asks for another word of the parameter where all items show the same one of its words. Each answer of a run is judged by
 * its filters (`observeObedience`), and no item may be left in this one.
 * @returns whether the target accepted the word
 */
const askForUnseen = async (
  t: T,
  { relation, operationId, name, about }: Related,
  value: string,
): Promise<boolean> => {
  const isSame = isSameValue(relation);
  const words = wordsOf(t, operationId, name);
  const other = words.some((word) => isSame(value, word)) && words.find((word) => !isSame(value, word));
  // A gap leaves open what other words mean.
  if (!other || relation.gap !== undefined) return false;
  return isAccepted(await t.answered(operationId, about, { parameters: { [name]: other } }));
};

/** Returns the word that the parameter lists for a value that is shown in another letter case. */
const listedWord = (t: T, { operationId, name }: Related, value: string): string | undefined =>
  wordsOf(t, operationId, name).find((word) => word !== value && word.toLowerCase() === value.toLowerCase());

const VALUES = { quick: 1, standard: 2, exhaustive: 4 } as const;

const NOTHING_FOUND: CheckResult = {
  ...{ holds: false, pointer: "", message: "a value that an item shows finds no item" },
  ...{ expected: "the items that show it", actual: "no item that shows a value" },
};

/** Tries only whether the target accepts the parameter, which does not show that it obeys it. */
const acceptOnly = async (t: T, row: Related, need: string): Promise<void> => {
  const { relation, operationId, name } = row;
  await t.tryParameter(relation.requirement, { operationId, name }, row.about);
  t.leaveWithoutOccasion(relation.requirement, `a list of ${operationId} ${need}`);
};

/**
 * Records that a list obeys. A list that does not is a violation if the target certainly knows the parameter, or if the list
 * differs from the one without it: then it obeys in part.
 */
const judgeObedience = (
  t: T,
  { relation, isKnown: isCertain }: Related,
  result: CheckResult,
  [probe, control]: readonly [Exchange, Exchange],
): void => {
  const isPart = t.itemsIn(probe).length < t.itemsIn(control).length;
  const { message, expected, actual, pointer } = result;
  if (result.holds) t.record(relation.requirement, result, [probe, control]);
  else
    t.recordIfConfirmed(relation.requirement, false, [probe, control], {
      ...{ message, expected, actual, pointer },
      confirmed: isCertain || (isPart && t.itemsIn(probe).length > 0),
    });
};

const trySearch = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement } = relation;
  const control = await t.readUntil(
    () => t.answered(operationId),
    (exchange) => !isAccepted(exchange) || t.itemsIn(exchange).length > 1,
  );
  const items = isAccepted(control) ? t.itemsIn(control) : [];
  const sought = items.findLast((item) => /^[\w ]+$/.test(shownIn(relation, item) ?? ""));
  const text = shownIn(relation, sought);
  if (text === undefined || items.length < 2)
    return acceptOnly(t, row, `with two items that show ${relation.shows?.[0]}`);
  const ask = (value: string) => t.answered(operationId, {}, { parameters: { [name]: value } });
  const found = await ask(text);
  if (!isAccepted(found)) {
    t.judgeParameter(requirement, name, [found, control], { confirmed: row.isKnown });
    return;
  }
  const isSame = isSameValue(relation);
  const all = t.itemsIn(found);
  // More items than fit on a page may have the text in their names.
  const isFull = all.length >= items.length;
  if (!isFull || all.some((item) => isSame(shownIn(relation, item) ?? "", text))) {
    const holds = all.some((item) => isSame(shownIn(relation, item) ?? "", text));
    judgeObedience(t, row, checkThat(holds, notFound(name, text, all.length)), [found, control]);
  }
  const none = await ask(NONSENSE);
  // A 404 may stand for an empty list.
  if (!isAccepted(none) && t.itemsOf(none) === undefined) return;
  const isIgnored = t.areSameItems(none, control);
  judgeObedience(t, row, checkThat(!isIgnored, allFound(name, items.length)), [none, control]);
  t.showOccasion(requirement);
};

const notFound = (pointer: string, text: string, count: number) => ({
  ...{ pointer, message: "a search for its whole name does not find an item" },
  ...{ expected: `the item named ${text}`, actual: `${count} items without it` },
});

const tryFlag = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const trial = { operationId, name, value: true };
  const tried = await t.tryParameter(relation.requirement, trial, row.about);
  if (tried === undefined) return;
  const again = await t.answered(operationId, row.about);
  const moving = movedNames(contentOf(tried.control), contentOf(again));
  const [withFlag, without] = [tried.probe, tried.control].map((one) => steadyText(contentOf(one), moving));
  const result = checkThat(withFlag !== without, {
    pointer: name,
    message: `the answer is the same with and without ${name}=true`,
    expected: "an answer with more",
    actual: "the same answer as without it",
  });
  judgeObedience(t, row, result, [tried.probe, tried.control]);
  t.showOccasion(relation.requirement);
};

/** Other relations are tried by scenarios. */
const TRIES: Partial<Record<Relation["kind"], (t: T, row: Related) => Promise<void>>> = {
  filter: tryFilter,
  search: trySearch,
  window: tryWindow,
  flag: tryFlag,
  start: tryPaging,
};
