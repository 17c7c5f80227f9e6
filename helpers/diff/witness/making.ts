/** What makers of instances share. */
import { isObject, type Json } from "../../contract/json.ts";
import type { Schemas } from "../document/model.ts";
import type { Random } from "./random.ts";

/** Where nothing can be made. */
export const NONE: unique symbol = Symbol("none");

export interface Making {
  readonly schemas: Schemas;
  readonly random: Random;
  /** Probability that an optional part is there; 0 for the smallest instance. */
  readonly generosity: number;
  readonly depth: number;
  /** Makes a part. */
  readonly make: (conjuncts: readonly unknown[], making: Making) => unknown;
}

/** Below this depth only what is required is made. */
export const SHALLOW = 5;

/** A keyword that holds schemas by name. */
export const schemasIn = (part: Json, keyword: string): Json =>
  isObject(part[keyword]) ? (part[keyword] as Json) : {};
