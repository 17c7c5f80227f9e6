/** Reads an OpenAPI document (3.0 or 3.1) for the server: its operations with their parameters, bodies and answers. */
import { isObject, type Json, type Node, openFiles } from "./files.ts";
import { type Reading, translated } from "./translate.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  /** Whether the value is JSON text (`content` in place of `schema`). */
  readonly isJson: boolean;
  readonly schema: Json;
}

export interface Content {
  readonly schema: Json | undefined;
  /** Styles of the fields of a form, by field. */
  readonly encoding: Readonly<Record<string, Json>>;
}

export interface Answer {
  /** A status, a range such as `4XX`, or `default`. */
  readonly key: string;
  readonly content: Readonly<Record<string, Content>>;
  readonly headers: readonly Pick<Parameter, "name" | "required" | "schema">[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly content: Answer["content"] } | undefined;
  readonly answers: readonly Answer[];
  /** Any one of these is needed, with all its schemes. */
  readonly security: readonly (readonly Scheme[])[];
}

export interface Scheme {
  readonly name: string;
  readonly type: string;
  readonly scheme?: string;
  /** Where a key is, and its name there. */
  readonly place: string;
  readonly key: string;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];
/** Header parameters with these names are ignored (OpenAPI 3.0.3, 4.7.12.1). */
const IGNORED = ["accept", "content-type", "authorization"];
const STYLES: Readonly<Record<string, string>> = {
  path: "simple",
  header: "simple",
  query: "form",
  cookie: "form",
};

export const readOperations = (
  file: string,
  options: Pick<Reading, "isNullWide" | "dialects">,
): Operation[] => {
  const files = openFiles();
  const root = files.target({ file, value: { $ref: file } }).value as Json;
  const reading: Reading = { files, is30: String(root.openapi).startsWith("3.0"), ...options };
  const at = (value: unknown, from: Node): Node => files.target({ file: from.file, value });
  const entries = (node: Node, key: string): [string, Node][] =>
    Object.entries((isObject(node.value) ? (node.value[key] ?? {}) : {}) as Json).map(([name, value]) => [
      name,
      at(value, node),
    ]);
  const schemaOf = (direction: "sent" | "answered", value: unknown, { file: from }: Node): Json =>
    value === undefined ? {} : translated(reading, direction, { file: from, value });
  const contentOf = (node: Node, direction: "sent" | "answered"): Answer["content"] =>
    Object.fromEntries(
      entries(node, "content").map(([type, media]) => {
        const { schema, encoding = {} } = media.value as Json;
        const read = schema === undefined ? undefined : schemaOf(direction, schema, media);
        return [type, { schema: read, encoding: encoding as Content["encoding"] }];
      }),
    );
  const parametersOf = (node: Node): Parameter[] =>
    ((((node.value as Json).parameters ?? []) as unknown[]).map((one) => at(one, node)) as Node[]).flatMap(
      (one) => {
        const raw = one.value as Json & { readonly name: string; readonly in: Parameter["in"] };
        if (raw.in === "header" && IGNORED.includes(raw.name.toLowerCase())) return [];
        const style = String(raw.style ?? STYLES[raw.in]);
        const [media] = Object.values((raw.content ?? {}) as Record<string, Json>);
        return [
          {
            name: raw.name,
            in: raw.in,
            required: raw.required === true,
            style,
            explode: typeof raw.explode === "boolean" ? raw.explode : style === "form",
            isJson: media !== undefined,
            schema: schemaOf("sent", media === undefined ? raw.schema : media.schema, one),
          },
        ];
      },
    );
  const schemes = new Map(
    entries({ file, value: root.components ?? {} }, "securitySchemes").map(([name, { value }]) => {
      const { type, scheme, in: place, name: key } = value as Readonly<Record<string, string>>;
      const isKey = type === "apiKey";
      return [
        name,
        {
          name,
          type: String(type),
          ...(scheme !== undefined && { scheme: scheme.toLowerCase() }),
          place: isKey ? String(place) : "header",
          key: isKey ? String(key) : "authorization",
        },
      ] as const;
    }),
  );
  const securityOf = (own: unknown): Operation["security"] =>
    ((own ?? root.security ?? []) as Json[]).map((one) =>
      Object.keys(one).map((name) => schemes.get(name) as Scheme),
    );
  return entries({ file, value: root }, "paths").flatMap(([path, item]) =>
    METHODS.flatMap((method): Operation[] => {
      const raw = (item.value as Json)[method];
      if (!isObject(raw)) return [];
      const node: Node = { file: item.file, value: raw };
      const own = parametersOf(node);
      const shared = parametersOf(item).filter(
        (one) => !own.some(({ name, in: place }) => name === one.name && place === one.in),
      );
      const body = raw.requestBody === undefined ? undefined : at(raw.requestBody, node);
      return [
        {
          id: String(raw.operationId ?? `${method} ${path}`),
          method: method.toUpperCase(),
          path,
          parameters: [...shared, ...own],
          body: body && {
            required: (body.value as Json).required === true,
            content: contentOf(body, "sent"),
          },
          answers: entries(node, "responses").map(([key, answer]) => ({
            key: key.toUpperCase(),
            content: contentOf(answer, "answered"),
            headers: entries(answer, "headers")
              .filter(([name]) => name.toLowerCase() !== "content-type")
              .map(([name, header]) => ({
                name,
                required: (header.value as Json).required === true,
                schema: schemaOf("answered", (header.value as Json).schema, header),
              })),
          })),
          security: securityOf(raw.security),
        },
      ];
    }),
  );
};

/** Returns the answer with a status: its own, the one of its range, or the default one. */
export const answerWith = ({ answers }: Operation, status: number): Answer | undefined =>
  [String(status), `${String(status)[0]}XX`, "DEFAULT"].flatMap((key) =>
    answers.filter((one) => one.key === key),
  )[0];
