/** OpenAPI paths -> operations. */
import type {
  Hazard,
  HttpMethod,
  JsonSchema,
  Level,
  MediaTypes,
  Operation,
  Parameter,
  RequestBody,
  Response,
  SecurityScheme,
  Service,
} from "./contract.ts";
import { atPointer, errorAt, type Json, type OpenApiDocument } from "./document.ts";

const METHODS = ["get", "post", "put", "delete", "patch", "head", "options"] as const;

/** @throws ContractError naming file, line and pointer of what is missing or leads nowhere */
export const operationsOf = (document: OpenApiDocument, service: Service): Operation[] => {
  const paths = document.root.paths;
  if (typeof paths !== "object" || paths === null) {
    throw errorAt(
      document.main,
      "/paths",
      "`paths` is missing",
      "An OpenAPI document lists its operations there.",
    );
  }
  return Object.entries(paths as Json).flatMap(([path, item]) =>
    METHODS.filter((method) => method in (item as Json)).map((method) =>
      operation(document, service, path, method, item as Json),
    ),
  );
};

export const securitySchemesOf = (document: OpenApiDocument): SecurityScheme[] => {
  const schemes = (atPointer(document.root, "/components/securitySchemes") ?? {}) as Record<string, Json>;
  return Object.entries(schemes)
    .filter(([, scheme]) => scheme.type === "apiKey" && scheme.in === "header")
    .map(([name, scheme]) => ({
      name,
      header: String(scheme.name),
      ...(typeof scheme["x-configuration"] === "string" && { configuration: scheme["x-configuration"] }),
    }));
};

const operation = (
  document: OpenApiDocument,
  service: Service,
  path: string,
  method: string,
  item: Json,
): Operation => {
  const node = item[method] as Json;
  const pointer = `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`;
  const level = (node["x-level"] ?? "documented") as Level;
  const deref = (value: unknown, at: string) => dereference(document, value, `${pointer}/${at}`);
  const parameters = [...((item.parameters ?? []) as unknown[]), ...((node.parameters ?? []) as unknown[])];
  const body = node.requestBody === undefined ? undefined : deref(node.requestBody, "requestBody");
  const responses = Object.entries((node.responses ?? {}) as Json).filter(([status]) =>
    /^\d{3}$/.test(status),
  );
  if (responses.length === 0) {
    throw errorAt(
      document.main,
      pointer,
      "no response status is listed",
      "List at least one under `responses`.",
    );
  }
  return {
    operationId: String(node.operationId ?? `${method.toUpperCase()} ${path}`),
    service,
    method: method.toUpperCase() as HttpMethod,
    path,
    section: String(node["x-section"] ?? path),
    level,
    deprecated: node.deprecated === true,
    parameters: parameters.map((value, index) => parameter(deref(value, `parameters/${index}`), level)),
    ...(body && { requestBody: requestBody(body, level, service) }),
    responses: Object.fromEntries(
      responses.map(([status, value]) => [
        status,
        response(deref(value, `responses/${status}`), status, level, service),
      ]),
    ),
    security: securityOf(document, node),
    hazards: (node["x-hazards"] ?? []) as Hazard[],
  };
};

const dereference = (document: OpenApiDocument, value: unknown, pointer: string): Json => {
  const node = value as Json;
  if (typeof node.$ref !== "string") return node;
  const target = atPointer(document.root, node.$ref.slice(1));
  if (target === undefined) {
    throw errorAt(
      document.main,
      pointer,
      `$ref "${node.$ref}" leads nowhere`,
      "Mend it or add what it names.",
    );
  }
  const { $ref: _, ...siblings } = node;
  return { ...dereference(document, target, pointer), ...siblings };
};

const parameter = (node: Json, inherited: Level): Parameter => ({
  name: String(node.name),
  in: node.in as Parameter["in"],
  required: node.required === true || node.in === "path",
  schema: (node.schema ?? {}) as JsonSchema,
  level: (node["x-level"] ?? inherited) as Level,
  ...(typeof node["x-resource"] === "string" && { resource: node["x-resource"] }),
});

const requestBody = (node: Json, inherited: Level, service: Service): RequestBody => ({
  required: node.required === true,
  content: mediaTypes(node),
  level: (node["x-level"] ?? inherited) as Level,
  ...requirementOf(node, "required", service),
});

const response = (node: Json, status: string, inherited: Level, service: Service): Response => ({
  status: Number(status),
  description: String(node.description ?? ""),
  content: mediaTypes(node),
  level: (node["x-level"] ?? inherited) as Level,
  ...requirementOf(node, "body", service),
});

const requirementOf = (node: Json, key: string, service: Service): { requirement?: string } => {
  const id = (node["x-requirements"] as Json | undefined)?.[key];
  return typeof id === "string" ? { requirement: `${service}.${id}` } : {};
};

const mediaTypes = (node: Json): MediaTypes =>
  Object.fromEntries(
    Object.entries((node.content ?? {}) as Record<string, Json>).map(([type, { schema }]) => [
      type,
      (schema ?? {}) as JsonSchema,
    ]),
  );

const securityOf = (document: OpenApiDocument, node: Json): string[] => {
  const alternatives = (node.security ?? document.root.security ?? []) as Json[];
  return [...new Set(alternatives.flatMap((requirement) => Object.keys(requirement)))];
};
