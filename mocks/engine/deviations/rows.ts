/** Helpers for writing the fault rows of a service. */
import type { GeneralBehaviour } from "../call.ts";
import { parametersOf } from "../parameters.ts";
import type { Edit } from "../values/pointer.ts";
import type {
  AnswerEffect,
  DeviationRow,
  Effect,
  Fault,
  PathEffect,
  RequestEffect,
  Which,
} from "./deviation.ts";

/**
 * By requirement (without the service), then by name of the fault: changes of requests and answers, or the name of a
 * behaviour for which a handler checks.
 */
type FaultTable = Readonly<Record<string, Readonly<Record<string, string | readonly (string | Effect)[]>>>>;

type ValueOf<Table> = Table extends unknown ? Table[keyof Table] : never;
/** The behaviours that a table names. */
type NamedIn<Table> = Extract<Table | (Table extends readonly (infer Part)[] ? Part : never), string>;

/**
 * Returns the rows of permitted differences.
 * @param gaps leave the choice open; empty where a rule is assumed
 * @param shared by all rows
 * @returns a function of what each difference does, by name, or of its row. By default, handlers implement its name.
 */
export const permitted =
  (gaps: string | readonly string[], shared: Partial<DeviationRow> = {}) =>
  <
    const Table extends Readonly<
      Record<string, string | (Partial<DeviationRow> & { readonly what: string })>
    >,
  >(
    table: Table,
  ) =>
    Object.entries(table).map(([name, row]) => ({
      ...{ name, gaps: [gaps].flat(), effects: [name], ...shared },
      ...(typeof row === "string" ? { what: row } : row),
    })) as DeviationRow<
      {
        [Name in keyof Table & string]: Table[Name] extends { readonly effects: infer Effects }
          ? NamedIn<Effects>
          : Name;
      }[keyof Table & string]
    >[];

/** @param table names each behaviour as a literal; otherwise handlers could check for any name */
export const rowsOf = <const Table extends FaultTable>(
  table: string extends NamedIn<ValueOf<ValueOf<Table>>> ? never : Table,
): DeviationRow<NamedIn<ValueOf<ValueOf<Table>>>>[] =>
  Object.entries<FaultTable[string]>(table).flatMap(([violates, faults]) =>
    Object.entries(faults).map(([name, effect]) => ({ violates, name, effects: [effect].flat() })),
  ) as DeviationRow<NamedIn<ValueOf<ValueOf<Table>>>>[];

/**
 * Returns a function that makes the faults of a requirement from effects, or from the name of a behaviour.
 * @param violates the id of the requirement, with the service
 */
export const violating =
  (service: string, violates: string) =>
  (name: string, effects: GeneralBehaviour | readonly Effect[]): Fault => ({
    id: `${violates}.${name}`,
    ...{ violates, service },
    effects: typeof effects === "string" ? [{ kind: "behaviour", name: effects }] : effects,
  });

/** Changes the value at the pointer in the JSON body. */
export const edited = (when: Which, pointer: string, edit: Edit): AnswerEffect[] => [
  { kind: "json", when, pointer, edit },
];

export const json = (when: Which, pointer: string, set: unknown) => edited(when, pointer, { set });

export const remove = (when: Which, pointer: string) => edited(when, pointer, { remove: true });

/** Removes the value at the pointer from the successful answer of each operation. */
export const removeFromEach = (operations: readonly string[], pointer: string): AnswerEffect[] =>
  operations.flatMap((operationId) => remove({ operationId, status: 200 }, pointer));

export const status = (to: number, when: Which): AnswerEffect[] => [{ kind: "status", when, to }];

/** Changes the status of each operation's answers. @param cause only of refusals with this cause; all if absent */
export const statusOfEach = (
  operations: readonly string[],
  from: number,
  to: number,
  cause?: readonly string[],
): AnswerEffect[] =>
  operations.flatMap((operationId) => status(to, { operationId, status: from, ...(cause && { cause }) }));

/** Refuses every call of the operations that has the query parameter. */
export const refusesParameter = (operations: string | readonly string[], name: string): RequestEffect[] =>
  [operations].flat().flatMap((operationId) => refusesField(parametersOf(operationId, "query"), `/${name}`));

/** Accepts the query parameters of the operations, by their names in the contract, and ignores them. */
export const ignores = (operations: string | readonly string[], ...names: readonly string[]): Effect[] =>
  [operations]
    .flat()
    .flatMap((operationId) =>
      names.map((name): Effect => ({ kind: "behaviour", name: ignoring(operationId, name) })),
    );

/** The name of the fault that the address of a created resource is the one of nothing, or of the first resource. */
export const addressOf = (operationId: string, what: "nothing" | "first"): GeneralBehaviour =>
  `address-of-${what}-${operationId}`;

/** The name of the fault that a call with a known idempotency key creates a second resource. */
export const keyIgnored = (operationId: string): GeneralBehaviour => `key-ignored-${operationId}`;

/**
 * The name of the fault of a condition: each fulfils it that names any state, the tag of a read stays after a change, or no tag
 * of the present state is accepted.
 */
export const conditionIgnored = (
  operationId: string,
  what: "every" | "change" | "present",
): GeneralBehaviour => `condition-ignores-${what}-${operationId}`;

export const ignoring = (operationId: string, parameter: string): GeneralBehaviour =>
  `ignored-${operationId}-${parameter}`;

/** The name of the fault that filters apply to the page that a call asks for, not to the whole list. */
export const filteringPage = (operationId: string): GeneralBehaviour => `filtered-page-${operationId}`;

/** The name of the fault that a read finds a resource below any parent. */
export const belowAnyParent = (operationId: string): GeneralBehaviour => `below-any-parent-${operationId}`;

/** The parameter in links to the next page of a list, if the document has none for it. */
export const UNNAMED = "cursor";

/** Builds a fault for each parameter, named like `start-refused`. */
export const refusesEach = (operationId: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}-refused`, refusesParameter(operationId, name)]));

/** Changes the schema against which requests are validated. */
export const validating =
  (edit: RequestEffect["edit"]) =>
  (of: string, pointer = ""): RequestEffect[] => [{ kind: "request", of, pointer, edit }];

/** Refuses every body that has a value at the pointer. */
export const refusesField = validating({ forbid: true });
/** Requires an optional field. */
export const demandsField = validating({ demand: true });
/** Accepts any body, without validation. */
export const anyBody = validating({ admit: {} });
/** Accepts values outside an enumeration. */
export const anyValue = validating({ drop: "enum" });

export const header = (when: Which, name: string, to: string | null): AnswerEffect[] => [
  { kind: "header", when, name, to },
];

/** Replaces the body. */
export const raw =
  (content: string, contentType = "application/json") =>
  (when: Which): AnswerEffect[] => [{ kind: "raw", when, content, ...(content && { contentType }) }];

/** Sends the start of a JSON object only. */
export const cutShort = raw('{"cut');
export const empty = raw("");
export const html = raw("<html><body>Refused.</body></html>", "text/html");

/** Serves a documented path at another path. */
export const served = (documented: string, at: string): PathEffect[] => [
  { kind: "path", documented, served: at },
];
