/** Proves the checks of listeners: each wrong one is found by the requirement that it violates, no right one is convicted. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { run, temporary } from "../../../tests/self/support/command.ts";
import { isInSample, LONG, PROOF, QUICK, sizeInLane } from "../../../tests/self/support/lanes.ts";
import { runSubjects } from "../matrix/halves.ts";
import { startListener } from "../subjects/listener.ts";
import { type Manners, RIGHT } from "../subjects/manners.ts";

for (const [index, service] of ["installments", "financial-data"].entries()) {
  test(
    `every wrong listener of ${service} is found by name, and every right one is acquitted`,
    isInSample(index, 2) ? PROOF : LONG,
    async () => {
      const contract = await loadContract(service);
      const rows = await runSubjects("listener", contract, sizeInLane({ sample: true, full: false }));
      expect(rows.filter(({ status }) => status !== "by-name" && status !== "acquitted")).toEqual([]);
      const shown = new Set(rows.flatMap(({ violates, passed = [] }) => (violates === null ? passed : [])));
      const listeners = contract.requirements
        .filter(({ subject }) => subject === "listener")
        .map(({ id }) => id);
      expect(listeners.filter((id) => !shown.has(id))).toEqual([]);
      const violated = new Set(rows.map(({ violates }) => violates));
      expect([...shown].filter((id) => !violated.has(id))).toEqual([]);
    },
  );
}

test("certify --listener writes a certificate, and refuses what it can't use", QUICK, async () => {
  const listener = await startListener(RIGHT);
  const out = await temporary();
  const url = `http://${listener.host}:${listener.port}/events`;
  const ended = await run("certify", ["--listener", url, "--kind", "report-callback", "--out", out]);
  await listener.close();
  expect(ended.code).toBe(0);
  const certificate = readCertificate(out);
  expect(certificate).toMatchObject({ half: "listener", outcome: "certified", mutation: { score: 100 } });
  const effect = expect.stringContaining("effect in assay.config.yaml");
  const own = certificate?.requirements.filter(({ id }) => id.includes("listener.report-callback"));
  const unproved = own?.filter(({ verdict }) => verdict !== "passed");
  expect(unproved?.map(({ id, reason }) => [id, reason])).toEqual([
    ["financial-data.listener.report-callback.counts-repeated-once", effect],
    ["financial-data.listener.report-callback.loses-no-event", effect],
  ]);
  for (const args of [["--kind", "unheard-of"], [], ["--kind", "webhook", "--listener", "listener"]]) {
    expect((await run("certify", ["--listener", url, ...args, "--out", out])).code).toBe(2);
  }
});

test("a listener that dies is not certified, and advisories are named and can count", async () => {
  const out = await temporary();
  const certified = async (manners: Partial<Manners>, ...more: readonly string[]) => {
    const listener = await startListener({ ...RIGHT, ...manners });
    const url = `http://${listener.host}:${listener.port}/events`;
    const args = ["--listener", url, "--kind", "report-callback", "--out", out, ...more];
    const ended = await run("certify", args);
    await listener.close();
    return ended;
  };
  const dead = await certified({ diesOf: /^null$/ });
  expect(dead.code).toBe(3);
  expect(dead.stdout).toContain("no longer answers");
  const doubtful = await certified({ demands: ["type"] });
  expect(doubtful.code).toBe(0);
  expect(doubtful.stdout).toContain("financial-data.listener.report-callback.accepts-absent-fields");
  expect((await certified({ demands: ["type"] }, "--fail-on", "advisory")).code).toBe(1);
  expect((await certified({}, "--fail-on", "advisory")).code).toBe(0);
});
