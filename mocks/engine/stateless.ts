/** Answers operations without a handler, from the schemas of their contract and from the service's other operations. */

import type { Operation, Parameter } from "../../helpers/contract/contract.ts";
import { pathUpTo, withoutNames } from "../../helpers/contract/names.ts";
import { type Answer, type Call, refusalFor } from "./call.ts";
import { namedIn, sentIn } from "./sent-values.ts";
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
  const successes = statuses.filter((one) => one >= 200 && one < 300);
  const status = Math.min(...(successes.length > 0 ? successes : statuses));
  const schema = responses[status]?.content["application/json"];
  if (schema === undefined) return { status };
  const key = `${operationId} ${JSON.stringify(call.path)}`;
  return {
    status,
    json: completerFor(contract)(schema, sentIn(call, schema), key, "optional", namedIn(call)),
  };
};

const refuseUnknown = (
  { mounted: { service, contract } }: Pick<ServiceInstance, "mounted">,
  { operation }: Call,
): Answer =>
  service.refuse(refusalFor("unknown-path", { message: "There is no such resource." }), {
    contract,
    operation,
  });

/** Calls the operation that reads the resource in the path. */
const readOf = async (
  { mounted, open }: Pick<ServiceInstance, "mounted" | "open">,
  call: Call,
  { in: place, name, resource }: Parameter,
): Promise<Answer | undefined> => {
  if (place !== "path" || resource === undefined) return undefined;
  const { operations } = mounted.contract;
  const reader =
    operations.find((one) => readsAt(one, call.operation.path, name)) ??
    operations.find((one) => reads(one, resource));
  const handler = reader && open.handlers[reader.operationId];
  if (reader !== undefined && handler !== undefined) {
    const values = pathParameters(call.operation).map((parameter) => call.path[parameter.name] ?? "");
    const own = reads(reader, resource) ? [call.path[name] ?? ""] : values;
    const path = pathParameters(reader).map((parameter, index) => [parameter.name, own[index] ?? ""]);
    return handler({
      ...call,
      operation: reader,
      path: Object.fromEntries(path),
      query: {},
      body: undefined,
    });
  }
  return open.gave?.(resource, call.path[name] ?? "") === false
    ? refuseUnknown({ mounted }, call)
    : undefined;
};

/** Whether the operation reads the resource at the start of the path that ends with the parameter. */
const readsAt = ({ method, path }: Operation, whole: string, parameter: string): boolean =>
  method === "GET" && withoutNames(path) === pathUpTo(whole, parameter);

const reads = (operation: Operation, resource: string): boolean => {
  const [first, ...others] = pathParameters(operation);
  return (
    operation.method === "GET" &&
    first?.resource === resource &&
    others.length === 0 &&
    operation.path.endsWith(`{${first.name}}`)
  );
};

/** Returns the path parameters in the order of the path. */
const pathParameters = ({ path, parameters }: Operation): Parameter[] =>
  parameters
    .filter(({ in: place }) => place === "path")
    .sort((one, other) => path.indexOf(`{${one.name}}`) - path.indexOf(`{${other.name}}`));
