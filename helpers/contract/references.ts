/** Refuses what a file of a service names and nothing has: an operation, a parameter, a field, a requirement, a gap, … */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Gap, JsonSchema, Operation, Requirement, Schemas, Service, Shapes } from "./contract.ts";
import { type CheckedFile, checkedFile, unknownName } from "./documents/checked-file.ts";
import { errorAt } from "./documents/locate.ts";
import { readSource } from "./documents/source-file.ts";
import { isObject, type Json } from "./json.ts";
import { successBodies } from "./lookups.ts";
import { loose } from "./names.ts";
import { misspelled } from "./nearest.ts";
import { atPointer, pointerIn, segmentsOf } from "./pointer.ts";
import { placesIn } from "./provider/binding-places.ts";
import { bodiesOf } from "./provider/bindings.ts";
import type { RequirementRow } from "./register.ts";
import type { Relation } from "./relations.ts";
import { expressionOf } from "./schemas/expressions.ts";
import { hasPlace, innerSchemas, memberNames, schemasAt } from "./schemas/schema-visitor.ts";
import { settingPrefix } from "./services.ts";
import { headersIn } from "./statuses.ts";

/** Reads the files with rows of a service. @throws ContractError naming file, line, pointer and the nearest name */
export const rowFilesOf = (folder: string) => {
  const read = <Content>(name: string, kind: Parameters<typeof checkedFile>[1]) =>
    checkedFile<Content>(readSource(join(folder, `${name}.yaml`)), kind);
  const ifThere = <Content = Json>(...[name, kind]: Parameters<typeof read>) =>
    existsSync(join(folder, `${name}.yaml`)) ? read<Content>(name, kind) : undefined;
  return {
    requirements: read<{ readonly requirements: readonly RequirementRow[] }>("requirements", "requirements"),
    gaps: read<{ readonly gaps: readonly Gap[] }>("gaps", "gaps"),
    relations: ifThere<{ readonly relations: readonly Relation[] }>("relations", "relations"),
    situations: ifThere("situations", "situation-rows"),
    service: ifThere<{ readonly settings: Json; readonly own?: readonly string[] }>("service", "service"),
    ...{ caller: ifThere("caller", "half"), listener: ifThere("listener", "half") },
  };
};

type RowFiles = ReturnType<typeof rowFilesOf>;

/** What the files of a service promise, without the document of a provider. */
interface Promises extends Shapes {
  readonly service: Service;
  readonly file: CheckedFile<Json>;
  readonly requirements: readonly Requirement[];
}

/** @throws ContractError naming file, line, pointer and the nearest name */
export const refuseUnknown = (promises: Promises, files: RowFiles): void => {
  refuseRepeated(files.requirements, "requirements", "id");
  refuseRepeated(files.gaps, "gaps", "subject");
  const candidates = candidatesIn(promises, files);
  for (const file of [...Object.values(files), promises.file]) {
    for (const { what, name, pointer } of file?.mentions ?? []) {
      const known = candidates[what]?.(name, pointer);
      if (known !== undefined && file !== undefined)
        throw unknownName(file.placeOf(pointer), what, name, known);
    }
  }
};

const refuseRepeated = ({ content, placeOf }: CheckedFile<object>, list: string, key: string): void => {
  const names = (atPointer(content, `/${list}`) as Json[]).map((row) => row[key]);
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (index < 0) return;
  const { source, pointer } = placeOf(`/${list}/${index}/${key}`);
  throw errorAt(source, pointer, `${names[index]} occurs twice`, "Remove one of the rows.");
};

/** Returns the names that a text may have instead; `undefined` if what it names exists. */
type Candidates = (name: string, pointer: string) => readonly string[] | undefined;

/** By kind of what is named: see `names` in the schemas. */
const candidatesIn = (promises: Promises, files: RowFiles): Readonly<Record<string, Candidates>> => {
  const { file, service } = promises;
  const listed = Object.entries(listsIn(promises, files)).map(
    ([kind, names]) => [kind, among(names)] as const,
  );
  return {
    ...Object.fromEntries(listed),
    ...atPlaces(promises, files),
    id: (id) => (id.startsWith(`${service}.`) ? undefined : [`${service}.${id}`]),
    "setting name": (name) => {
      const prefix = settingPrefix(service);
      return name.startsWith(prefix) ? undefined : [`${prefix}${name}`];
    },
    facts: (expression) => {
      if (expressionOf(expression) === undefined) return [];
      const [, ids] = /^\^\(?([\w|-]+)\)? /.exec(expression) ?? [];
      const known = promises.operations.map(({ operationId }) => operationId);
      return ids?.split("|").every((id) => known.includes(id)) === false ? known : undefined;
    },
    reference: (ref) => {
      if (atPointer(file.content, pointerIn(ref)) !== undefined) return undefined;
      const parent = pointerIn(ref.slice(0, ref.lastIndexOf("/")));
      return namesAt(file.content, parent).map((name) => `#${parent}/${name}`);
    },
  };
};

/** The kinds of which all names are listed somewhere. */
const listsIn = (
  { file, operations, schemas, requirements, service }: Promises,
  { gaps, situations, service: own }: RowFiles,
): Readonly<Record<string, () => readonly string[]>> => ({
  operation: () => ["*", ...operations.map(({ operationId }) => operationId)],
  requirement: () => requirements.map(({ id }) => id.slice(service.length + 1)),
  gap: () => gaps.content.gaps.map(({ subject }) => subject),
  situation: () => Object.keys(situations?.content ?? {}),
  "own key": () => own?.content.own ?? [],
  setting: () => Object.keys(own?.content.settings ?? {}),
  schema: () => Object.keys(schemas),
  resource: () => resourcesIn([operations, schemas]),
  "security scheme": () => namesAt(file.content, "/components/securitySchemes"),
});

const among = (names: () => readonly string[]): Candidates => {
  let known: ReadonlySet<string> | undefined;
  return (name) => {
    known ??= new Set(names());
    return known.has(name) ? undefined : [...known];
  };
};

/** The kinds of what is at a place of an operation. */
const atPlaces = ({ operations, schemas }: Promises, { relations }: RowFiles) => {
  const byId = new Map(operations.map((one) => [one.operationId, one]));
  const byPlace = new Map(operations.map((one) => [`${one.path} ${one.method.toLowerCase()}`, one]));
  const relationAt = (pointer: string): Relation =>
    relations?.content.relations[Number(segmentsOf(pointer)[1])] as Relation;
  /** Returns the operations that a row is about, or in which a place of the OpenAPI document is. */
  const operationsAt = (pointer: string): Operation[] => {
    const [at, one = "", method] = segmentsOf(pointer);
    if (at === "paths") return [byPlace.get(`${one} ${method}`) ?? []].flat();
    return relationAt(pointer).operations.flatMap((id) => byId.get(id) ?? []);
  };
  return {
    parameter(name, pointer) {
      const kind = pointer.startsWith("/relations") ? relationAt(pointer).kind : "";
      const places = /^(?:apart|gone|owned)$/.test(kind) ? ["path", ""] : ["query"];
      const known = operationsAt(pointer).map((one) => namesIn(one, places, schemas));
      return known.find((names) => !isIn(names)(name));
    },
    field(name, pointer) {
      const known = fieldsOf(schemas, operationsAt(pointer));
      if (known.length === 0 || isIn(known)(name)) return undefined;
      // A server may show the value under another name than the assumed one.
      const isOther = relationAt(pointer).shows?.some(isIn(known)) && misspelled(name, known).length === 0;
      return isOther ? undefined : known;
    },
    answer(name, pointer) {
      const all = operationsAt(pointer);
      // The address of what a call created shows its identifier too.
      const isLocated = all.some(({ responses }) => headersIn(responses as Json).has("location"));
      return isLocated ? undefined : unplaced(name, all.flatMap(successBodies), schemas);
    },
    place(name) {
      const [id = "", pointer = ""] = name.split(" ");
      const operation = byId.get(id);
      if (operation === undefined) return [...byId.keys()].map((known) => `${known} ${pointer}`);
      const bodies = bodiesOf(operation).map(([, schema]) => schema);
      return unplaced(pointer, bodies, schemas)?.map((one) => `${id} ${one}`);
    },
  } satisfies Record<string, Candidates>;
};

const namesAt = (content: Json, pointer: string): string[] => {
  const found = atPointer(content, pointer);
  return isObject(found) ? Object.keys(found) : [];
};

const isIn = (known: readonly string[]) => (name: string) => known.some((one) => loose(one) === loose(name));

/** Returns the names of parameters in these places, and of the fields of a body if one of them is empty. */
const namesIn = (operation: Operation, places: readonly string[], schemas: Schemas): string[] => [
  ...operation.parameters.flatMap((one) => (places.includes(one.in) ? [one.name] : [])),
  ...(places.includes("") ? bodiesOf(operation) : []).flatMap(([part, schema]) =>
    part === "request" ? innerSchemas(schemas, schema).flatMap(({ name }) => name ?? []) : [],
  ),
];

/** Returns the places of bodies unless one of them may have the place; `undefined` also if nothing is known of them. */
const unplaced = (pointer: string, bodies: readonly JsonSchema[], schemas: Schemas): string[] | undefined => {
  if (bodies.some((schema) => hasPlace(schemas, schema, pointer))) return undefined;
  const known = bodies.flatMap((schema) => placesIn(schemas, schema).map((place) => place.pointer));
  return known.length === 0 ? undefined : known;
};

/** Returns the names of the fields of the items that operations list, or of their answers, also inside objects. */
const fieldsOf = (schemas: Schemas, operations: readonly Operation[]): string[] =>
  operations.flatMap((one) =>
    successBodies(one)
      .flatMap((schema) => schemasAt(schemas, schema, one.list ? `${one.list.items}/*` : ""))
      .flatMap((schema) => memberNames(schemas, schema)),
  );

/** Returns the resources that calls create, find, show or name. */
const resourcesIn = (content: unknown): string[] =>
  [...JSON.stringify(content).matchAll(/"(?:x-)?resource":"([^"]+)"/g)].map(([, name = ""]) => name);
