/** Proves the checks of callers: each wrong client is found by the requirement that it violates, no right one is convicted. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { buildMatrix, isProof } from "../../../reports/certificate/matrix.ts";
import { PROOF, QUICK, sizeInLane } from "../../../tests/self/support/lanes.ts";
import { withHalfRows } from "../certifying/half-rows.ts";
import { callerPolicies } from "../certifying/policies.ts";
import { callersOf, openCallerBench } from "../matrix/callers.ts";
import { runSubjects } from "../matrix/halves.ts";
import { exercisesNamed } from "../proxy/exercises.ts";
import type { Send, Setting } from "../subjects/setting.ts";

/** Requirements that traffic never shows: what a client knows, presents or intends is not sent. */
const UNSEEN = [
  "card-enrollment.auth.server-to-server-key",
  "card-enrollment.enrollment.receipt-represents-pushed-account",
  "card-enrollment.request.cardSource.meaning",
  "card-enrollment.response.maskedCard.panExpirationMonth.presentation",
  "card-enrollment.response.maskedCard.panExpirationYear.presentation",
  "financial-data.AccountMatchingScoreDetails.separate-source",
  "financial-data.auth.app-key-from-dashboard",
  "financial-data.psi.fcra-obligations",
  "financial-data.psi.non-fcra-use",
];

/** Sends credentials in the headers that a contract names, instead of the headers of another contract. */
const sendAs =
  ({ securitySchemes }: Contract, other: Contract, send: Send): Send =>
  (sending) => {
    const names = new Map(
      other.securitySchemes.map(({ header }, index) => [
        header.toLowerCase(),
        securitySchemes[index]?.header,
      ]),
    );
    const headers = Object.entries(sending.headers).map(([name, value]) => [names.get(name) ?? name, value]);
    return send({ ...sending, headers: Object.fromEntries(headers) });
  };

for (const service of services()) {
  test(`each requirement of the callers of ${service} has one check, or a reason`, QUICK, async () => {
    const contract = withHalfRows(await loadContract(service), "caller");
    const [policy] = await callerPolicies([contract]);
    const known = new Set(contract.requirements.map(({ id }) => id));
    const checked = policy?.checks.flatMap(Object.keys).map((id) => `${service}.${id}`) ?? [];
    const unseen = Object.keys(policy?.unseen ?? {}).map((id) => `${service}.${id}`);
    expect([...checked, ...unseen].filter((id) => !known.has(id))).toEqual([]);
    const callers = contract.requirements.filter(({ subject }) => subject === "client").map(({ id }) => id);
    const times = (id: string) => [...checked, ...unseen].filter((other) => other === id).length;
    expect(callers.filter((id) => times(id) !== 1)).toEqual([]);
    expect(unseen.sort()).toEqual(UNSEEN.filter((id) => id.startsWith(`${service}.`)));
    const exercises = await exercisesNamed([contract], ["all"]);
    const made = exercises.flatMap(({ requirements }) => requirements.map((id) => `${service}.${id}`));
    expect(made.filter((id) => !known.has(id))).toEqual([]);
  });

  test(`right callers of ${service} get through its exercises, also under other header names`, async () => {
    const contract = await loadContract(service);
    const renamed = contract.securitySchemes.map((scheme) => ({
      ...scheme,
      header: `X-Acme-${scheme.header}`,
    }));
    const { right } = await callersOf(service);
    const thorough = right.filter(({ getsThrough }) => getsThrough !== undefined);
    expect(thorough.length).toBeGreaterThan(0);
    for (const own of [contract, { ...contract, securitySchemes: renamed }]) {
      const bench = await openCallerBench(own);
      for (const client of own === contract ? thorough : thorough.slice(0, 1)) {
        const run = (setting: Setting) =>
          client.run({ ...setting, send: sendAs(own, contract, setting.send) });
        const { exercises, results } = await bench.run({ run }, ["all"]);
        const through = exercises.filter(({ state }) => ["passed", "seen"].includes(state));
        const waiting = exercises.filter(({ state }) => state === "waiting").map(({ id }) => id);
        expect(through.length, `${client.name}, waiting: ${waiting}`).toBeGreaterThanOrEqual(
          client.getsThrough ?? 0,
        );
        const verdicts = results.flatMap(({ entries }) => entries);
        expect(verdicts.filter(({ failure }) => failure !== undefined)).toEqual([]);
      }
      await bench.close();
    }
  });

  test(
    `every wrong caller of ${service} is found by name, and every right one is acquitted`,
    PROOF,
    async () => {
      const contract = await loadContract(service);
      const rows = await runSubjects("caller", contract, sizeInLane({ sample: true, full: false }));
      expect(rows.filter(({ status }) => status !== "by-name" && status !== "acquitted")).toEqual([]);
      expect(isProof(buildMatrix({ startedAt: "", durationMs: 0, cpuMs: 0 }, rows))).toBe(true);
      const shown = new Set(rows.flatMap(({ violates, passed = [] }) => (violates === null ? passed : [])));
      const callers = contract.requirements.filter(({ subject }) => subject === "client").map(({ id }) => id);
      expect(callers.filter((id) => !shown.has(id)).sort()).toEqual(
        UNSEEN.filter((id) => id.startsWith(`${service}.`)),
      );
      // A requirement that right callers meet must have a wrong caller that violates it.
      const { wrong } = await callersOf(service);
      const violated = new Set(wrong.map(({ requirement }) => `${service}.${requirement}`));
      expect(callers.filter((id) => shown.has(id) && !violated.has(id))).toEqual([]);
    },
  );
}
