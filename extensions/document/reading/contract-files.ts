/** The files of a service's contract, made from an OpenAPI document. */
import { stringify } from "yaml";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { type Converted, UNLISTED } from "./converted.ts";
import { METHODS } from "./resources.ts";

/** Returns the texts of the files, by name in the folder of the contract. @param write writes YAML, which JSON is too */
export const contractFiles = (service: string, made: Converted, write = yaml): Record<string, string> => ({
  "openapi.yaml": write(made.root),
  "requirements.yaml": write({ requirements: requirementsOf(service, made) }),
  "gaps.yaml": write({ gaps: [] }),
  ...(made.relations.length > 0 && {
    "relations.yaml": write({ relations: made.relations.map(({ statement: _, ...row }) => row) }),
  }),
  "service.yaml": write(descriptorOf(service, made)),
});

const yaml = (value: unknown): string => stringify(value, { aliasDuplicateObjects: false });

export const titleOf = (service: string): string => service.replaceAll("-", " ");

/** OpenAPI does not state what a call without credentials gets; HTTP does (RFC 9110, 15.5.2). */
const requirementsOf = (service: string, { root, operations, relations }: Converted) => [
  ...operations
    .filter(({ unauthenticated }) => unauthenticated.length > 0)
    .flatMap(({ operationId, unauthenticated }) =>
      Object.entries({
        unauthenticated: `${operationId} refuses a call without credentials with ${unauthenticated.join(" or ")}.`,
        "wrong-credentials": `${operationId} refuses a call with wrong credentials.`,
      }).map(([suffix, statement]) => ({
        id: `${service}.${operationId}.${suffix}`,
        statement,
        section: "Security",
        operations: [operationId],
        kind: "auth",
        subject: "service",
        observable: "from-outside",
      })),
    ),
  ...pathsWithoutGet(root).map(([path, operationId, methods]) => ({
    id: `${service}.${operationId}.${UNLISTED}`,
    level: "assumed",
    statement: `A GET at ${path}, which lists only ${methods}, is refused with 405 and the header Allow.`,
    section: "Methods",
    operations: [operationId],
    kind: "behaviour",
    subject: "service",
    observable: "from-outside",
  })),
  ...relations.map(({ requirement, statement, operations: named }) => ({
    id: `${service}.${requirement}`,
    level: "assumed",
    statement,
    section: "Relations",
    operations: named,
    kind: "behaviour",
    subject: "service",
    observable: "needs-setup",
    setup: "a call that the service accepts",
  })),
];

/** Returns each path that lists no GET, with its first operation and all its methods. */
const pathsWithoutGet = ({ paths }: Json) =>
  Object.entries(paths as Record<string, Json>).flatMap(([path, item]) => {
    const methods = METHODS.filter((method) => isObject(item[method]));
    const [first] = methods;
    if (first === undefined || methods.includes("get")) return [];
    const { operationId } = item[first] as Json;
    return [[path, String(operationId), methods.join(", ").toUpperCase()] as const];
  });

const descriptorOf = (service: string, { settings }: Converted) => ({
  title: titleOf(service),
  order: 100,
  settings: Object.fromEntries(
    settings.map(({ name, meaning, resource, example, isCreated, field, account, key }) => [
      name,
      {
        ...{ meaning, resource, example },
        ...((key !== undefined || field !== undefined) && { secret: true }),
        ...(key !== undefined && { header: true }),
        ...(isCreated && { kept: true }),
        ...(account && { account }),
      },
    ]),
  ),
});
