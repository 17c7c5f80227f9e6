/** Data makers by `x-data` name: plausible values that a strict real server accepts. All of them are fictional. */
import choices from "./choices.json" with { type: "json" };
import { BUSINESS } from "./data-business.ts";
import { type DataMaker, type Draw, freeText, pick } from "./data-maker.ts";
import { PEOPLE } from "./data-people.ts";
import { TIME } from "./data-time.ts";

/** Returns the maker with that name. Without a maker, the keywords of the schema determine the value. */
export const dataMaker = (name: unknown): DataMaker | undefined =>
  typeof name === "string" && Object.hasOwn(DATA_MAKERS, name) ? DATA_MAKERS[name] : undefined;

/** Returns makers that pick one of a few values. */
const picking = <Value>(
  rows: Readonly<Record<string, readonly Value[]>>,
  makerOf: (make: (draw: Draw) => Value) => DataMaker,
): Readonly<Record<string, DataMaker>> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, values]) => [name, makerOf(({ leaf }) => pick(values, leaf))]),
  );

const DATA_MAKERS: Readonly<Record<string, DataMaker>> = {
  ...picking<string | number>(choices.codes, (make) => ({ make })),
  ...picking(choices.texts, freeText),
  // A server that decodes a text refuses other ones.
  ...picking(choices.contents, (make) => ({ make, acceptedLengths: [] })),
  ...PEOPLE,
  ...TIME,
  ...BUSINESS,
};
