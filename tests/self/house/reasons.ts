/** Finds the texts of reasons why a requirement is not tried, in the code. */
import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { childrenOf, nameOf, nodesIn } from "./syntax.ts";

/** The functions and errors that take a reason. */
const TAKERS = /^(NotTried|NotArranged|notTried|leaveUntried|leaveRestUntried)$/;

/** By text: a trial and a world in which it is given (`reasons.spec.ts`); `null` if none is known. */
export const SEEN = JSON.parse(
  readFileSync(new URL("../reasons/reasons.json", import.meta.url), "utf8"),
) as Readonly<Record<string, string | null>>;

/** Returns the texts with `…` for each value that is put in, and their lines. Texts of one word are names. */
export const reasonsIn = (text: string): { readonly text: string; readonly line: number }[] => {
  const nodes = nodesIn(parseSync("file.ts", text).program);
  const constants = new Map(
    nodes.flatMap(({ type, id, init }) =>
      type === "VariableDeclarator" && isObject(init) && !/Function/.test(String(init.type))
        ? [[String((id as Json).name), init] as const]
        : [],
    ),
  );
  const given = nodes.flatMap(({ type, callee, arguments: values }) =>
    /^(Call|New)Expression$/.test(String(type)) && TAKERS.test(nameOf(callee)) ? (values as Json[]) : [],
  );
  const texts = given.flatMap((node) =>
    textsIn((node.type === "Identifier" && constants.get(String(node.name))) || node),
  );
  return texts
    .filter(([one]) => one.trim().includes(" "))
    .map(([one, start]) => ({ text: one, line: text.slice(0, start).split("\n").length }));
};

/** Returns the texts of a node with their places, but not those within a call. */
const textsIn = (node: Json): (readonly [text: string, start: number])[] => {
  const start = Number(node.start);
  if (node.type === "Literal") return typeof node.value === "string" ? [[node.value, start]] : [];
  if (node.type === "TemplateLiteral")
    return [[(node.quasis as Json[]).map(({ value }) => (value as Json).cooked).join("…"), start]];
  return /Call|Function|Member/.test(String(node.type)) ? [] : childrenOf(node).flatMap(textsIn);
};
