/** Every behaviour that a fault names has a handler that checks for it; the reverse is a rule of types. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { Call as CardCall } from "../../../mocks/card-enrollment/faults.ts";
import type { Call as AnyCall } from "../../../mocks/engine/call.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { statefulRowsOf, withStatefulFaults } from "../../../mocks/engine/deviations/handlers.ts";
import { rowsOf } from "../../../mocks/engine/deviations/rows.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import type { Call as DataCall, Visit as DataVisit } from "../../../mocks/financial-data/calls.ts";
import { SECTIONS } from "../../../mocks/financial-data/sections/index.ts";
import type { Call as InstallmentsCall } from "../../../mocks/installments/faults.ts";

const MOCKS = fileURLToPath(new URL("../../../mocks/", import.meta.url));
const contracts = await Promise.all(services().map((service) => loadContract(service)));

/** Behaviours that the engine implements, so that only a table of faults names them. */
const IN_ENGINE = /^(sequence|first-answer-repeated|simultaneous-answers-shared)-/;

for (const contract of contracts) {
  const { service } = contract;
  const faults = faultsIn(await listDeviations([contract]));
  const names = new Set(
    faults.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.kind === "behaviour" ? [effect.name] : [])),
    ),
  );

  test(`a handler checks for each behaviour of ${service}`, () => {
    const texts = sourcesOf(service).flatMap(textsIn);
    expect(names.size).toBeGreaterThan(0);
    const unasked = [...names].filter(
      (name) => !IN_ENGINE.test(name) && !texts.some((text) => patternOf(text).test(name)),
    );
    expect(unasked, "No handler checks for the behaviours of these faults.").toEqual([]);
  });
}

test("every operation of financial data has its own handler", async () => {
  const { operations } = await loadContract("financial-data");
  const handled = new Set(SECTIONS.flatMap(({ handlers }) => Object.keys(handlers)));
  expect(operations.map(({ operationId }) => operationId).filter((id) => !handled.has(id))).toEqual([]);
});

test("a misspelt behaviour is a type error", () => {
  const misspelt = (
    card: CardCall,
    plan: InstallmentsCall,
    data: DataCall,
    page: DataVisit,
    any: AnyCall,
  ) => [
    card.faulty("other-program"),
    // @ts-expect-error a letter is missing
    card.faulty("other-progam"),
    plan.faulty("no-offers"),
    // @ts-expect-error a behaviour of another service
    plan.faulty("other-program"),
    data.faulty("customers-twice"),
    data.faulty(`reports-any-type-${data.operation.operationId}`),
    // @ts-expect-error a letter is missing
    data.faulty("customers-twce"),
    // @ts-expect-error a behaviour of no operation
    data.faulty("reports-any-type"),
    // @ts-expect-error a letter too many
    page.faulty("connect-links-nothingg"),
    any.faulty("malformed-json-accepted"),
    // @ts-expect-error a behaviour of one service in a call for any service
    any.faulty("customers-twice"),
  ];
  expect(misspelt).toBeInstanceOf(Function);
});

test("a table must name each behaviour as a literal", () => {
  const [row] = rowsOf({ "some.requirement": { ignored: "some-behaviour" } });
  expect(row).toEqual({
    violates: "some.requirement",
    name: "ignored",
    effects: ["some-behaviour"],
  });
  const some: string = "any";
  // @ts-expect-error a name that is known only at run time would let handlers check for any behaviour
  expect(rowsOf({ "some.requirement": { ignored: some } })).toHaveLength(1);
});

test("a fault over several calls names existing operations", () => {
  const rows = statefulRowsOf([
    { "some.requirement": { "third-read-fails": { getPlam: () => ({ status: 500 }) } } },
  ]);
  expect(() => withStatefulFaults({ getPlan: () => ({ status: 200 }) }, rows)).toThrow(
    /third-read-fails.*getPlam/,
  );
});

/** Reads the sources of the handlers, without the tables of faults and the issuer, which has separate faults. */
const sourcesOf = (service: string): string[] =>
  [service, "engine"].flatMap((folder) =>
    readdirSync(join(MOCKS, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !/(^|[/-])faults(\.ts$|\/)|^issuer\.ts$/.test(path))
      .map((path) => readFileSync(join(MOCKS, folder, path), "utf8")),
  );

/** Returns literals that can name a behaviour. The fixed text of a template must be long enough to identify one. */
const textsIn = (source: string): string[] =>
  [...source.matchAll(/"([\w-]+)"|`([\w-]*(?:\$\{[^}]*\}[\w-]*)*)`/g)]
    .map(([, plain = "", template = plain]) => template)
    .filter((text) => text.replace(HOLE, "").length >= 5);

const HOLE = /\$\{[^}]*\}/g;

/** Returns a pattern in which each placeholder of a template matches any text. */
const patternOf = (text: string): RegExp => new RegExp(`^${text.replace(HOLE, ".+")}$`);
