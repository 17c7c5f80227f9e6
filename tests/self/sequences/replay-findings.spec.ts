/** `npm run replay` shows findings of every kind again, on a server that knows nothing of the run that found them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Fault } from "../../../mocks/engine/deviations/deviation.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { certificatePath } from "../../../reports/folder/certificate-file.ts";
import { EVERYTHING_ALLOWED } from "../../../runner/embedded.ts";
import { certify, run } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";

const contracts = await Promise.all(services().map((service) => loadContract(service)));
const faults = faultsIn(await listDeviations(contracts));

/** The number of kinds of faults for each service. */
const KINDS = 10;

/** A server that answers everything with 404 has a wrong address: its run ends with exit code 2. */
const NOT_FOUND = /^card-enrollment\.(path\.post-cards\.elsewhere|version\.no-path-segment\.)/;

/** Returns the first fault of each kind of a service, spread over all kinds: the last segment of the id is the kind. */
const kindsOf = (service: string): Fault[] => {
  const kinds = new Map<string, Fault>();
  for (const fault of faults.filter((one) => one.service === service && !NOT_FOUND.test(one.id))) {
    const kind = fault.id.split(".").at(-1) ?? "";
    if (!kinds.has(kind)) kinds.set(kind, fault);
  }
  const all = [...kinds.values()];
  return all.filter((_, index) => index % Math.floor(all.length / KINDS) === 0).slice(0, KINDS);
};

/** Starts a new server with the fault, which holds only its standing data. */
const serverWith = async ({ id, service }: Fault) => {
  const own = contracts.filter((contract) => contract.service === service);
  const { environment, close } = await startSandbox({
    ...{ services: [service], faults: [id], contracts: own },
  });
  return { close, settings: { ...environment, ...EVERYTHING_ALLOWED } };
};

const target = ["--target", "faulty"];

/** Not all kinds show at quick depth, which external targets have by default. */
const depth = ["--depth", "standard"];

/** Each server has tenants of its own, and each run makes names of its own. */
const withoutOwn = (text: string): string =>
  text.replaceAll(/\/t\/t\d+\//g, "/t/any/").replaceAll(/"\w+ Trading"|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "any");

/** Certifies the violated requirement, or the whole service if only trials of other requirements show the violation. */
const foundBy = async ({ service, violates }: Fault, settings: Record<string, string>) => {
  for (const selection of [["--requirement", violates], []]) {
    const { certificate, out } = await certify(
      [...target, ...depth, "--service", service, ...selection],
      settings,
    );
    const finding = certificate.findings.find(({ requirement }) => requirement === violates);
    if (finding !== undefined) return { finding, out };
  }
  throw new Error(`No finding of ${violates}.`);
};

for (const fault of services().flatMap(kindsOf)) {
  test(`replay shows a finding of ${fault.id} again`, LONG, async () => {
    const [first, second] = [await serverWith(fault), await serverWith(fault)];
    try {
      const { finding, out } = await foundBy(fault, first.settings);
      await first.close();
      const har = JSON.parse(await readFile(join(out, "findings", `${finding.id}.har`), "utf8"));
      expect(har.log.entries.length).toBeGreaterThan(0);
      const again = await run("replay", [certificatePath(out), finding.id, ...target], second.settings);
      expect([again.code, again.stderr]).toEqual([1, ""]);
      expect(again.stdout).toContain("The finding occurs again.");
      expect(withoutOwn(again.stdout)).toContain(withoutOwn(`expected     ${finding.expected}`));
    } finally {
      await Promise.allSettled([first.close(), second.close()]);
    }
  });
}
