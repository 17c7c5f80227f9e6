/** Tells from names in which period the dates of requests should be. */
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { withinChanged } from "../../../helpers/contract/schemas/schema-visitor.ts";

/** The periods by what the name of a date says, without separators; the first row that fits counts. */
const PERIODS: readonly { readonly period: string; readonly says: RegExp }[] = [
  { period: "future", says: /expir|validuntil|validto|due|deadline|schedul|arriv|depart|by$/ },
  {
    period: "start",
    says: /^(?:from|since|after|start|begin)|(?:from|since|after|start|begin)(?:date|time|at|on)*$/,
  },
  {
    period: "end",
    says: /^(?:to|until|till|before|end)(?:date|time|at|on)*$|(?:until|till|before|end)(?:date|time|at|on)*$/,
  },
];

/** Adds `x-data` to a parameter that states a date: a search is about the past. */
export const periodOf = ({ name, schema }: Json): Json =>
  isObject(schema) ? dataOf(String(name), schema, "past") : {};

/** Returns a schema of a body with `x-data` at the properties that state a date: what a client plans is to come. */
export const withPeriods = (schema: unknown): unknown =>
  withinChanged(schema, (one) => {
    const properties = Object.entries(isObject(one.properties) ? one.properties : {});
    const data = properties.map(([name, property]) =>
      isObject(property) ? dataOf(name, property, "future") : {},
    );
    if (data.every((one) => Object.keys(one).length === 0)) return one;
    const dated = properties.map(([name, property], index) => [
      name,
      isObject(property) ? { ...data[index], ...property } : property,
    ]);
    return { ...one, properties: Object.fromEntries(dated) };
  });

const FORMATS: readonly unknown[] = ["date", "date-time"];

const dataOf = (name: string, { format, enum: values }: Json, usual: "past" | "future"): Json => {
  if (!FORMATS.includes(format) || values !== undefined) return {};
  const plain = name.replaceAll(/[^A-Za-z]/g, "").toLowerCase();
  const period = PERIODS.find(({ says }) => says.test(plain))?.period;
  if (period === undefined) return {};
  return { "x-data": `${period === "future" ? period : `${usual}-${period}`}-${format}` };
};
