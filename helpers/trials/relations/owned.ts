/** Tries that a path leads to a resource only below what it belongs to: below another parent, nothing is shown of it. */
import { withArticle } from "../../contract/names.ts";
import { checkThat } from "../../exchange/check-result.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import type { T } from "../kit/language.ts";
import { isAbout, isOfPath, leaveUnseen, partAbout, resourcesIn } from "./resources.ts";

/** @param resource the kind of the resource that belongs to the one before it in the path */
export const tryOwned = async (
  t: T,
  { requirement }: { readonly requirement: string },
  operationId: string,
  resource: string,
): Promise<void> => {
  const operation = t.operationOf(operationId);
  const [parent = ""] = operation.parameters.filter(isOfPath).map((one) => one.resource ?? "");
  const own = await resourcesIn(t.arrange, operation, resource);
  const other = await t.arrange.others().need(parent);
  const { [resource]: id = "", [parent]: owner } = own;
  const shows = (exchange: Exchange): boolean => {
    const content = isAccepted(exchange) ? contentOf(exchange) : undefined;
    return isAbout(content, id) || partAbout(content, id) !== undefined;
  };
  const control = await t.readUntil(() => t.answered(operationId, own), shows);
  if (other === owner || !shows(control))
    return leaveUnseen(t, requirement, operation, withArticle(resource));
  const probe = await t.answered(operationId, { ...own, [parent]: other });
  // Only what the answer shows counts: any refusal is right, as is an empty answer.
  if (statusOf(probe) >= 500)
    return t.leaveUntried(requirement, "answered", operationId, `${statusOf(probe)}`);
  const result = checkThat(!isAccepted(probe) || !shows(probe), {
    pointer: "",
    message: `${withArticle(resource)} is shown below ${withArticle(parent)} that it does not belong to`,
    expected: "a refusal, or nothing",
    actual: `${statusOf(probe)} with it`,
  });
  t.record(requirement, result, [probe, control]);
  t.showOccasion(requirement);
};
