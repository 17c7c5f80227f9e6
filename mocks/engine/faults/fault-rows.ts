/** Short ways to write the rows of a service's faults. */

import { parametersOf } from "../validators.ts";
import type { Bend, FaultRow, Which } from "./fault.ts";

/** @param table by requirement (without the service), then by the fault's own name */
export const rowsOf = (
  table: Readonly<Record<string, Readonly<Record<string, readonly Bend[]>>>>,
): FaultRow[] =>
  Object.entries(table).flatMap(([violates, faults]) =>
    Object.entries(faults).map(([name, bends]) => ({ violates, name, bends })),
  );

export const behaviour = (name: string): Bend[] => [{ kind: "behaviour", name }];

/** The JSON body with another value at the pointer. */
export const json = (when: Which, pointer: string, to: unknown): Bend[] => [
  { kind: "json", when, pointer, edit: { set: to } },
];

export const remove = (when: Which, pointer: string): Bend[] => [
  { kind: "json", when, pointer, edit: { remove: true } },
];

export const status = (to: number, when: Which): Bend[] => [{ kind: "status", when, to }];

/** Whatever a call gives for the query parameter is refused. */
export const refusesParameter = (operationId: string, name: string): Bend[] => [
  {
    kind: "request",
    of: parametersOf(operationId, "query"),
    pointer: `/${name}`,
    edit: { forbid: true },
  },
];

export const header = (when: Which, name: string, to: string | null): Bend[] => [
  { kind: "header", when, name, to },
];

export const empty = (code: number): Bend[] => [{ kind: "raw", when: { status: code }, content: "" }];

export const html = (when: Which): Bend[] => [
  { kind: "raw", when, content: "<html><body>Refused.</body></html>", contentType: "text/html" },
];

/** What is documented at one path is served at another instead. */
export const served = (documented: string, at: string): Bend[] => [{ kind: "path", documented, served: at }];
