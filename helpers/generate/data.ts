/** Data makers: plausible values by `x-data` name, which a strict real server accepts. All of it is fictional. */
import choices from "./choices.json" with { type: "json" };
import { type DataMaker, type Draw, freeText, pick } from "./data-maker.ts";
import { PEOPLE } from "./data-people.ts";
import { THINGS } from "./data-things.ts";
import { TIME } from "./data-time.ts";

/** `undefined` where no row has that name: the keywords of the schema then say what the value is. */
export const dataMaker = (name: unknown): DataMaker | undefined =>
  typeof name === "string" && Object.hasOwn(DATA_MAKERS, name) ? DATA_MAKERS[name] : undefined;

type DataMakers = Readonly<Record<string, DataMaker>>;

/** Makers that pick one of a few values. */
const picking = <Value>(
  rows: Readonly<Record<string, readonly Value[]>>,
  makerOf: (make: (draw: Draw) => Value) => DataMaker,
): DataMakers =>
  Object.fromEntries(
    Object.entries(rows).map(([name, values]) => [name, makerOf(({ leaf }) => pick(values, leaf))]),
  );

const DATA_MAKERS: DataMakers = {
  ...picking<string | number>(choices.codes, (make) => ({ make })),
  ...picking(choices.texts, freeText),
  ...PEOPLE,
  ...TIME,
  ...THINGS,
};
