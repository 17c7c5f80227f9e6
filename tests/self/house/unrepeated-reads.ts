/** Finds reads in scenarios that could convict a server which shows a change late: they are judged, and not repeated. */
import { parseSync } from "oxc-parser";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { nameOf, nodesIn } from "./syntax.ts";

type Known = ReadonlyMap<string, Pick<Operation, "method" | "finds" | "list">>;

/** The verbs and functions that send one call. Their first argument names the operation, after `t` in a function. */
const CALLS = /^(accepted|answered|validCall|callOn)$/;

/** The functions that record a verdict about a list of exchanges. */
const VERDICTS = /^(judge[A-Z]\w*|recordIfConfirmed)$/;

/**
 * Returns the lines of reads that follow a call which changes something, in the same function, and whose answer a verdict
 * is about. A read that `readUntil` repeats is in a function of its own.
 */
export const unrepeatedReads = (text: string, operations: Known): number[] => {
  const { program } = parseSync("file.ts", text);
  const constants = new Map(nodesIn(program).flatMap(constantOf));
  const helpers = new Map(nodesIn(program).flatMap((node) => helperOf(node, constants)));
  const found = functionsIn(program).flatMap((own) => {
    let hasChanged = false;
    const reads = new Map<string, number>();
    return nodesIn(own, (node) => !isFunction(node)).flatMap((node) => {
      const declared = declaredCall(node);
      const call = declared?.call ?? node;
      const id = operationIdOf(call, constants) ?? helpers.get(nameOf(call.callee ?? {}));
      const operation = operations.get(id ?? "");
      if (operation !== undefined && changes(operation)) hasChanged = true;
      if (declared !== undefined && operation?.method === "GET" && hasChanged)
        reads.set(declared.name, Number(node.start));
      return exchangesJudgedIn(node).flatMap((name) => reads.get(name) ?? []);
    });
  });
  return [...new Set(found)].map((start) => text.slice(0, start).split("\n").length);
};

/** Some resources and lists are read by a POST. */
const changes = ({ method, finds, list }: Pick<Operation, "method" | "finds" | "list">): boolean =>
  method !== "GET" && finds.length === 0 && list === undefined;

const isFunction = ({ type }: Json): boolean => /^(ArrowFunctionExpression|Function\w+)$/.test(String(type));

const functionsIn = (program: unknown): Json[] => nodesIn(program).filter(isFunction);

const constantOf = ({ type, id, init }: Json): (readonly [string, string])[] =>
  type === "VariableDeclarator" && typeof (init as Json | null)?.value === "string"
    ? [[String((id as Json).name), String((init as Json).value)]]
    : [];

/** Returns the name of a function of the file that only sends a call, and the id of the operation. */
const helperOf = (
  { type, id, init }: Json,
  constants: ReadonlyMap<string, string>,
): (readonly [string, string])[] => {
  if (type !== "VariableDeclarator" || !isObject(init) || !isFunction(init)) return [];
  const nodes = nodesIn(init);
  if (nodes.some(({ name }) => name === "readUntil")) return [];
  const ids = nodes.flatMap((node) => operationIdOf(node, constants) ?? []);
  return ids.length === 1 ? [[nameOf(id), String(ids[0])]] : [];
};

/** Returns the id of the operation that a call sends. */
const operationIdOf = ({ type, callee, arguments: given }: Json, constants: ReadonlyMap<string, string>) => {
  if (type !== "CallExpression" || !CALLS.test(nameOf(callee))) return undefined;
  const [first, second] = given as Json[];
  const id = (callee as Json).type === "MemberExpression" ? first : second;
  return typeof id?.value === "string" ? id.value : constants.get(nameOf(id ?? {}));
};

/** Returns the variable and the call of `const name = await call`. */
const declaredCall = ({
  type,
  id,
  init,
}: Json): { readonly name: string; readonly call: Json } | undefined =>
  type === "VariableDeclarator" && (init as Json | null)?.type === "AwaitExpression"
    ? { name: nameOf(id), call: (init as Json).argument as Json }
    : undefined;

const exchangesJudgedIn = ({ type, callee, arguments: given }: Json): string[] =>
  type === "CallExpression" && VERDICTS.test(nameOf(callee))
    ? (given as Json[]).flatMap(({ elements = [] }) => (elements as Json[]).map(nameOf))
    : [];
