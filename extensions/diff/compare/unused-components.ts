/** Finds components that differ and that no operation of either document uses. */

import { COMPONENTS } from "../../../helpers/contract/documents/line-of.ts";
import { isObject, isSame, type Json } from "../../../helpers/contract/json.ts";
import { atPointer, pointerIn } from "../../../helpers/contract/pointer.ts";
import { withoutDocumentation } from "../document/documentation.ts";
import { type Found, foundAs } from "./found.ts";
import { actionOf, namesOf } from "./rules.ts";

const KINDS = ["schemas", "parameters", "requestBodies", "responses", "headers"] as const;

export const unusedComponents = (base: Json, revision: Json): Found[] => {
  const used = new Set([...usedIn(base), ...usedIn(revision)]);
  return KINDS.flatMap((kind) => {
    const [before, after] = [base, revision].map((root) => atPointer(root, `/components/${kind}`));
    const [had, has] = [before, after].map((one) => (isObject(one) ? one : {})) as [Json, Json];
    return [...namesOf(had, has)]
      .filter((name) => !used.has(`#/components/${kind}/${name}`))
      .flatMap((name) => {
        const [old, changed] = [had[name], has[name]].map((one) => withoutDocumentation(one));
        if (isSame(old, changed)) return [];
        const action = actionOf(old, changed);
        const values = action === "changed" ? { old, new: changed } : {};
        return [foundAs({ rule: "component", action, ...values }, `${COMPONENTS[kind]} ${name}`)];
      });
  });
};

/** Returns all references that the operations lead to. */
const usedIn = (root: Json): Set<string> => {
  const used = new Set<string>();
  const waiting: unknown[] = [root.paths, root.webhooks];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    const { $ref, mapping } = node as Json;
    const refs = [$ref, ...(isObject(mapping) ? Object.values(mapping) : [])];
    for (const ref of refs) {
      if (typeof ref !== "string" || used.has(ref)) continue;
      used.add(ref);
      if (ref.startsWith("#")) waiting.push(atPointer(root, pointerIn(ref)));
    }
    waiting.push(...Object.values(node));
  }
  return used;
};
