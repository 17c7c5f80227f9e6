/**
 * An external server with other field names or a retired operation. The trials that depend on them are not tried, with
 * a reason.
 */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { trials as financialDataTrials } from "../../financial-data/trials.ts";
import { hostileService, type Received } from "../hostile/hostile-server.ts";
import { changing, JSON_TYPE } from "../hostile/mode.ts";
import { ALLOWED, heldAgainst, reasonsOf, runAlone, verdictsOf } from "../support/in-process.ts";
import { closeAll } from "../support/loopback.ts";

const contract = await loadContract("financial-data");
const trials = financialDataTrials(contract);

let sandbox: Sandbox;

test.beforeAll(async () => {
  sandbox = await startSandbox({ contracts: [contract] });
});
test.afterEach(closeAll);
test.afterAll(() => sandbox.close());

/** The renamed fields, each with a trial that needs the field and the binding that restores it. */
const RENAMED = [
  {
    name: "the token",
    method: "POST",
    path: /partners\/authentication$/,
    // With only one text in the body that may be a token, the product would use it.
    rewrite: ({ token }: Json) => ({ sessionKey: token, issuer: "Example-Bank-Data-Services" }),
    trial: "GetInstitutions/success",
    requirement: "GetInstitutions.success",
    bindings: { CreateToken: "/sessionKey" },
  },
  {
    name: "the id of a customer",
    method: "POST",
    path: /customers\/testing$/,
    rewrite: ({ id, ...others }: Json) => ({ ...others, customerNumber: id }),
    trial: "DeleteCustomer/success",
    requirement: "DeleteCustomer.success",
    bindings: { AddTestingCustomer: "/customerNumber" },
  },
  {
    name: "the status of a report",
    method: "GET",
    path: /customers\/[^/]+\/reports\/[^/?]+/,
    rewrite: ({ status, ...others }: Json) => ({ ...others, state: status }),
    trial: "report-retrieval/reissue",
    requirement: "ReportReissue.lender-required",
    bindings: { GetReportByCustomer: "/state" },
  },
] as const;

type Json = Readonly<Record<string, unknown>>;

for (const { name, method, path, rewrite, trial, requirement, bindings } of RENAMED) {
  const [[operationId = ""] = []] = Object.entries(bindings);

  test(`if ${name} has another name, the dependent requirements advise binding ${operationId}`, async () => {
    const external = await startExternal((request, answer) =>
      request.method === method && path.test(request.path) && answer.status < 300
        ? { ...answer, json: rewrite(answer.json as Json) }
        : answer,
    );
    const id = `financial-data.${requirement}`;
    const unbound = await certify(external, [trial]);
    expect(disgraced(unbound)).toEqual([]);
    expect(verdictsOf(unbound).get(id)).toBe("not-tried");
    expect(reasonsOf(unbound, id)).toContain(`bind ${operationId} in BINDINGS`);
    const bound = await certify(external, [trial], bindings);
    expect(disgraced(bound)).toEqual([]);
    expect(verdictsOf(bound).get(id)).toBe("passed");
  });
}

for (const status of [404, 410]) {
  test(`an operation that answers ${status} after its announced end fails nothing`, async () => {
    const ended = contract.operations.filter(({ sunset }) => sunset !== undefined);
    expect(ended.map(({ operationId }) => operationId)).toEqual([
      "GetAvailableBalance",
      "GetAppRegistrationStatus",
    ]);
    expect(ended.every(({ deprecated }) => deprecated)).toBe(true);
    const external = await startExternal((request, answer) =>
      request.method === "GET" && /\/availableBalance$|partners\/applications(\?|$)/.test(request.path)
        ? { status, json: undefined }
        : answer,
    );
    const about = trials.filter(({ operations }) =>
      ended.some(({ operationId }) => operations.includes(operationId)),
    );
    const pages = await certify(
      external,
      about.map(({ id }) => id),
    );
    expect(disgraced(pages)).toEqual([]);
    for (const { operationId } of ended) {
      expect(verdictsOf(pages).get(`financial-data.${operationId}.success`)).toBe("not-tried");
      expect(reasonsOf(pages, `financial-data.${operationId}.success`)).toContain("as announced");
    }
  });
}

/** Which payload is valid is assumed, so a conflict while arranging shows no violation. */
const CONFLICTS = [
  { of: "a new customer", path: /customers\/testing$/, trial: "DeleteCustomer/success" },
  {
    of: "a resource of the user's customer",
    path: /microentry\/v1\/customers\/[^/]+$/,
    trial: "GetMicroDepositsDetails/success",
  },
] as const;

for (const { of: what, path, trial } of CONFLICTS) {
  test(`if creating ${what} is a conflict, the dependent requirements are not tried`, async () => {
    const external = await startExternal((request, answer) =>
      request.method === "POST" && path.test(request.path)
        ? { status: 409, json: { code: 1, message: "conflict" } }
        : answer,
    );
    const pages = await certify(external, [trial]);
    expect(verdictsOf(pages).get(`financial-data.${trial.replace("/", ".")}`)).toBe("not-tried");
  });
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

interface ExternalServer {
  readonly url: string;
  readonly equipment: Awaited<ReturnType<typeof equip>>;
}

/** Opens a copy of the sandbox with rewritten responses; it does not show that it was built from the contract. */
const startExternal = async (
  rewrite: (request: Received, answer: Answer) => Answer,
): Promise<ExternalServer> => {
  const equipment = await equip(targetOf("external", { ...sandbox.environment, ...ALLOWED }, false));
  const rewritten = changing(({ status, body }, request) => {
    const text = String(body);
    const json = text === "" || text.startsWith("%") ? undefined : (JSON.parse(text) as unknown);
    const answer = rewrite(request, { status, json });
    const written = answer.json === undefined ? "" : JSON.stringify(answer.json);
    return { status: answer.status, body: written, headers: JSON_TYPE };
  });
  return { url: await hostileService(equipment.target.baseUrls[contract.service], rewritten), equipment };
};

const certify = async (
  { url, equipment: { capabilities, target } }: ExternalServer,
  ids: readonly string[],
  bindings: Readonly<Record<string, string>> = {},
): Promise<TrialResult[]> => {
  const chosen = trials.filter(({ id }) => ids.includes(id));
  expect(chosen.length).toBe(ids.length);
  return runAlone(contract, chosen, {
    target: targetOf("external", { ...target.values, FINANCIAL_DATA_BASE_URL: url }, false),
    capabilities: {
      ...capabilities,
      has: (capability) => capability !== "new-implementation" && capabilities.has(capability),
    },
    bindings,
    // The two runs use different customer names.
    tag: Object.keys(bindings).length === 0 ? "a" : "b",
  });
};

/** Returns the failed and the blocked verdicts. */
const disgraced = (pages: readonly TrialResult[]): string[] =>
  heldAgainst(pages).filter((one) => !one.startsWith("advisory"));
