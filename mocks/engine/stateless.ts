/** Answers operations without a handler, from the schemas of their contract and from the service's other operations. */
import type { Operation, Parameter } from "../../helpers/contract/contract.ts";
import type { Answer, Call } from "./service.ts";
import type { ServiceInstance } from "./tenant.ts";
import { completerFor } from "./values/complete.ts";

/** Returns the lowest documented success, or the refusal when the path names an unknown resource. */
export const statelessAnswer = async (instance: ServiceInstance, call: Call): Promise<Answer> => {
  const { contract } = instance.mounted;
  for (const parameter of call.operation.parameters) {
    const answer = await readOf(instance, call, parameter);
    if (answer?.status === 404) return answer;
  }
  const { operationId, responses } = call.operation;
  const statuses = Object.values(responses).map(({ status }) => status);
  const status = Math.min(...statuses.filter((one) => one >= 200 && one < 300));
  const schema = responses[status]?.content["application/json"];
  if (schema === undefined) return { status };
  return { status, json: completerFor(contract)(schema, {}, `${operationId} ${JSON.stringify(call.path)}`) };
};

/** Calls the operation that reads the resource in the path. */
const readOf = async (
  { mounted, open }: ServiceInstance,
  call: Call,
  { in: place, name, resource }: Parameter,
): Promise<Answer | undefined> => {
  if (place !== "path" || resource === undefined) return undefined;
  const reader = mounted.contract.operations.find((operation) => reads(operation, resource));
  const handler = reader && open.handlers[reader.operationId];
  if (reader === undefined || handler === undefined) return undefined;
  const [parameter] = pathParameters(reader);
  return handler({
    ...call,
    operation: reader,
    path: { [parameter?.name ?? name]: call.path[name] ?? "" },
    query: {},
    body: undefined,
  });
};

const reads = (operation: Operation, resource: string): boolean => {
  const [first, ...others] = pathParameters(operation);
  return (
    operation.method === "GET" &&
    first?.resource === resource &&
    others.length === 0 &&
    operation.path.endsWith(`{${first.name}}`)
  );
};

const pathParameters = ({ parameters }: Operation): Parameter[] =>
  parameters.filter(({ in: place }) => place === "path");
