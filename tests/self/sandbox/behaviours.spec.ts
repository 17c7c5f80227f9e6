/** Faults name behaviours and operations that exist: the kill matrix finds a fault that no handler checks for. */
import { expect, test } from "@playwright/test";
import type { Call as CardCall } from "../../../mocks/card-enrollment/faults.ts";
import type { Call as AnyCall } from "../../../mocks/engine/call.ts";
import { statefulRowsOf, withStatefulFaults } from "../../../mocks/engine/deviations/handlers.ts";
import { rowsOf } from "../../../mocks/engine/deviations/rows.ts";
import type { Call as DataCall, Visit as DataVisit } from "../../../mocks/financial-data/calls.ts";
import type { Call as InstallmentsCall } from "../../../mocks/installments/faults.ts";

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
