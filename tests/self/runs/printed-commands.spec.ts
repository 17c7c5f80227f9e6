/** The commands of a finding, pasted into a shell, show the violation, on the target itself and with its settings. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { commandWith } from "../../../helpers/contract/code.ts";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { services } from "../../../helpers/contract/services.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Fault } from "../../../mocks/engine/deviations/deviation.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate, Finding } from "../../../reports/certificate/certificate.ts";
import { runInfo } from "../reports/reports-data.ts";
import { certify, outcomeOf, shell } from "../support/command.ts";
import { onDocument } from "../support/document.ts";
import { onOpenSandbox, runAll } from "../support/in-process.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** The number of faults of each service and of the document. */
const FAULTS = { sample: 2, full: 15 };

/** The number of these faults that may have no command: six of all. */
const MOST_WITHOUT: Readonly<Record<string, number>> = { "card-enrollment": 1, "financial-data": 5 };

type Environment = Readonly<Record<string, string>>;

/** The finding of a fault, the line that replays it, and the settings of the faulty and of a right server. */
interface Found {
  readonly finding: Finding;
  readonly next: string;
  readonly environment: Environment;
  readonly right: {
    readonly environment: Environment;
    readonly base?: readonly [faulty: string, right: string];
  };
}

/** An answer, without what differs from call to call. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Pastes the commands of findings of different faults. @param find returns the finding of a fault, if it has one of one or two calls */
const prove = async (
  contract: Contract,
  find: (fault: Fault, use: (found: Found) => Promise<void>) => Promise<void>,
): Promise<void> => {
  const all = [...faultsIn(await listDeviations([contract]))];
  const [faults = []] = fc.sample(fc.shuffledSubarray(all, { minLength: Math.min(60, all.length) }), {
    ...{ numRuns: 1, seed: 1 },
  });
  const [wrong, without]: [string[], string[]] = [[], []];
  let proved = 0;
  for (const fault of faults) {
    if (proved >= sizeInLane(FAULTS)) break;
    await find(fault, async ({ finding, next, environment, right }) => {
      proved += 1;
      const { curl, noCurl } = finding;
      if (curl === "") without.push(`${fault.id}: ${noCurl}`);
      else {
        const [from = "", to = ""] = right.base ?? [];
        const seen = {
          recorded: recordedIn(finding),
          pasted: await paste(curl, environment),
          right: await paste(curl.replaceAll(from, to), right.environment),
        };
        if (!isShown(finding.pointer, seen)) wrong.push(`${fault.id}: ${curl}\n${JSON.stringify(seen)}`);
      }
      const again = await outcomeOf(shell(next, environment));
      if (!again.stdout.includes("The finding occurs again."))
        wrong.push(`${fault.id}: ${next}\n${again.stdout.slice(-500)}${again.stderr}`);
    });
  }
  test.info().annotations.push({ type: "without a command", description: without.join("\n") });
  expect(wrong).toEqual([]);
  expect(proved).toBe(sizeInLane(FAULTS));
  expect(without.length, without.join("\n")).toBeLessThanOrEqual(MOST_WITHOUT[contract.service] ?? 0);
};

/** Returns the finding of a fault that one or two calls show, and not the many of its trial; with a command if one has it. */
const findingOf = ({ findings }: Certificate, { violates }: Fault): Finding | undefined => {
  const found = findings.filter(
    ({ requirement, sequence, exchanges, noCurl }) =>
      requirement === violates &&
      sequence === undefined &&
      !["calls", "delivery"].includes(noCurl ?? "") &&
      [1, 2].includes(exchanges.length),
  );
  return found.find(({ curl }) => curl !== "") ?? found[0];
};

for (const service of services()) {
  test(`the commands of findings of ${service} show the violations`, PROOF, async () => {
    test.skip(!hasCurl, "there is no curl on this machine");
    const contract = await loadContract(service);
    const trials = await trialsOf(contract);
    const right = await startSandbox({ contracts: [contract] });
    await prove(contract, (fault, use) =>
      onOpenSandbox(
        { contract, faults: [fault.id], depth: "quick", occasions: false },
        async (session, environment) => {
          const own = trials.filter(({ requirements }) => requirements.includes(fault.violates));
          const results = await runAll(session, own.slice(0, 3));
          const target = { name: "sandbox", embedded: true, baseUrls: {}, faults: [fault.id] };
          const info = runInfo({ target, services: [service], seed: 1, depth: "quick" });
          const facts = { trials: [], problems: [], durationMs: 1 };
          const certificate = buildCertificate(info, [contract], results, facts);
          const finding = findingOf(certificate, fault);
          if (finding === undefined) return;
          const file = test.info().outputPath(`${fault.id}.json`);
          writeFileSync(file, JSON.stringify(certificate));
          const next = commandWith("replay", file, finding.id);
          await use({ finding, next, environment, right });
        },
      ),
    ).finally(right.close);
  });
}

const DOCUMENT = fileURLToPath(
  new URL("../../../extensions/document/tests/documents/issues.yaml", import.meta.url),
);

test(
  "the commands of findings of a document whose identifiers are small numbers show the violations",
  PROOF,
  async () => {
    test.skip(!hasCurl, "there is no curl on this machine");
    const root = test.info().outputPath();
    await onDocument(root, "issues", readFileSync(DOCUMENT, "utf8"), async (contract) => {
      const right = await startSandbox({ contracts: [contract] });
      await prove(contract, async (fault, use) => {
        const faulty = await startSandbox({ contracts: [contract], faults: [fault.id] });
        const environment = { ...faulty.environment, TOKEN: faulty.environment.ISSUES_BEARER ?? "" };
        const [own = "", others = ""] = [faulty, right].map(({ baseUrls }) => baseUrls.issues);
        const key = ["--key", "bearer=$TOKEN", "--requirement", fault.violates, "--depth", "quick"];
        const { certificate, stdout } = await certify(
          ["--document", DOCUMENT, "--url", own, ...key],
          environment,
        );
        const finding = findingOf(certificate, fault);
        const next = /^next {2}(.*)$/m.exec(stdout)?.[1] ?? "";
        if (finding !== undefined)
          await use({ finding, next, environment, right: { ...right, base: [own, others] } });
        await faulty.close();
      }).finally(right.close);
    });
  },
);

const recordedIn = ({ exchanges: [first] }: Finding): Answer => ({
  status: first?.response?.status ?? 0,
  body: first?.response?.body ?? "",
});

/** Runs a command in a shell, as a person does who has set the variables. @returns the last answer */
const paste = async (curl: string, environment: Environment): Promise<Answer> => {
  const { stdout } = await outcomeOf(shell(curl, environment));
  const last = stdout.slice(Math.max(0, stdout.search(/HTTP\/[\d.]+ \d{3}(?![\s\S]*HTTP\/[\d.]+ \d{3} )/)));
  const [head = "", ...body] = last.split("\r\n\r\n");
  return { status: Number(/^HTTP\/[\d.]+ (\d+)/.exec(head)?.[1]), body: body.join("\r\n\r\n") };
};

type Seen = Readonly<Record<"recorded" | "pasted" | "right", Answer>>;

/** Whether the shell got the answer of the finding, and a right sandbox gives another one. */
const isShown = (pointer: string, { recorded, pasted, right }: Seen): boolean =>
  pasted.status === recorded.status &&
  (right.status !== pasted.status ||
    (formOf(pasted) === formOf(recorded) &&
      (formOf(right) !== formOf(pasted) || valueAt(right.body, pointer) !== valueAt(pasted.body, pointer))));

/** The status of an answer, and the names and kinds of its values. */
const formOf = ({ status, body }: Answer): string => `${status} ${JSON.stringify(kindsOf(parsed(body)))}`;

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return body === "" ? undefined : "no JSON";
  }
};

const kindsOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(kindsOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, child]) => [name, kindsOf(child)]),
  );
};

const valueAt = (body: string, pointer: string): string =>
  JSON.stringify(atPointer(parsed(body), pointer)) ?? "";
