/** Groups advisories by what they share, so that a server that checks little is described in few lines. */
import type { Certificate, CertifiedRequirement } from "./certificate.ts";
import { byText, type Group, grouped, largestFirst } from "./order.ts";

export interface Advisories extends Group<CertifiedRequirement> {
  /** The operations or parameters of the group, or the requirements that belong to no operation. */
  readonly names: readonly string[];
  /** The id of one finding. */
  readonly example: string | undefined;
}

/** Returns the kinds of advisories, the most frequent first. */
export const advisories = ({ requirements, operations }: Certificate): Advisories[] => {
  const operationIds = new Set(operations.map(({ operationId }) => operationId));
  const parts = new Map(
    requirements
      .filter(({ verdict }) => verdict === "advisory")
      .map((requirement) => [requirement, partsOf(requirement, operationIds)] as const),
  );
  const titleOf = (requirement: CertifiedRequirement): string => parts.get(requirement)?.title ?? "";
  return grouped([...parts.keys()], titleOf)
    .sort(largestFirst)
    .map((group) => ({
      ...group,
      names: [...new Set(group.items.map((item) => parts.get(item)?.name ?? item.id))].sort(byText),
      example: group.items.flatMap(({ findings }) => findings)[0],
    }));
};

/** Returns the group as text: `request.shape: sendParcel, trackParcel and 61 more, as in f-3`. */
export const advisoryText = ({ title, names, example }: Advisories): string => {
  const rest = names.length - SHOWN_NAMES;
  const shown = `${names.slice(0, SHOWN_NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  return `${title}: ${shown}${example === undefined ? "" : `, as in ${example}`}`;
};

const SHOWN_NAMES = 3;

interface Parts {
  readonly title: string;
  readonly name: string;
}

/** Splits an id: a parameter is named by itself, and all other parts of an operation by the operation. */
const partsOf = ({ id, service }: CertifiedRequirement, operationIds: ReadonlySet<string>): Parts => {
  const [operation = "", ...rest] = id.slice(service.length + 1).split(".");
  if (rest.length === 0 || !operationIds.has(operation)) return { title: "other assumptions", name: id };
  const [place, name = "", ...rule] = rest;
  return place === "parameter"
    ? { title: `parameter ${rule.join(".")}`, name }
    : { title: rest.join("."), name: operation };
};
