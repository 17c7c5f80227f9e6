/** What documents and recordings show of resources: their fields by identifier, and successes. */
import type { Contract, JsonSchema, Operation } from "../../../helpers/contract/contract.ts";
import type { RecordedCall } from "../../../mocks/engine/recorded.ts";
import { shownIn } from "../../../mocks/engine/shown.ts";
import type { Fields } from "../../../mocks/engine/values/fields.ts";

/** Returns the fields of resources by kind and id. */
export const resourcesSeen = (
  calls: readonly RecordedCall[],
  contract: Pick<Contract, "schemas" | "operations">,
): Fields =>
  Object.fromEntries(
    [...shownIn(contract, calls)].map(([resource, known]) => [
      resource,
      Object.fromEntries([...known].map(([id, { views }]) => [id, Object.assign({}, ...views)])),
    ]),
  );

/** Returns the lowest documented success and the schema of its body. */
export const successOf = ({
  responses,
}: Operation): readonly [number | undefined, JsonSchema | undefined] => {
  const [first] = Object.values(responses)
    .filter(({ status }) => status >= 200 && status < 300)
    .sort((a, b) => a.status - b.status);
  return [first?.status, first?.content["application/json"]];
};
