/** Valid values match their schema and vary: for card enrollment, and for schemas that are hard to generate for. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { loadContract } from "../../../helpers/contract/load.ts";
import { allowingGiven } from "../../../helpers/generate/given-identifiers.ts";
import { validValues } from "../../../helpers/generate/valid.ts";
import { component, contextOf, RESOURCES, TRICKY } from "./generating.ts";

const contract = await loadContract("card-enrollment");
const card = contextOf(contract.schemas, RESOURCES);

test.describe("valid values", () => {
  for (const name of Object.keys(TRICKY)) {
    test(`of the difficult schema ${name} match it, vary, and are finite`, () => {
      const context = contextOf(TRICKY);
      const values = fc.sample(validValues(component(name), context), { numRuns: 60, seed: 11 });
      expect(values.flatMap((value) => context.validator.validate(component(name), value))).toEqual([]);
      expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(2);
    });
  }

  test("are the same for the same seed, and sometimes omit optional properties", () => {
    const draw = () => fc.sample(validValues(component("EnrollCardRequest"), card), { numRuns: 30, seed: 7 });
    expect(draw()).toEqual(draw());
    const withSource = draw().filter((value) => "cardSource" in (value as object)).length;
    expect(withSource).toBeGreaterThan(0);
    expect(withSource).toBeLessThan(30);
  });

  test("contain and omit the properties that the context names", () => {
    const context = {
      ...card,
      with: ["/enrolmentReferenceData/enrolmentReferenceId"],
      without: ["/cardSource"],
    };
    for (const value of fc.sample(validValues(component("EnrollCardRequest"), context), 30)) {
      expect(value).toHaveProperty("enrolmentReferenceData.enrolmentReferenceId");
      expect(value).not.toHaveProperty("cardSource");
      expect(value).toHaveProperty("srcClientId", RESOURCES["src-client-id"]);
    }
  });

  test("are consistent: calling code, country, and test card numbers with a valid check digit", () => {
    const codes: Record<string, string> = { US: "1", CA: "1", GB: "44", FR: "33", SE: "46" };
    for (const value of fc.sample(validValues(component("Consumer"), card), 50)) {
      const consumer = value as { countryCode: string; mobileNumber: { countryCode: string } };
      expect(consumer.mobileNumber.countryCode).toBe(codes[consumer.countryCode]);
    }
    for (const value of fc.sample(validValues(component("Card"), card), 50)) {
      expect(passesLuhn((value as { primaryAccountNumber: string }).primaryAccountNumber)).toBe(true);
    }
  });

  test("that do not match the schema are never returned", () => {
    const context = { ...card, resources: { ...RESOURCES, "src-client-id": "NOT-A-UUID" } };
    const draw = () => fc.sample(validValues(component("EnrollCardRequest"), context), 1);
    expect(draw).toThrow(/\/srcClientId \(pattern/);
  });

  test("carry an identifier where a field seems to name its resource, and its schema allows it", () => {
    const schema = { type: "string", pattern: "^ext-[0-9]{3}$", "x-names": "store" };
    const drawn = (store: string) => fc.sample(validValues(schema, contextOf({}, { store })), 1)[0];
    expect(drawn("ext-007")).toBe("ext-007");
    expect(drawn("north")).toMatch(/^ext-\d{3}$/);
  });

  test("may break the schema only where an identifier has its own place, not where a value equals it", () => {
    const id = { type: "string", minLength: 5, "x-resource": "store" };
    const schema = { type: "object", properties: { id, count: { type: "integer", minimum: 5 } } };
    const { validate } = allowingGiven(contextOf({}).validator, {}, { store: "1" });
    expect(validate(schema, { id: "1", count: 1 }).map(({ pointer }) => pointer)).toEqual(["/count"]);
    expect(validate(schema, { id: ["1"] })).toHaveLength(1);
  });

  test("have a demanded place, also if it depends on another one", () => {
    const schema = { type: "object", properties: { a: {}, b: {} }, dependentRequired: { a: ["b"] } };
    const values = validValues(schema, { ...contextOf({}), with: ["/a"] });
    for (let seed = 0; seed < 20; seed++)
      expect(Object.keys(fc.sample(values, { seed, numRuns: 1 })[0] as object).sort()).toEqual(["a", "b"]);
  });

  test("of an infinitely recursive schema are refused", () => {
    const endless = contextOf({
      Endless: { type: "object", required: ["again"], properties: { again: component("Endless") } },
    });
    const draw = () => fc.sample(validValues(component("Endless"), endless), 1);
    expect(draw).toThrow(/no finite value is valid/);
  });
});

const passesLuhn = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, index) => {
    const doubled = Number(digit) * (1 + (index % 2));
    return sum + Math.floor(doubled / 10) + (doubled % 10);
  }, 0) %
    10 ===
  0;
