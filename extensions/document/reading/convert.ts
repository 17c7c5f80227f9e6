/** Turns any OpenAPI document (3.0 or 3.1) into the contract of a service: adds what the suite needs and OpenAPI lacks. */
import { basename } from "node:path";
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { readProviderDocument } from "../../../helpers/contract/provider/provider-document.ts";
import { settingPrefix } from "../../../helpers/contract/services.ts";
import { type Causes, listedStatuses, type Statuses, successIn } from "../../../helpers/contract/statuses.ts";
import { type Converted, type Key, ruleIds } from "./converted.ts";
import { chosenBy, creationIn, isAction } from "./creations.ts";
import { addLinkedFinds, linkedCreation } from "./links.ts";
import { readIn } from "./lists.ts";
import { addNamedFields } from "./named-fields.ts";
import { aliasesOf, idOf, namesIn, plainName, plainPath } from "./names.ts";
import { periodOf, withPeriods } from "./periods.ts";
import { relationsIn } from "./relations.ts";
import { alikeIn, isChosen, isWritable, METHODS, resourcesOf } from "./resources.ts";

/**
 * @param folder contains all files that are read: the folder of the document unless another one is given
 * @throws ContractError naming file, line and pointer of what is wrong in the document
 */
export const convert = (service: string, path: string, folder?: string): Converted => {
  const { document, version, digest } = readProviderDocument(path, folder);
  const { root } = document;
  const converter = new Converter(service, structuredClone(root));
  return { ...converter.convert(basename(path), version), version, digest };
};

/** A header parameter of such a name is ignored (OpenAPI 3.1, 4.8.12.2.1). */
const isReserved = (parameter: Json): boolean =>
  parameter.in === "header" && /^(accept|content-type|authorization)$/i.test(String(parameter.name));

const placeOf = ({ in: place, name }: Json): string =>
  place === "header" ? String(name).toLowerCase() : `${place} ${name}`;

/** Returns how a parameter states a list or an object if a document does not say it (OpenAPI 3.1, 4.8.12.2.1). */
const defaultFormOf = ({ in: place, style, content }: Json): Json => {
  if (content !== undefined) return {};
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  return { style: usual, explode: (style ?? usual) === "form" };
};

export const settingName = (service: string, name: string): string =>
  `${settingPrefix(service)}${name.toUpperCase().replaceAll(/\W+/g, "_")}`;

/** Returns the component schemas of a document. */
export const schemasOf = ({ components }: Json) =>
  ((isObject(components) && components.schemas) || {}) as Readonly<Record<string, JsonSchema>>;

class Converter {
  readonly #service: string;
  readonly #root: Json;
  readonly #operations: { operationId: string; unauthenticated: readonly number[] }[] = [];
  /** The resources of paths, each with the names of its parameters, and an example of its identifier if there is one. */
  readonly #resources = new Map<string, { readonly parameters: Set<string>; example?: unknown }>();
  readonly #produced = new Set<string>();
  /** The paths of which only the names of parameters are different. */
  readonly #alike: ReadonlySet<string>;

  constructor(service: string, root: Json) {
    this.#service = service;
    this.#root = root;
    const paths = Object.entries((root.paths ?? {}) as Json).map(([path, item]) => [plainPath(path), item]);
    this.#alike = alikeIn(Object.fromEntries(paths));
  }

  convert(file: string, version: string): Omit<Converted, "version" | "digest"> {
    const [root, schemes, given] = [this.#root, this.#schemes(), this.#given()];
    root.openapi = "3.1.0";
    root.info = { ...(root.info as Json), version };
    root["x-document"] = file;
    root["x-level"] = "documented";
    root["x-operation-requirements"] = true;
    root["x-answers"] = true;
    root["x-rule-ids"] = ruleIds();
    const components = (root.components ?? {}) as Json;
    root.components = { ...components, securitySchemes: Object.fromEntries(schemes) };
    const paths = (root.paths ?? {}) as Json;
    root.paths = Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [plainPath(path), this.#path(plainPath(path), item)]),
    );
    for (const name of ["webhooks", "security"]) delete root[name];
    this.#addPlaces();
    this.#addPeriods();
    addNamedFields(schemasOf(root), root.paths as Record<string, Json>);
    const keys = schemes.map(([scheme, { "x-configuration": setting, in: place, name }]) => ({
      name: String(setting),
      meaning: `value of the ${place === "query" ? "parameter" : place} ${name} (${scheme})`,
      key: { scheme, in: place as Key["in"], name: String(name) },
    }));
    const ids = [...this.#resources].map(([name, { parameters, example }]) => ({
      name: this.#setting(name),
      meaning: `identifier of the resource ${name} that the service knows`,
      resource: name,
      parameters: [...parameters],
      ...(example !== undefined && { example: String(example) }),
      isCreated: this.#produced.has(name),
    }));
    return {
      ...{ root, operations: this.#operations, settings: [...keys, ...ids], schemes: given },
      relations: relationsIn(schemasOf(root), root.paths as Record<string, Json>),
    };
  }

  #setting(name: string): string {
    return settingName(this.#service, name);
  }

  /** Returns the security schemes of the document. */
  #given(): Record<string, Json> {
    const all = (atPointer(this.#root, "/components/securitySchemes") ?? {}) as Json;
    return Object.fromEntries(Object.entries(all).map(([name, scheme]) => [name, this.#resolved(scheme)]));
  }

  /** Returns all credentials as keys, whose values are settings. A client certificate does not belong to a request. */
  #schemes(): [string, Json][] {
    return Object.entries(this.#given()).flatMap(([id, scheme]): [string, Json][] => {
      if (scheme.type === "mutualTLS") return [];
      const place =
        scheme.type === "apiKey"
          ? { in: scheme.in, name: scheme.name }
          : { in: "header", name: "Authorization" };
      return [[id, { type: "apiKey", ...place, "x-configuration": this.#setting(id) }]];
    });
  }

  #path(path: string, raw: unknown): unknown {
    if (!isObject(raw)) return raw;
    const item =
      typeof raw.$ref === "string" ? { ...(atPointer(this.#root, raw.$ref.slice(1)) as Json) } : { ...raw };
    const shared = ((item.parameters ?? []) as unknown[]).map((one) => this.#parameter(path, one));
    delete item.parameters;
    for (const method of METHODS) {
      if (isObject(item[method])) item[method] = this.#operation(path, method, item[method] as Json, shared);
    }
    delete item.trace;
    return item;
  }

  #parameter(path: string, raw: unknown): Json {
    const parameter = this.#resolved(raw);
    const formed: Json = { ...defaultFormOf(parameter), ...parameter, ...periodOf(parameter) };
    if (parameter.in !== "path") return formed;
    formed.name = plainName(String(parameter.name));
    const resource = resourcesOf(path, this.#alike).find((one) => one.parameter === formed.name);
    if (resource === undefined || isChosen(schemasOf(this.#root), parameter.schema)) return formed;
    const known = getOrInsert(this.#resources, resource.name, () => ({ parameters: new Set<string>() }));
    known.parameters.add(String(parameter.name));
    known.example ??= parameter["x-example"];
    return { ...formed, "x-resource": resource.name };
  }

  #resolved(raw: unknown): Json {
    const node = raw as Json;
    return typeof node.$ref === "string"
      ? this.#resolved(atPointer(this.#root, node.$ref.slice(1)))
      : { ...node };
  }

  #operation(path: string, method: string, node: Json, shared: readonly Json[]): Json {
    const operationId = this.#idOf(node, method, path);
    const own = ((node.parameters ?? []) as unknown[]).map((one) => this.#parameter(path, one));
    const given = [...shared, ...own];
    const ofPath = namesIn(path).map(
      (name) =>
        given.findLast((one) => one.in === "path" && one.name === name) ??
        this.#parameter(path, { ...IDENTIFIER, name }),
    );
    const alternatives = this.#security(node);
    const security = [...new Set(alternatives.flatMap((one) => Object.keys(one)))];
    // A value of the schema would replace the key.
    const keys = this.#schemes().flatMap(([name, key]) => (security.includes(name) ? placeOf(key) : []));
    const declared = [...ofPath, ...given].filter((one) => !isReserved(one) && !keys.includes(placeOf(one)));
    const places = new Map(declared.map((one) => [`${one.in} ${one.name}`, one]));
    const unauthenticated = security.length > 0 ? refusedWithout(node) : [];
    this.#operations.push({ operationId, unauthenticated });
    const others = [...places.values()].filter((one) => one.in !== "path");
    const { responses, classes } = this.#responses(node, {
      unauthenticated,
      isChecked: places.size > 0 || node.requestBody !== undefined,
      mayBeInvalid: others.length > 0 || node.requestBody !== undefined,
      mayBeUnknown: places.size > others.length,
    });
    return {
      ...node,
      operationId,
      "x-level": "documented",
      "x-aliases": aliasesOf(node),
      "x-section": path.split("/").find((part) => part !== "" && !part.startsWith("{")) ?? "/",
      parameters: [...places.values()],
      ...(isObject(node.requestBody) && { requestBody: this.#body(node.requestBody) }),
      security: security.length === 0 ? [] : [Object.fromEntries(security.map((name) => [name, []]))],
      ...(alternatives.length > 1 && {
        "x-security-alternatives": alternatives.map((one) => Object.keys(one)),
      }),
      ...(unauthenticated.length > 1 && { "x-unauthenticated": unauthenticated }),
      responses,
      ...(Object.keys(classes).length > 0 && { "x-status-classes": classes }),
      ...this.#state(path, method, { ...node, responses }),
    };
  }

  #body(raw: Json): Json {
    const body = this.#resolved(raw);
    const content = Object.entries((body.content ?? {}) as Record<string, Json>);
    const dated = content.map(([type, media]) => [type, { ...media, schema: withPeriods(media.schema) }]);
    return { ...body, content: Object.fromEntries(dated) };
  }

  /** Returns an id that no other operation has. */
  #idOf(node: Json, method: string, path: string): string {
    const isKnown = (id: string) => this.#operations.some(({ operationId }) => operationId === id);
    const named = idOf(node, method, path);
    const id = isKnown(named) ? idOf({}, method, path) : named;
    return isKnown(id) ? `${id}${this.#operations.length + 1}` : id;
  }

  /** Returns the alternatives whose credentials the suite can send, or an empty list if a call needs no credentials. */
  #security(node: Json): Json[] {
    const known = new Set(this.#schemes().map(([name]) => name));
    const alternatives = (node.security ?? this.#root.security ?? []) as Json[];
    if (alternatives.some((one) => Object.keys(one).length === 0)) return [];
    return alternatives.filter((one) => Object.keys(one).every((name) => known.has(name)));
  }

  /**
   * Lists the statuses that the document names, one for each class such as `4XX` and for `default`, and the refusals that a
   * server cannot do without.
   */
  #responses(node: Json, causes: Causes): Statuses {
    const resolved = Object.entries((node.responses ?? {}) as Json).map(
      ([status, response]) => [status.toUpperCase(), this.#resolved(response)] as const,
    );
    return listedStatuses(new Map(resolved), causes);
  }

  /** Describes what the operation does with resources: `hazards.ts` judges each call. */
  #state(path: string, method: string, node: Json): Json {
    const last = resourcesOf(path, this.#alike).at(-1);
    if (method === "delete")
      return {
        "x-hazards": ["destructive", "changes"],
        ...(last?.path === path && { "x-removes": { [last.name]: last.name } }),
      };
    if (method === "put" || method === "patch") return { "x-hazards": ["changes"] };
    if (method !== "post") return {};
    if (isAction(schemasOf(this.#root), node)) return { "x-hazards": ["destructive"] };
    return last === undefined ? {} : { "x-hazards": ["changes"] };
  }

  /** Describes what calls create, and which identifiers and lists the answers of reads show. */
  #addPlaces(): void {
    const schemas = schemasOf(this.#root);
    const paths = (this.#root.paths ?? {}) as Record<string, Json>;
    const every = Object.keys(paths).map((path) => resourcesOf(path, this.#alike));
    const all = every.map((one) => one.filter(({ name }) => this.#resources.has(name)));
    for (const [path, { get, post, put }] of Object.entries(paths)) {
      const known = { all, paths };
      const made = isObject(post)
        ? linkedCreation(this.#root, post, creationIn(schemas, path, post, { ...known, every }))
        : undefined;
      if (isObject(post) && made !== undefined) {
        post["x-produces"] = made;
        // Only the user can give what the suite cannot create.
        if (!isObject(post.requestBody) || isWritable(schemas, post.requestBody))
          this.#produced.add(made.resource);
      }
      const chosen = isObject(put) ? chosenBy(path, put, resourcesOf(path, this.#alike), paths) : undefined;
      if (isObject(put) && chosen !== undefined) {
        put["x-creates"] = chosen;
        this.#produced.add(chosen);
      }
      // What has no known identifier can't be removed.
      if (isObject(post) && made === undefined && isObject((post.responses as Json)["201"]))
        post["x-leaves"] = `${post.operationId} result`;
      if (!isObject(get) || get.requestBody !== undefined) continue;
      const { schema } = successIn(get.responses as Json);
      Object.assign(get, readIn(schemas, schema, resourcesOf(path, this.#alike), { ...known, path }));
      addLinkedFinds(this.#root, get, resourcesOf(path, this.#alike));
    }
  }

  /** Describes in which periods the dates of bodies are. */
  #addPeriods(): void {
    const components = this.#root.components as Json;
    if (!isObject(components.schemas)) return;
    components.schemas = Object.fromEntries(
      Object.entries(components.schemas).map(([name, schema]) => [name, withPeriods(schema)]),
    );
  }
}

/** A parameter of a path that the document does not describe. */
const IDENTIFIER = { in: "path", required: true, schema: { type: "string" } } as const;

/** A document that names no 401 leaves open whether 401 or 403 refuses a call without credentials. */
const refusedWithout = ({ responses }: Json): number[] =>
  Object.keys((responses ?? {}) as Json).includes("401") ? [401] : [401, 403];
