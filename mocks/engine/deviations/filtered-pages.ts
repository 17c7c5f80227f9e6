/** The fault that a server reads the page that a call asks for, and only then leaves out what a filter does not match. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { parameterNamed } from "../../../helpers/contract/lookups.ts";
import type { Answer, Call } from "../call.ts";
import { fieldsIn, isObject } from "../values/fields.ts";
import { filteringPage } from "./rows.ts";

export const withPageFiltered = async (
  { relations }: Contract,
  call: Call,
  handle: (call: Call) => Promise<Answer>,
): Promise<Answer> => {
  const { operation, query, faulty } = call;
  const { operationId } = operation;
  if (!faulty(filteringPage(operationId))) return handle(call);
  const rows = relations.filter(
    ({ kind, operations }) => kind === "filter" && operations.includes(operationId),
  );
  const filters = rows.flatMap(({ parameter, shows = [] }) => {
    const { name = "" } = parameterNamed(operation, parameter) ?? {};
    return query[name] === undefined ? [] : [{ name, shows, value: String(query[name]) }];
  });
  const names = filters.map(({ name }) => name);
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)));
  const { written: _, ...answer } = await handle({ ...call, query: rest });
  const isFound = (item: unknown): boolean =>
    filters.every(({ shows, value }) => shows.some((field) => String(fieldsIn(item)[field]) === value));
  const filtered = (json: unknown): unknown => (Array.isArray(json) ? json.filter(isFound) : json);
  const { json } = answer;
  const inside = Object.entries(fieldsIn(json)).map(([field, list]) => [field, filtered(list)]);
  return { ...answer, json: isObject(json) ? Object.fromEntries(inside) : filtered(json) };
};
