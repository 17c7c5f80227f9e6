/** Prints what a command tells. No terminal and no build server obeys a text of a document, a server or a file in it. */
import { randomUUID } from "node:crypto";
import { loggable } from "../helpers/exchange/visible.ts";

/** Encloses what is ours. No text of others contains it, because nobody else knows it. */
const MARK = randomUUID();

/** Marks a control sequence, or a command for a build server, that the product means as such. */
export const ours = (sequence: string): string => `${MARK}${sequence}${MARK}`;

/** Returns the text as it is printed: only what is marked as ours is obeyed. */
export const printable = (text: string): string =>
  text
    .split(MARK)
    .map((part, index) => (index % 2 === 1 ? part : loggable(part)))
    .join("");

/** Returns the text without what is marked as ours. */
export const withoutOurs = (text: string): string =>
  text
    .split(MARK)
    .filter((_, index) => index % 2 === 0)
    .join("");

/** Prints results. */
export const print = (text: string): void => void process.stdout.write(printable(text));

/** Prints progress, notes and errors. */
export const note = (text: string): void => void process.stderr.write(printable(text));

/** Whether results are printed in colour: on a terminal without `NO_COLOR`, and anywhere if `FORCE_COLOR` asks for it. */
export const isColored = (): boolean => {
  const { FORCE_COLOR: forced = "", NO_COLOR: off } = process.env;
  if (forced !== "") return !["0", "false"].includes(forced);
  return process.stdout.isTTY === true && !off;
};
