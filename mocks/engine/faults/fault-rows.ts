/** Short ways to write the rows of a service's faults. */
import { parametersOf } from "../validators.ts";
import type { AnswerEffect, FaultEffect, FaultRow, PathEffect, RequestEffect, Which } from "./fault.ts";

/**
 * By requirement (without the service), then by the fault's own name: what is changed in requests and answers, or the
 * name of a behaviour, which a handler asks for.
 */
type FaultTable = Readonly<Record<string, Readonly<Record<string, RowEffect>>>>;
type RowEffect = string | readonly (string | FaultEffect)[];

type ValueOf<Table> = Table extends unknown ? Table[keyof Table] : never;
type NameIn<One> = One extends readonly (infer Part)[] ? Extract<Part, string> : Extract<One, string>;
type BehaviourIn<Table> = NameIn<ValueOf<ValueOf<Table>>>;
/** A table that names a behaviour of any name would let handlers ask for any. */
type Named<Table> = string extends BehaviourIn<Table> ? never : Table;

export const rowsOf = <const Table extends FaultTable>(
  table: Table & Named<Table>,
): FaultRow<BehaviourIn<Table>>[] =>
  Object.entries<FaultTable[string]>(table).flatMap(([violates, faults]) =>
    Object.entries(faults).map(([name, effect]) => ({
      violates,
      name,
      effects: [effect].flat().map((part) => (typeof part === "string" ? behaviour(part) : part)),
    })),
  ) as FaultRow<BehaviourIn<Table>>[];

export const behaviour = (name: string): FaultEffect => ({ kind: "behaviour", name });

/** The JSON body with another value at the pointer. */
export const json = (when: Which, pointer: string, to: unknown): AnswerEffect[] => [
  { kind: "json", when, pointer, edit: { set: to } },
];

export const remove = (when: Which, pointer: string): AnswerEffect[] => [
  { kind: "json", when, pointer, edit: { remove: true } },
];

/** Each of the operations succeeds without what is at the pointer. */
export const removeFromEach = (operations: readonly string[], pointer: string): AnswerEffect[] =>
  operations.flatMap((operationId) => remove({ operationId, status: 200 }, pointer));

export const status = (to: number, when: Which): AnswerEffect[] => [{ kind: "status", when, to }];

/** Each of the operations answers with another status. @param cause of the refusals that do; all if absent */
export const statusOfEach = (
  operations: readonly string[],
  from: number,
  to: number,
  cause?: readonly string[],
): AnswerEffect[] =>
  operations.flatMap((operationId) => status(to, { operationId, status: from, ...(cause && { cause }) }));

/** Whatever a call of one of the operations gives for the query parameter is refused. */
export const refusesParameter = (operations: string | readonly string[], name: string): RequestEffect[] =>
  [operations].flat().flatMap((operationId) => refusesField(parametersOf(operationId, "query"), `/${name}`));

/** A fault for each of the parameters: `start-refused`. */
export const refusesEach = (operationId: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}-refused`, refusesParameter(operationId, name)]));

/** Whatever stands there in a body is refused. */
export const refusesField = (of: string, pointer: string): RequestEffect[] => [
  { kind: "request", of, pointer, edit: { forbid: true } },
];

/** What may lack is demanded. */
export const demandsField = (of: string, pointer: string): RequestEffect[] => [
  { kind: "request", of, pointer, edit: { demand: true } },
];

/** The schema of the body is not looked at. */
export const anyBody = (of: string): RequestEffect[] => [
  { kind: "request", of, pointer: "", edit: { admit: {} } },
];

export const header = (when: Which, name: string, to: string | null): AnswerEffect[] => [
  { kind: "header", when, name, to },
];

export const empty = (when: Which): AnswerEffect[] => [{ kind: "raw", when, content: "" }];

export const html = (when: Which): AnswerEffect[] => [
  { kind: "raw", when, content: "<html><body>Refused.</body></html>", contentType: "text/html" },
];

/** What is documented at one path is served at another instead. */
export const served = (documented: string, at: string): PathEffect[] => [
  { kind: "path", documented, served: at },
];
