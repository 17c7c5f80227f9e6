/** The files of a new service: its contract, its sandbox and its trials. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { WRITTEN } from "../../../helpers/contract/load.ts";
import { resolveRef } from "../../../helpers/contract/schemas/rule-walk.ts";
import type { GeneralTreatments } from "../../../mocks/engine/deviations/general.ts";
import { contractFiles, titleOf } from "../reading/contract-files.ts";
import { schemasOf } from "../reading/convert.ts";
import type { Converted } from "../reading/converted.ts";
import { isPlainText } from "../sandbox/state.ts";

/**
 * Returns the texts of the files of a service by path, and the path of a file for these texts, to which the next version
 * is compared.
 * @param own another folder for the contract, without the code of a service: the package has no place for it
 */
export const filesOf = (service: string, converted: Converted, own?: string) => {
  const folder = `${own ?? "schemas"}/${service}`;
  const contract = Object.entries(contractFiles(service, converted)).map(
    ([name, text]) => [`${folder}/${name}`, text] as const,
  );
  return {
    texts: { ...Object.fromEntries(contract), ...(own === undefined && codeOf(service, converted)) },
    written: `${folder}/${WRITTEN}`,
  };
};

const codeOf = (service: string, converted: Converted): Record<string, string> => ({
  [`mocks/${service}/service.ts`]: `/** The sandbox of ${titleOf(service)}. Add handlers where the conventions of paths do not describe its behaviour. */
import type { GeneralTreatments } from "../engine/deviations/general.ts";
import { serviceByConvention } from "../engine/services.ts";

/** What its answers can differ in where the document leaves that open. */
const GENERAL: GeneralTreatments = ${JSON.stringify(treatmentsOf(converted), null, 2).replaceAll(/"(permitted|silences)"/g, "$1")};

export const service = await serviceByConvention("${service}", { generalDifferences: GENERAL });
`,
  [`tests/${service}/trials.ts`]: `/** All trials of ${titleOf(service)}. Add scenarios to those that follow from its contract. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { trials as derived } from "../without-code/trials.ts";

export const trials = (contract: Contract): Trial[] => [...derived(contract)];
`,
  [`tests/${service}/${service}.spec.ts`]: `import { declareTests, plannedContract } from "../../fixtures/engine/tests.ts";
import { trials } from "./trials.ts";

const contract = await plannedContract("${service}");

declareTests(contract, trials(contract));
`,
});

/** Leaves out differences that no answer can show, and names the requirements that others keep from being shown. */
const treatmentsOf = ({ root, operations, relations }: Converted): GeneralTreatments => {
  const text = JSON.stringify(root);
  const absent = { permitted: false } as const;
  const pages = relations.flatMap(({ kind, requirement }) => (kind === "start" ? [requirement] : []));
  // An answer may also leave out the way to the next page.
  const responses = operations
    .flatMap(({ operationId }) => [
      `${operationId}.response.*`,
      `${operationId}.shown-as-given`,
      `${operationId}.others-kept`,
    ])
    .concat(pages);
  // Other identifiers may give the items of a list equal values, so that no order shows.
  const lists = [...operations.map(({ operationId }) => `${operationId}.parameter.*`), ...pages];
  const without = (name: string, sign: RegExp) => (sign.test(text) ? {} : { [name]: absent });
  const unless = (isShown: boolean, names: readonly string[]) =>
    isShown ? {} : Object.fromEntries(names.map((name) => [name, absent]));
  return {
    "other-refusal-shape": absent,
    "optional-fields-absent": { silences: responses },
    "some-optional-fields-absent": { silences: responses },
    // A text is not a number.
    "numeric-ids": absent,
    // Its lists have few items.
    "small-pages": absent,
    "short-ids": { silences: lists },
    "long-ids": { silences: lists },
    "uuid-ids": { silences: lists },
    ...unless(parametersOf(root).some(isPlainIdentifier), ["short-ids", "long-ids", "uuid-ids"]),
    ...without("times-with-fraction", /"date-time"/),
    ...without("times-with-offset", /"date-time"/),
    ...without("two-decimals", /"number"/),
  };
};

/** Returns the parameters of all operations, with the schemas that their references name. */
const parametersOf = (root: Json): Json[] =>
  Object.values(root.paths as Json)
    .flatMap((item) => Object.values(item as Json))
    .flatMap((operation) => ((operation as Json).parameters ?? []) as Json[])
    .map((one) => ({ ...one, schema: resolveRef(schemasOf(root), (one.schema ?? {}) as JsonSchema) }));

const isPlainIdentifier = (parameter: Json): boolean =>
  parameter["x-resource"] !== undefined && isPlainText(parameter.schema as JsonSchema);
