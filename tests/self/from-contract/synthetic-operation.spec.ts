/** An operation that is added to a contract is tried, mocked and mutated without code for it. */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { policy as cardEnrollment } from "../../../fixtures/card-enrollment/policy.ts";
import { policy as financialData } from "../../../fixtures/financial-data/policy.ts";
import { policy as installments } from "../../../fixtures/installments/policy.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { schemasFolder } from "../../../helpers/contract/services.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { generatedTrials } from "../../../helpers/trials/from-contract/generated.ts";
import type { Policy } from "../../../helpers/trials/from-contract/policy.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { temporary } from "../support/command.ts";
import { onSandbox, runAll, type Setting, verdictsOf, withSandbox } from "../support/in-process.ts";

/** A target that keeps what is created on it. The embedded sandbox is reset. */
const EXTERNAL = { external: true } as const;

/** The bodies that the operation accepted. */
const acceptedBodies = async (setting: Setting, trials: readonly Trial[]): Promise<Body[]> => {
  const accepted: Body[] = [];
  const onExchange = (exchange: Exchange): void => {
    if (exchange.operationId === "trySynthetic" && isAccepted(exchange))
      accepted.push(exchange.requestJson as Body);
  };
  await onSandbox({ ...setting, onExchange }, (session) => runAll(session, trials));
  return accepted;
};

interface Body {
  readonly label?: string;
  readonly rank?: number;
  readonly day?: string;
}

const LIMITS: readonly ((body: Body) => boolean)[] = [
  ({ label }) => label?.length === 2,
  ({ label }) => label?.length === 20,
  ({ rank }) => rank === 1,
  ({ rank }) => rank === 9,
  ({ day }) => day === undefined,
];

interface Case {
  readonly policy: Policy;
  /** The path parameter: a resource of the service, if the service has one. */
  readonly path: string;
  /** The trials that must exist in addition to the trials of the rules. */
  readonly trials: readonly string[];
}

const CODE =
  "{ name: code, in: path, required: true, schema: { type: string, pattern: '^[A-Z]{3}-[0-9]{4}$' } }";

const CASES: readonly Case[] = [
  { policy: cardEnrollment, path: "/synthetic/{code}", trials: ["success"] },
  { policy: installments, path: "/synthetic/{code}/{plan_id}", trials: ["success", "unknown-plan_id"] },
  {
    policy: financialData,
    path: "/synthetic/{code}/{customerId}",
    trials: ["success", "authentication", "unknown-customerId"],
  },
];

const RESOURCES: Readonly<Record<string, string>> = {
  "{plan_id}": "{ name: plan_id, in: path, required: true, x-resource: plan, schema: { type: string } }",
  "{customerId}":
    "{ name: customerId, in: path, required: true, x-resource: customer, schema: { type: string } }",
};

const operationAt = (path: string): string => `
  ${path}:
    post:
      operationId: trySynthetic
      x-level: documented
      x-section: Synthetic
      parameters:
        - ${CODE}
${Object.entries(RESOURCES)
  .filter(([place]) => path.includes(place))
  .map(([, parameter]) => `        - ${parameter}\n`)
  .join("")}        - { name: mode, in: query, required: true, schema: { type: string, enum: [fast, slow] } }
        - { name: count, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
        - { name: X-Origin, in: header, required: true, schema: { type: string, minLength: 4, maxLength: 12 } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [label]
              properties:
                label: { type: string, minLength: 2, maxLength: 20 }
                rank: { type: integer, minimum: 1, maximum: 9 }
                day: { type: string, format: date }
      responses:
        "200":
          description: Done.
          content:
            application/json:
              schema:
                type: object
                required: [state]
                properties:
                  state: { type: string, enum: [done, pending] }
                  rank: { type: integer }
        "400": { description: Refused. }
        "401": { description: Not authenticated. }
        "404": { description: Not found. }
`;

const withOperation = async (service: Contract["service"], path: string): Promise<Contract> => {
  const folder = join(await temporary(), service);
  await cp(schemasFolder(service), folder, { recursive: true });
  const file = join(folder, "openapi.yaml");
  const text = await readFile(file, "utf8");
  await writeFile(
    file,
    text.replace("\npaths:\n", () => `\nx-level: documented\npaths:${operationAt(path)}`),
  );
  return loadContract(service, { folder });
};

for (const { policy, path, trials: expected } of CASES) {
  test.describe(`an operation that is added to ${policy.service}`, () => {
    let contract: Contract;
    let trials: Trial[];

    test.beforeAll(async () => {
      contract = await withOperation(policy.service, path);
      trials = generatedTrials(contract, policy).filter(({ operations }) =>
        operations.includes("trySynthetic"),
      );
    });

    test("has a trial for each of its requirements, and all of them pass", async () => {
      const names = trials.map(({ id }) => id.replace("trySynthetic/", ""));
      expect(names.filter((name) => !name.startsWith("rule/"))).toEqual(expected);
      for (const place of ["parameter.code", "parameter.mode", "parameter.count", "parameter.X-Origin"]) {
        expect(names.filter((name) => name.startsWith(`rule/${place}.`))).not.toEqual([]);
      }
      const verdicts = await onSandbox({ contract }, async (session) =>
        verdictsOf(await runAll(session, trials)),
      );
      const own = contract.requirements.filter(
        ({ operations, subject }) =>
          operations.includes("trySynthetic") && operations.length === 1 && subject === "service",
      );
      expect(own.length).toBeGreaterThan(10);
      for (const { id } of own) expect.soft(verdicts.get(id), id).toBe("passed");
    });

    for (const [where, setting] of [
      ["", {}],
      [", also on a target that keeps its results", EXTERNAL],
    ] as const) {
      test(`fails with each of its faults${where}`, async () => {
        const faults = faultsIn(await listDeviations([contract])).filter(({ id }) =>
          id.includes("trySynthetic"),
        );
        expect(faults.length).toBeGreaterThan(10);
        await withSandbox({ contract, ...setting }, async (within) => {
          for (const { id, violates } of faults) {
            const named = trials.filter(({ requirements }) => requirements.includes(violates));
            const verdicts = await within([id], async (session) => verdictsOf(await runAll(session, named)));
            expect.soft(["failed", "advisory"], id).toContain(verdicts.get(violates));
          }
        });
      });
    }

    test("is called less often for its limits if a target keeps its results", async () => {
      const shapes = trials.filter(({ id }) => id.includes("/rule/request."));
      const [alone, together] = [
        await acceptedBodies({ contract }, shapes),
        await acceptedBodies({ contract, ...EXTERNAL }, shapes),
      ];
      for (const isLimit of LIMITS) expect(together.some(isLimit), `${isLimit}`).toBe(true);
      expect(together.length).toBeLessThan(alone.length);
    });
  });
}
