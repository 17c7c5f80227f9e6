/** Faults and permitted differences under the provider's document: they follow its names, and break none of its promises. */
import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Contract, JsonSchema, Operation, Parameter } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { readProviderDocument } from "../../../helpers/contract/provider/provider-document.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { completerOf } from "../../../mocks/engine/values/complete.ts";
import type { Call } from "../../../mocks/financial-data/calls.ts";
import { asUnderstood } from "../../../mocks/financial-data/differing.ts";

const own = (): Promise<Contract> => loadContract("financial-data");
const PROVIDER = { file: "made-up.yaml", version: "1", digest: "" };

const OWNERS = "GetAccountOwnerDetails";

/** Returns the contract with other parameters of one operation. */
const withParameters = (contract: Contract, change: (parameter: Parameter) => Parameter): Contract => ({
  ...contract,
  operations: contract.operations.map(
    (operation): Operation =>
      operation.operationId === OWNERS
        ? { ...operation, parameters: operation.parameters.map(change) }
        : operation,
  ),
});

test("a fault changes a parameter at the place that the document gives it", async () => {
  const contract = withParameters(await own(), (parameter) =>
    parameter.name === "metadata" ? { ...parameter, name: "Meta-Data", in: "header" } : parameter,
  );
  const faults = faultsIn(await listDeviations([contract]));
  const refused = faults.find(({ id }) => id === `financial-data.${OWNERS}.metadata-query.refused`);
  expect(refused?.effects).toEqual([
    { kind: "request", of: `${OWNERS}?header`, pointer: "/meta-data", edit: { forbid: true } },
  ]);
});

test("a server need not enforce the form of an identifier that only the provider's document limits", async () => {
  const contract = await own();
  const id = "financial-data.GetReportById.request.shape.format-not-enforced";
  const idsOf = async (one: Contract) => faultsIn(await listDeviations([one])).map((fault) => fault.id);
  expect(await idsOf(contract)).toContain(id);
  expect(await idsOf({ ...contract, provider: PROVIDER })).not.toContain(id);
});

test("a parameter is ignored only if the provider's document does not name it", async () => {
  const understood = (level: Parameter["level"]) =>
    asUnderstood({
      query: { includePending: "true", start: "1" },
      operation: { parameters: [{ name: "includePending", in: "query", level }] },
      differs: (name: string) => name === "parameters-named-otherwise",
    } as unknown as Call).query;
  expect(understood("assumed")).toEqual({ start: "1" });
  expect(understood("provider")).toEqual({ includePending: "true", start: "1" });
});

test("a schema is read with its description and its examples", () => {
  const file = test.info().outputPath("document.json");
  const text = "An error code (can be returned as a number or a string).";
  const listed = 'One of:\n\n* "Pending" : on its way\n* "Completed": arrived\n* "Verified": checked';
  const properties = {
    code: { type: "object", description: text, example: "10001" },
    details: { type: "object", description: text, example: { number: 1 } },
    unsaid: { type: "object", example: "10001" },
    status: { type: "string", description: listed, example: "Pending" },
    other: { type: "string", description: listed, example: "initiated" },
  };
  const media = {
    schema: { $ref: "#/components/schemas/All" },
    examples: { whole: { $ref: "#/components/examples/Whole" } },
  };
  const whole = { other: "of-a-whole-body" };
  writeFileSync(
    file,
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      paths: { "/all": { put: { requestBody: { content: { "application/json": media } } } } },
      components: { schemas: { All: { type: "object", properties } }, examples: { Whole: { value: whole } } },
    }),
  );
  const { root } = readProviderDocument(file).document;
  const { All = {} } = (root.components as { readonly schemas: Record<string, JsonSchema> }).schemas;
  const { other } = All.properties as typeof properties;
  expect(other).toMatchObject({ "x-shown": ["of-a-whole-body", "initiated"] });
  const complete = completerOf({}, 1, 0);
  const known = { code: 10_022, details: 1, unsaid: 1, status: "initiated", other: "initiated" };
  expect(complete(All, known, "key")).toEqual({
    ...{ code: 10_022, details: { value: 1 }, unsaid: { value: 1 }, status: "Pending", other: "initiated" },
  });
  const error = { ...All, required: ["code"] };
  expect(complete({ type: "object", properties: { error } }, {}, "key")).toEqual({});
  expect(complete(All, { status: "verified" }, "key")).toMatchObject({
    code: "10001",
    status: "Verified",
  });
});
