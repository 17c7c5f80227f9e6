/** A wish to call later is about one operation, or its repetition; about the target when several resources are put off. */
import { expect, test } from "@playwright/test";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { createEndurance } from "../../../helpers/trials/endurance.ts";

const { operations } = await loadContract("financial-data");
const [DEPOSITS, REPORT, CUSTOMERS, INSTITUTION, BRANDING] = [
  ...["InitiateMicroAmountDeposits", "GenerateVOAReport", "GetCustomers"],
  ...["GetInstitution", "GetInstitutionBranding"],
] as const;

/** An operation, the customer in its path, the status of its answer, which may ask for a day, and the error. */
type Step = readonly [operationId: string, customerId: string, status: number, error: string];

const errorsOf = (steps: readonly Step[]): string[] => {
  const endurance = createEndurance(() => 0);
  return steps.map(([operationId, customerId, status]) => {
    const operation = operations.find((one) => one.operationId === operationId) as Operation;
    const call = { operationId, path: { customerId } };
    const response = { status, headers: { "retry-after": "86400" } };
    const exchange = { operationId, request: { method: operation.method }, response } as unknown as Exchange;
    let how = "not sent: ";
    try {
      endurance.beforeCall(call);
      how = "";
      endurance.afterCall(call, exchange);
      if (status >= 400) endurance.secondsToWait(operation, call, exchange, 1);
      return "";
    } catch (error) {
      return `${how}${(error as Error).name}`;
    }
  });
};

const [LOST, UNSENT, LIMITED] = ["TargetLost", "not sent: TargetLost", "NotTried"];

const ROWS: readonly (readonly [about: string, ...steps: Step[]])[] = [
  [
    "puts off its operation, and no other",
    [DEPOSITS, "1", 429, LOST],
    [DEPOSITS, "2", 201, UNSENT],
    [REPORT, "1", 202, ""],
    [CUSTOMERS, "1", 200, ""],
  ],
  [
    "to a repetition puts off that only",
    [DEPOSITS, "1", 201, ""],
    [DEPOSITS, "1", 429, LIMITED],
    [DEPOSITS, "1", 201, `not sent: ${LIMITED}`],
    [DEPOSITS, "2", 201, ""],
  ],
  ["to a repetition is no limit if it is 503", [DEPOSITS, "1", 201, ""], [DEPOSITS, "1", 503, LOST]],
  ["to a read that is repeated puts it off", [CUSTOMERS, "1", 200, ""], [CUSTOMERS, "1", 429, LOST]],
  [
    "for two operations of one resource closes nothing more",
    [INSTITUTION, "1", 429, LOST],
    [BRANDING, "1", 429, LOST],
    [DEPOSITS, "1", 503, LOST],
    [CUSTOMERS, "1", 200, ""],
  ],
  [
    "for operations of three resources closes the target",
    [INSTITUTION, "1", 429, LOST],
    [REPORT, "1", 429, LOST],
    [DEPOSITS, "1", 503, LOST],
    [CUSTOMERS, "1", 200, UNSENT],
  ],
];

for (const [about, ...steps] of ROWS)
  test(`a wish to wait for a day ${about}`, () => {
    expect(errorsOf(steps)).toEqual(steps.map(([, , , error]) => error));
  });
