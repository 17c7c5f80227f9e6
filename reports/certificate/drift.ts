/** Compares two certificates at level `gap`: the observation register, and the fingerprint of behaviour. */
import { type Examples, NO_BEHAVIOUR } from "../../helpers/behaviour/behaviour.ts";
import { type BehaviourChange, causeOf, changesBetween, gapChanges } from "../../helpers/behaviour/drift.ts";
import { factsOf, gapRowsOf } from "../../helpers/behaviour/gaps.ts";
import { shortAnswer } from "../../helpers/behaviour/normal-text.ts";
import { unpacked } from "../../helpers/behaviour/packed.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { contentOf } from "../../helpers/contract/documents/checked-file.ts";
import { groupBy } from "../../helpers/contract/memoize.ts";
import { schemasFolder } from "../../helpers/contract/services.ts";
import { counted } from "../text.ts";
import type { Certificate } from "./certificate.ts";
import type { Drift } from "./changes.ts";

/** What a certificate tells about behaviour. */
type Behaving = Pick<Certificate, "register" | "behaviour" | "seed">;

/**
 * @param examples requests of the current run, by service
 * @returns `undefined` if one of the certificates has no behaviour
 */
export const driftBetween = (
  baseline: Behaving,
  now: Behaving,
  examples: Readonly<Record<Service, Examples>>,
): readonly Drift[] | undefined => {
  const [then, here] = [unpacked(baseline.behaviour), unpacked(now.behaviour)];
  if (then === undefined || here === undefined) return undefined;
  const sameSeed = baseline.seed === now.seed;
  const ofRegister = gapChanges(baseline.register ?? [], now.register ?? [], sameSeed).map(
    ({ gap: { id, service }, ...change }): Drift => {
      const gaps = contentOf<Pick<Contract, "gaps">>(schemasFolder(service), "gaps.yaml", "gaps")?.gaps ?? [];
      const rows = gapRowsOf({ service, gaps }).filter((one) => one.id === id);
      const facts = rows.flatMap((row) => factsOf(row, here[service] ?? NO_BEHAVIOUR));
      const curl = exampleOf(examples[service], facts, change.before);
      return { observation: id, service, operations: [], ...change, curl };
    },
  );
  const ofBehaviour = Object.entries(here).flatMap(([service, behaviour]) => {
    const changes = changesBetween(then[service] ?? NO_BEHAVIOUR, behaviour, sameSeed);
    // Each change once, with its first place, and all operations that show it.
    return [...groupBy(changes, causeOf).values()].map((alike): Drift => {
      const [{ operationId, status, where, words: first, before, now }] = alike as readonly [BehaviourChange];
      const others = new Set(alike.map(({ words }) => words)).size - 1;
      const words = others === 0 ? first : `${first}; the same in ${counted(others, "more place")}`;
      const operations = [...new Set(alike.map((one) => one.operationId))];
      const curl = exampleOf(examples[service], [{ operationId, where: status ?? where }], before);
      return { observation: null, service, operations, words, before, now, curl };
    });
  });
  return [...ofRegister, ...ofBehaviour];
};

/** Returns a command that shows one of the facts, with an answer not in `before` if possible. */
const exampleOf = (
  examples: Examples = {},
  facts: readonly { readonly operationId: string; readonly where: string }[],
  before: readonly string[],
): string | null => {
  const shown = facts.flatMap(({ operationId, where }) => {
    const { [where]: tried, ...others } = examples[operationId] ?? {};
    if (tried !== undefined) return Object.entries(tried);
    const answers = Object.values(others).flatMap((table) => Object.entries(table));
    return answers.filter(([answer]) => where.startsWith(shortAnswer(answer)));
  });
  const isKnown = (answer: string): boolean =>
    before.some((one) => [answer, shortAnswer(answer)].includes(one));
  const [, command = null] = shown.find(([answer]) => !isKnown(answer)) ?? shown[0] ?? [];
  return command;
};
