/** Two versions of a small financial data document. The second version breaks each of its three operations. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporary } from "./command.ts";

const json = (schema: object) => ({ "application/json": { schema } });
const answers = (status: number, schema: object) => ({
  responses: { [status]: { description: "ok", content: json(schema) } },
});
const made = {
  type: "object",
  required: ["configurationId"],
  properties: { configurationId: { type: "string" } },
};

interface Differences {
  readonly required: readonly string[];
  readonly found: "integer" | "string";
  readonly isCustomerServed: boolean;
}

const documentOf = (version: string, { required, found, isCustomerServed }: Differences) => {
  const text = { type: "string" };
  // A recording rounds it, and so shows a smaller number.
  const taxId = { type: "integer", minimum: 11_111_111 };
  const configuration = { type: "object", required, properties: { name: text, tier: text, taxId } };
  const customer = {
    operationId: "GetCustomer",
    parameters: [{ name: "customerId", in: "path", required: true, schema: text }],
    ...answers(200, { type: "object" }),
  };
  return {
    openapi: "3.0.3",
    info: { title: "Small", version },
    paths: {
      "/connect-components/configurations": {
        post: {
          operationId: "post-configurations",
          requestBody: { required: true, content: json(configuration) },
          ...answers(201, made),
        },
      },
      "/institution/v2/institutions": {
        get: {
          operationId: "GetInstitutions",
          "x-sunset": "Sat, 30 Jan 2021 23:59:59 GMT",
          ...answers(200, { type: "object", properties: { found: { type: found } } }),
        },
      },
      ...(isCustomerServed && { "/aggregation/v1/customers/{customerId}": { get: customer } }),
    },
  };
};

/** Writes both versions to a folder of the running test and returns their paths. */
export const upgradedDocuments = async (): Promise<{ readonly base: string; readonly revision: string }> => {
  const folder = await temporary();
  const [base, revision] = [join(folder, "old.json"), join(folder, "new.json")];
  const before = documentOf("1", { required: ["name"], found: "integer", isCustomerServed: true });
  const after = documentOf("2", { required: ["name", "tier"], found: "string", isCustomerServed: false });
  await writeFile(base, JSON.stringify(before));
  await writeFile(revision, JSON.stringify(after));
  return { base, revision };
};
