/** Names of customers that no other customer of the partner has. */
import { dataMaker } from "../../helpers/generate/data.ts";
import type { TrialContext } from "../../helpers/trials/trial.ts";

/** @param what tells apart the customers of one trial */
export const namesFor = ({ seed, tag: own = "" }: TrialContext, what: string) => {
  const person = hashOf(`${seed} ${what}`);
  const make = (name: string, leaf: number): string => String(dataMaker(name)?.make({ person, leaf }));
  const tag = letters(person);
  return {
    username: `${make("username", 1).replace(/[^A-Za-z0-9]/g, "")}${tag}${own}`,
    firstName: `${make("first-name", 2)}${tag}`,
    lastName: `${make("last-name", 3)}${tag}`,
  };
};

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash & 0x7fff_ffff;
};

/** A number in small letters, as a name has no digits. */
const letters = (value: number): string =>
  value.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
