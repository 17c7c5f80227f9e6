/** Writes the folders of a service: its contract, its sandbox and its trials. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonSchema } from "../../helpers/contract/contract.ts";
import type { Json } from "../../helpers/contract/json.ts";
import { resolveRef } from "../../helpers/contract/rule-walk.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import { isPlainText } from "../../mocks/engine/by-convention.ts";
import type { GeneralTreatments } from "../../mocks/engine/deviations/general.ts";
import { contractFiles, titleOf } from "../document/contract-files.ts";
import { schemasOf } from "../document/convert.ts";
import type { Converted } from "../document/converted.ts";

/**
 * @param root the checkout
 * @returns the paths of the files, relative to the checkout
 * @throws ConfigurationError when one of the folders exists
 */
export const writeFolders = (root: string, service: string, converted: Converted): string[] => {
  const taken = ["schemas", "mocks", "tests"].map((folder) => join(folder, service));
  const existing = taken.find((folder) => existsSync(join(root, folder)));
  if (existing !== undefined)
    throw new ConfigurationError(`${existing} exists. Choose another name, or remove it.`);
  const files = filesOf(service, converted);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return Object.keys(files);
};

const filesOf = (service: string, converted: Converted): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(contractFiles(service, converted)).map(([name, text]) => [
      `schemas/${service}/${name}`,
      text,
    ]),
  ),
  [`mocks/${service}/service.ts`]: `/** The sandbox of ${titleOf(service)}. Add handlers where the conventions of paths do not describe its behaviour. */
import { serviceByConvention } from "../engine/by-convention.ts";
import type { GeneralTreatments } from "../engine/deviations/general-differences.ts";

/** What its answers can differ in where the document leaves that open. */
const GENERAL: GeneralTreatments = ${JSON.stringify(treatmentsOf(converted), null, 2).replaceAll(/"(permitted|silences)"/g, "$1")};

export const service = serviceByConvention("${service}", { generalDifferences: GENERAL });
`,
  [`tests/${service}/trials.ts`]: `/** All trials of ${titleOf(service)}. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { documentPolicy } from "../../helpers/trials/from-contract/document-policy.ts";
import { generatedTrials } from "../../helpers/trials/from-contract/generated.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

export const trials = (contract: Contract): Trial[] =>
  generatedTrials(contract, documentPolicy("${service}"));
`,
  [`tests/${service}/${service}.spec.ts`]: `import { declareTests, plannedContract } from "../../fixtures/engine/tests.ts";
import { trials } from "./trials.ts";

const contract = await plannedContract("${service}");

declareTests(contract, trials(contract));
`,
});

/** Leaves out differences that no answer can show, and names the requirements that others keep from being shown. */
const treatmentsOf = ({ root, operations }: Converted): GeneralTreatments => {
  const text = JSON.stringify(root);
  const absent = { permitted: false } as const;
  const responses = operations.map(({ operationId }) => `${operationId}.response.*`);
  const without = (name: string, sign: RegExp) => (sign.test(text) ? {} : { [name]: absent });
  const unless = (isShown: boolean, names: readonly string[]) =>
    isShown ? {} : Object.fromEntries(names.map((name) => [name, absent]));
  return {
    "other-refusal-shape": absent,
    "optional-fields-absent": { silences: responses },
    "some-optional-fields-absent": { silences: responses },
    // A text is not a number.
    "numeric-ids": absent,
    // Its lists have no pages.
    "small-pages": absent,
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
