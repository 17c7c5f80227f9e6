/** Builds a contract from its documents: parses them, joins the provider's document, derives the register. */
import { join } from "node:path";
import type { Bindings, Contract, JsonSchema, Level, Requirement, Service, Shapes } from "./contract.ts";
import { checked } from "./documents/checked-file.ts";
import { locationOf } from "./documents/git-source.ts";
import { readDocument } from "./documents/read-document.ts";
import { digestOf } from "./documents/source-file.ts";
import { defined, type Json } from "./json.ts";
import { operationsOf, securitySchemesOf } from "./operations.ts";
import { atPointer } from "./pointer.ts";
import { isDropped } from "./provider/dropped-statuses.ts";
import { joinProvider } from "./provider/provider.ts";
import { type ProviderDocument, readProviderDocument } from "./provider/provider-document.ts";
import { refuseUnknown, rowFilesOf } from "./references.ts";
import { registerOf } from "./register.ts";
import { readRequirementSet } from "./requirement-set.ts";
import { type RuleSource, rulesOf } from "./rules.ts";
import { secretPlacesOf } from "./secret-places.ts";

/**
 * The part of a contract that the cache stores. It excludes the rules, because deriving them takes less time than
 * reading them.
 */
export type Kept = Omit<Contract, "rules" | "contradicted"> & Pick<RuleSource, "ruleIds">;

/**
 * @returns the contract, and whether it may be kept: not with a document of several files, because the cache compares only
 * the main file
 * @param folder the folder of the service in `schemas/`
 * @param own digest of the folder's files
 * @throws ContractError naming file, line, pointer and hint
 */
export const buildContract = (
  service: Service,
  folder: string,
  own: string,
  providerFile: string | undefined,
  corrections: Bindings = {},
): { readonly contract: Kept; readonly cacheable: boolean } => {
  const theirs = providerFile === undefined ? undefined : readProviderDocument(locationOf(providerFile));
  const digest = theirs === undefined ? own : digestOf([own, theirs.digest]);
  const contract = normalise(service, folder, digest, theirs, corrections);
  return { contract, cacheable: theirs === undefined || theirs.document.sources.length === 1 };
};

const normalise = (
  service: Service,
  folder: string,
  digest: string,
  theirs: ProviderDocument | undefined,
  corrections: Bindings,
): Kept => {
  const { source, shapes, file, document, eachOperation, ...ours } = read(service, folder);
  const joined =
    theirs === undefined ? { ...shapes, ...UNTOUCHED } : joinProvider(shapes, theirs, service, corrections);
  const files = rowFilesOf(folder);
  const register = ({ operations, schemas }: Shapes): Requirement[] => {
    const rules = rulesOf({ service, ruleIds: ours.ruleIds, operations, schemas });
    return registerOf({
      ...{ service, ruleIds: ours.ruleIds, operations, schemas, document, eachOperation, rules },
      ...{ answers: theirs && "provider", rows: files.requirements.content.requirements },
    });
  };
  const requirements = register(joined).map((one) =>
    isDropped(one, joined.differences.statuses) ? { ...one, level: "assumed" as const } : one,
  );
  const builtIn = theirs === undefined ? requirements : register(shapes);
  refuseUnknown({ ...shapes, service, file, requirements: builtIn }, files);
  const ids = (list: readonly Requirement[]): string[] => list.map(({ id }) => id);
  return {
    ...{ service, digest, ...ours, ...joined, requirements },
    secretPlaces: secretPlacesOf([source, ...(theirs === undefined ? [] : [theirs.document])], joined),
    requirementSet: readRequirementSet(folder, ours.version, ids(builtIn), ids(requirements)),
    gaps: files.gaps.content.gaps,
    relations: files.relations?.content.relations ?? [],
  };
};

const UNTOUCHED = {
  provider: null,
  bindings: {},
  differences: { lacking: [], added: [], invented: [], contradictions: [], statuses: {} },
} as const;

/** Reads the built-in part. */
const read = (service: Service, folder: string) => {
  const source = readDocument(join(folder, "openapi.yaml"));
  const file = checked<Json>("openapi", source.root, source.placeOf);
  const root = file.content;
  return {
    ...{ source, file },
    shapes: {
      operations: operationsOf(source, service, root["x-level"] as Level | undefined),
      schemas: (atPointer(root, "/components/schemas") ?? {}) as Record<string, JsonSchema>,
      securitySchemes: securitySchemesOf(source),
    },
    version: String((root.info as Json).version),
    document: String(root["x-document"]),
    basePath: String(root["x-base-path"] ?? ""),
    ...defined({ country: root["x-country"] as string | undefined }),
    generalStatuses: (root["x-general-statuses"] ?? []) as number[],
    ruleIds: root["x-rule-ids"] as RuleSource["ruleIds"],
    eachOperation: root["x-operation-requirements"] === true,
  };
};
