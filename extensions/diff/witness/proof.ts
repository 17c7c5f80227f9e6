/** Proves that a change is harmless even though its rule may break messages. */
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { NUMERIC } from "../../../helpers/contract/schemas/keywords.ts";
import type { Occurrence } from "../compare/found.ts";
import { INTEGER_ENDS, listedValues, takes, typesOf } from "../compare/types.ts";
import { parameterKey } from "../document/messages.ts";
import { type ApiParameter, type Both, type Sender, sidesOf } from "../document/model.ts";
import { draftRequest } from "./draft.ts";
import type { Judge } from "./judge.ts";
import { refusals } from "./refusals.ts";

export const isProved = (judges: Both<Judge>, occurrence: Occurrence, sender: Sender): boolean => {
  const { schema } = occurrence;
  if (schema === undefined)
    return occurrence.isDecisive === true && isAllowedByBoth(judges, occurrence, sender);
  const { change } = schema;
  if (change.simpleUntil < change.steps.length) return false;
  const [side, other] = sidesOf(sender);
  const [allowing, refusing] = [change.nodes[side], change.nodes[other]];
  if (change.rule === "alternative" || change.rule === "required" || change.rule === "property") return false;
  const parameter = parameterAt(occurrence, other);
  if (parameter !== undefined && change.steps.length === 0 && isObject(refusing)) {
    const isRepeatable = parameter.style === "form" && parameter.explode && parameter.mediaType === undefined;
    const mayHaveParts = !isObject(allowing) || takes(allowing, "array") || takes(allowing, "object");
    const isOneText = !isRepeatable || !mayHaveParts;
    if (isOneText && takesEveryText(refusing, parameter)) return true;
  }
  const isFormat = change.rule === "format" && isObject(allowing) && isObject(refusing);
  if (isFormat && isWithinRange(allowing, refusing)) return true;
  const values = isObject(allowing) ? everyValueOf(allowing) : undefined;
  return (
    values?.every(
      (value) =>
        judges[side].of(sender).validate(allowing, value).length > 0 ||
        judges[other].of(sender).validate(refusing, value).length === 0,
    ) ?? false
  );
};

/** Whether the limits of the first schema lie within the range of the integer format of the second. */
const isWithinRange = (allowing: Json, { format }: Json): boolean => {
  const end = INTEGER_ENDS[String(format)];
  const [least, most] = [
    allowing.minimum ?? allowing.exclusiveMinimum,
    allowing.maximum ?? allowing.exclusiveMaximum,
  ];
  return (
    end !== undefined &&
    typesOf(allowing).every((type) => type === "integer") &&
    Number(least ?? Number.NaN) >= -end &&
    Number(most ?? Number.NaN) <= end - 1
  );
};

const isAllowedByBoth = (judges: Both<Judge>, occurrence: Occurrence, sender: Sender): boolean => {
  const [side] = sidesOf(sender);
  const operation = occurrence[side];
  return (occurrence.drafts ?? []).every((wanted) => {
    const message = operation && draftRequest(judges[side], operation, wanted);
    return (
      message !== undefined &&
      (["old", "new"] as const).every((one) => refusals(judges[one], occurrence[one], message).length === 0)
    );
  });
};

const parameterAt = ({ message, ...pair }: Occurrence, side: "old" | "new"): ApiParameter | undefined => {
  const operation = pair[side];
  const response = operation?.responses[message.status ?? ""];
  const parameters = message.status === undefined ? operation?.parameters : response?.headers;
  return parameters?.find((one) => parameterKey(one) === message.place);
};

/**
 * Whether a parameter accepts every text, since all parameters are text on the wire. An array accepts it as an item or
 * as several.
 */
const takesEveryText = (node: Json, parameter: ApiParameter): boolean => {
  if (parameter.mediaType !== undefined) return false;
  if (typesOf(node).includes("string")) return Object.keys(node).every((keyword) => isSilent(keyword, node));
  const { type, items = {}, ...rest } = node;
  const isArray = takes({ type }, "array") && Object.keys(rest).every((keyword) => isSilent(keyword, node));
  return isArray && isObject(items) && takesEveryText(items, parameter);
};

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
