/** Finds fields of the items of a list by their names. */
import { loose } from "../../../helpers/contract/names.ts";
import { inPlace, propertiesOf, schemasAt } from "../../../helpers/contract/schemas/schema-visitor.ts";
import type { Schemas } from "./resources.ts";

export const namesIn = (schemas: Schemas, all: readonly unknown[]): string[] =>
  all.flatMap((one) => inPlace(schemas, one, "always").flatMap((part) => Object.keys(propertiesOf(part))));

/** Returns the names of the fields of items, and of their attributes. */
export const fieldNamesOf = (schemas: Schemas, items: readonly unknown[]): string[] =>
  namesIn(schemas, [...items, ...items.flatMap((item) => schemasAt(schemas, item, "/attributes"))]);

/** Returns the names of the fields of items, and of their attributes, that are written like the name. */
export const fieldsNamed = (schemas: Schemas, items: readonly unknown[], name: string): string[] =>
  fieldNamesOf(schemas, items).filter((field) => loose(field) === loose(name));

export const schemasOfField = (schemas: Schemas, items: readonly unknown[], field: string): unknown[] =>
  ["", "/attributes"].flatMap((at) => items.flatMap((item) => schemasAt(schemas, item, `${at}/${field}`)));
