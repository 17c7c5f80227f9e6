/** The scores of the last complete matrix runs, which are committed, and which certificates include. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commandName } from "../../helpers/contract/code.ts";
import type { Service } from "../../helpers/contract/contract.ts";
import { readJson } from "../../helpers/run/files.ts";
import { byText } from "../order.ts";
import type { Certificate } from "./certificate.ts";
import { innocenceTotalOf, mutationTotalOf, type Score } from "./matrix.ts";

const SCORES = fileURLToPath(new URL("../matrix-scores.json", import.meta.url));

export const readScores = (): Score[] => {
  try {
    return readJson(SCORES) ?? [];
  } catch {
    throw new Error(`${SCORES} can't be read: write it again with ${commandName("mutation")}.`);
  }
};

const nameOf = ({ kind, service }: Score): string => `${kind} ${service}`;

/** Stores scores. Scores of other kinds and services do not change. */
export const keepScores = (scores: readonly Score[]): void => {
  const names = new Set(scores.map(nameOf));
  const others = readScores().filter((score) => !names.has(nameOf(score)));
  const all = [...others, ...scores].sort((a, b) => byText(nameOf(a), nameOf(b)));
  writeFileSync(SCORES, `${JSON.stringify(all, null, 2)}\n`);
};

/** Returns the proof of the checks of a half; `null` if one of the services has none. */
export const proofOf = (
  half: NonNullable<Certificate["half"]>,
  services: readonly Service[],
): Required<Pick<Certificate, "mutation" | "innocence">> => {
  const scores = readScores().filter(({ service }) => services.includes(service));
  if (half !== "service") {
    const own = scores.filter(({ kind }) => kind === half);
    return own.length === 0
      ? { mutation: null, innocence: null }
      : { mutation: mutationTotalOf(own), innocence: innocenceTotalOf(own) };
  }
  const [faults, differences] = [["fault"], ["difference", "combination"]].map((kinds) =>
    scores.filter(({ kind }) => kinds.includes(kind)),
  ) as [Score[], Score[]];
  const isWhole = (own: readonly Score[]) =>
    own.length > 0 && services.every((name) => own.some(({ service }) => service === name));
  return {
    mutation: isWhole(faults) ? mutationTotalOf(faults) : null,
    innocence: isWhole(differences) ? innocenceTotalOf(differences) : null,
  };
};
