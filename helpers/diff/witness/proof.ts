/** Proves that a change is harmless even though its rule may break messages. */
import { isObject, type Json } from "../../contract/json.ts";
import { NUMERIC } from "../../contract/keywords.ts";
import type { Occurrence } from "../compare/found.ts";
import { listedValues, typesOf } from "../compare/types.ts";
import { type Sender, sidesOf } from "../document/model.ts";
import type { Judges } from "./judge.ts";

export const isProved = (judges: Judges, { schema, message }: Occurrence, sender: Sender): boolean => {
  if (schema === undefined) return false;
  const { change } = schema;
  if (change.simpleUntil < change.steps.length) return false;
  const [side, other] = sidesOf(sender);
  const [allowing, refusing] = [change.nodes[side], change.nodes[other]];
  if (change.rule === "alternative" || change.rule === "required" || change.rule === "property") return false;
  const isText = /^(query|path|header|cookie) /.test(message.place) && change.steps.length === 0;
  if (isText && isObject(refusing) && takesEveryText(refusing)) return true;
  const values = isObject(allowing) ? everyValueOf(allowing) : undefined;
  return (
    values?.every(
      (value) =>
        judges[side].of(sender).validate(allowing, value).length > 0 ||
        judges[other].of(sender).validate(refusing, value).length === 0,
    ) ?? false
  );
};

/** Whether a parameter accepts every text, since all parameters are text on the wire. */
const takesEveryText = (node: Json): boolean =>
  typesOf(node).includes("string") && Object.keys(node).every((keyword) => isSilent(keyword, node));

const SILENT: ReadonlySet<string> = new Set([
  ...["type", "default", "deprecated", "examples", "readOnly", "writeOnly"],
  ...NUMERIC,
]);

const NUMERIC_FORMAT = /^(int32|int64|float|double)$/;

/** Whether a keyword does not restrict a text. */
const isSilent = (keyword: string, { format }: Json): boolean =>
  SILENT.has(keyword) || (keyword === "format" && NUMERIC_FORMAT.test(String(format)));

/** Returns all values that a schema allows, if they can be listed. */
const everyValueOf = (node: Json): readonly unknown[] | undefined => {
  const listed = listedValues(node);
  if (listed !== undefined) return listed;
  const types = typesOf(node);
  if (!types.every((type) => type === "boolean" || type === "null")) return undefined;
  return [...(types.includes("boolean") ? [true, false] : []), ...(types.includes("null") ? [null] : [])];
};
