/** The OpenAPI document of everything that the sandbox mocks. */
import type { Contract, JsonSchema, Operation, Response } from "../../../helpers/contract/contract.ts";
import { rewritten } from "../../../helpers/contract/json.ts";
import { mountOf } from "../tenant.ts";
import type { Fields } from "../values/fields.ts";

export const mockedDocument = (contracts: readonly Contract[], origin: string): Fields => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of contracts) {
    for (const operation of contract.operations) {
      const path = `${mountOf(contract)}${operation.path}`;
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(contract, operation) };
    }
  }
  const schemas = contracts.flatMap((contract) =>
    Object.entries(contract.schemas).map(([name, schema]) => [
      componentOf(contract, name),
      located(contract, schema),
    ]),
  );
  const schemes = contracts.flatMap(({ service, securitySchemes }) =>
    securitySchemes.map(({ name, header }) => [
      `${service}.${name}`,
      { type: "apiKey", in: "header", name: header },
    ]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "The mocked operations",
      version: contracts.map(({ version }) => version).join(", "),
      description: contracts.map(({ service, version }) => `${service} ${version}`).join(", "),
    },
    servers: [{ url: origin }],
    paths,
    components: { schemas: Object.fromEntries(schemas), securitySchemes: Object.fromEntries(schemes) },
  };
};

const operationOf = (contract: Contract, operation: Operation): Fields => {
  const { operationId, parameters, requestBody, responses, security } = operation;
  const { service, securitySchemes } = contract;
  const demanded = securitySchemes.filter(({ name }) => security.includes(name));
  return {
    operationId,
    tags: [service],
    parameters: parameters.map(({ name, in: place, required, schema }) => ({
      name,
      in: place,
      required: place === "path" || required,
      schema: located(contract, schema),
    })),
    ...(requestBody && {
      requestBody: { required: requestBody.required, content: contentOf(contract, requestBody) },
    }),
    responses: Object.fromEntries(
      Object.values(responses).map((response) => [
        String(response.status),
        { description: `The answer with ${response.status}.`, content: contentOf(contract, response) },
      ]),
    ),
    security: [Object.fromEntries(demanded.map(({ name }) => [`${service}.${name}`, []]))],
  };
};

const contentOf = (
  contract: Contract,
  { content, jsonType }: Pick<Response, "content" | "jsonType">,
): Fields =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type === "application/json" ? (jsonType ?? type) : type,
      { schema: located(contract, schema) },
    ]),
  );

/** Components of several services can have the same name. */
const componentOf = ({ service }: Contract, name: string): string => `${service}.${name}`;

const COMPONENT = "#/components/schemas/";

const located = (contract: Contract, schema: JsonSchema): unknown =>
  rewritten(schema, (node) =>
    typeof node.$ref === "string" && node.$ref.startsWith(COMPONENT)
      ? { ...node, $ref: `${COMPONENT}${componentOf(contract, node.$ref.slice(COMPONENT.length))}` }
      : node,
  );
