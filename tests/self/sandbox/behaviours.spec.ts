/** Behaviours that faults ask for, and handlers that ask for faults: each finds the other. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { Call as CardCall } from "../../../mocks/card-enrollment/faults.ts";
import { rowsOf } from "../../../mocks/engine/faults/fault-rows.ts";
import { listFaults } from "../../../mocks/engine/faults/faults.ts";
import { withStatefulFaults } from "../../../mocks/engine/faults/stateful-faults.ts";
import type { Call as AnyCall } from "../../../mocks/engine/service.ts";
import type { Call as DataCall, Visit as DataVisit } from "../../../mocks/financial-data/faults.ts";
import type { Call as InstallmentsCall } from "../../../mocks/installments/faults.ts";

const MOCKS = fileURLToPath(new URL("../../../mocks/", import.meta.url));
const contracts = await Promise.all(services().map((service) => loadContract(service)));

/** Behaviours of which a table of faults is the only place that names them, since the engine puts them into effect. */
const IN_ENGINE = /^sequence-/;

for (const contract of contracts) {
  const { service } = contract;
  const faults = await listFaults([contract]);
  const names = new Set(
    faults.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.kind === "behaviour" ? [effect.name] : [])),
    ),
  );

  test(`each behaviour of ${service} is asked for by a handler`, () => {
    const texts = sourcesOf(service).flatMap(textsIn);
    expect(names.size).toBeGreaterThan(0);
    const unasked = [...names].filter(
      (name) => !IN_ENGINE.test(name) && !texts.some((text) => patternOf(text).test(name)),
    );
    expect(unasked, "No handler asks for what these faults need.").toEqual([]);
  });

  test(`each behaviour that a handler of ${service} asks for is one of a fault`, () => {
    const asked = sourcesOf(service, [service]).flatMap((source) =>
      [...source.matchAll(/\bfaulty\(\s*(?:"([^"]+)"|`([^`]+)`)/g)].map(
        ([, plain = "", template = plain]) => template,
      ),
    );
    expect(asked.length).toBeGreaterThan(0);
    const unknown = asked.filter((text) => ![...names].some((name) => patternOf(text).test(name)));
    expect(unknown, "No fault needs what these handlers ask for.").toEqual([]);
  });
}

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
    // @ts-expect-error of another service
    plan.faulty("other-program"),
    data.faulty("customers-twice"),
    data.faulty(`reports-any-type-${data.operation.operationId}`),
    // @ts-expect-error a letter is missing
    data.faulty("customers-twce"),
    // @ts-expect-error of no operation
    data.faulty("reports-any-type"),
    // @ts-expect-error a letter too many
    page.faulty("connect-links-nothingg"),
    any.faulty("malformed-json-accepted"),
    // @ts-expect-error of one service, and this call is of any
    any.faulty("customers-twice"),
  ];
  expect(misspelt).toBeInstanceOf(Function);
});

test("a table names its behaviours one by one", () => {
  const [row] = rowsOf({ "some.requirement": { ignored: "some-behaviour" } });
  expect(row).toEqual({
    violates: "some.requirement",
    name: "ignored",
    effects: [{ kind: "behaviour", name: "some-behaviour" }],
  });
  const some: string = "any";
  // @ts-expect-error a name that is known only when it runs would let handlers ask for whatever they like
  expect(rowsOf({ "some.requirement": { ignored: some } })).toHaveLength(1);
});

test("a fault over several calls is of operations that there are", () => {
  const table = { "some.requirement": { "third-read-fails": { getPlam: () => ({ status: 500 }) } } };
  expect(() => withStatefulFaults({ getPlan: () => ({ status: 200 }) }, [table])).toThrow(
    /third-read-fails.*getPlam/,
  );
});

/** The sources of handlers, without the tables of faults, and without the issuer, whose faults are its own. */
const sourcesOf = (service: string, folders: readonly string[] = [service, "engine"]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(MOCKS, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !/(^|[/-])faults(\.ts$|\/)|^issuer\.ts$/.test(path))
      .map((path) => readFileSync(join(MOCKS, folder, path), "utf8")),
  );

/** Literals that can name a behaviour: of a template, what stands beside its holes has to tell something. */
const textsIn = (source: string): string[] =>
  [...source.matchAll(/"([\w-]+)"|`([\w-]*(?:\$\{[^}]*\}[\w-]*)*)`/g)]
    .map(([, plain = "", template = plain]) => template)
    .filter((text) => text.replace(HOLE, "").length >= 5);

const HOLE = /\$\{[^}]*\}/g;

/** A hole of a template stands for anything. */
const patternOf = (text: string): RegExp => new RegExp(`^${text.replace(HOLE, ".+")}$`);
