/** Diff rules for components: an unused component, and components that a discriminator selects. */

import { asRequest, operation } from "../small-documents.ts";
import { type Json, string, type WireRow, wireRow } from "./rows.ts";

const component = (name: string, schema: unknown): Json =>
  operation({}, { components: { schemas: { [name]: schema } } });

export const COMPONENT_ROWS: readonly WireRow[] = [
  wireRow(
    "an unused component",
    "component",
    component("Spare", string),
    component("Other", string),
    "compatible",
    "compatible",
  ),
  wireRow(
    "a discriminator that lists its values",
    "discriminator",
    asRequest(pets({ cat: "Cat", dog: "Dog" }), PETS()),
    asRequest(pets({ cat: "Cat", hound: "Dog" }), PETS()),
    "breaking",
    "breaking",
  ),
  wireRow(
    "a discriminator without alternatives",
    "discriminator.alone",
    asRequest({ type: "object", discriminator: { propertyName: "kind" } }),
    asRequest({ type: "object", discriminator: { propertyName: "type" } }),
    "undecided",
    "undecided",
  ),
];

function pets(mapping: Record<string, string>) {
  const refs = ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const targets = Object.entries(mapping).map(([value, name]) => [value, `#/components/schemas/${name}`]);
  return { oneOf: refs, discriminator: { propertyName: "kind", mapping: Object.fromEntries(targets) } };
}

function PETS(): Json {
  const pet = { type: "object", properties: { kind: string } };
  return { components: { schemas: { Cat: pet, Dog: { ...pet, maxProperties: 9 } } } };
}
