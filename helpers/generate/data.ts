/** Data makers: plausible values by `x-data` name, which a strict real server accepts. All of it is fictional. */
import type { DataMaker } from "./data-maker.ts";
import { MONEY } from "./data-money.ts";
import { PEOPLE } from "./data-people.ts";
import { THINGS } from "./data-things.ts";
import { TIME } from "./data-time.ts";

/** `undefined` where no row has that name: the keywords of the schema then say what the value is. */
export const dataMaker = (name: unknown): DataMaker | undefined =>
  typeof name === "string" && Object.hasOwn(DATA_MAKERS, name) ? DATA_MAKERS[name] : undefined;

const DATA_MAKERS: Readonly<Record<string, DataMaker>> = { ...PEOPLE, ...MONEY, ...TIME, ...THINGS };
