/** The command of a finding, pasted into a shell, shows the violation, on the target itself and with its settings. */
import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { Failure } from "../../../helpers/trials/failure.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Fault } from "../../../mocks/engine/deviations/deviation.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { onOpenSandbox, runAll } from "../support/in-process.ts";
import { PROOF, sizeInLane } from "../support/lanes.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** The number of faults of each service. */
const FAULTS = { sample: 1, full: 14 };

/** An answer, without what differs from call to call. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

for (const service of services()) {
  test(`the commands of findings of ${service} show the violations`, PROOF, async () => {
    test.skip(!hasCurl, "there is no curl on this machine");
    const contract = await loadContract(service);
    const faults = fc.sample(
      fc.shuffledSubarray([...faultsIn(await listDeviations([contract]))], { minLength: 60 }),
      {
        numRuns: 1,
        seed: 1,
      },
    )[0] as Fault[];
    let shown = 0;
    const silent: string[] = [];
    for (const fault of faults) {
      if (shown >= sizeInLane(FAULTS)) break;
      for (const one of await commandsFor(contract, fault)) {
        shown += 1;
        if (!isShown(one)) silent.push(`${fault.id}: ${one.curl}\n${JSON.stringify(one.seen)}`);
      }
    }
    expect(silent).toEqual([]);
    expect(shown).toBeGreaterThanOrEqual(sizeInLane(FAULTS));
  });
}

interface Pasted {
  readonly curl: string;
  readonly pointer: string;
  /** The answer in the finding, the one in the shell, and the one of a sandbox without the fault. */
  readonly seen: Readonly<Record<"recorded" | "pasted" | "right", Answer>>;
}

/** Runs the trials of the requirement that a fault violates. @returns what the command of its first finding shows */
const commandsFor = async (contract: Contract, fault: Fault): Promise<Pasted[]> => {
  const trials = (await trialsOf(contract)).filter(({ requirements }) =>
    requirements.includes(fault.violates),
  );
  const right = await startSandbox({ contracts: [contract] });
  try {
    return await onOpenSandbox(
      { contract, faults: [fault.id], depth: "quick", occasions: false },
      async (session, environment) => {
        const results = await runAll(session, trials.slice(0, 3));
        const failures = results
          .flatMap(({ entries }) => entries)
          .flatMap(({ requirement, failure }) =>
            requirement === fault.violates && failure ? [failure] : [],
          );
        const found = failures.find(({ curl }) => curl !== "");
        if (found === undefined) return [];
        return [
          {
            curl: found.curl,
            pointer: found.pointer,
            seen: {
              recorded: recordedIn(found),
              pasted: await paste(found.curl, environment),
              right: await paste(found.curl, right.environment),
            },
          },
        ];
      },
    );
  } finally {
    await right.close();
  }
};

const recordedIn = ({ exchanges: [first] }: Failure): Answer => ({
  status: first?.response?.status ?? 0,
  body: first?.response?.body ?? "",
});

/** Runs a command in a shell, as a person does who has set the variables. */
const paste = async (curl: string, environment: Readonly<Record<string, string>>): Promise<Answer> => {
  const shell = spawn("sh", {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  shell.stdin.end(curl);
  const printed = await text(shell.stdout);
  const [head = "", ...body] = printed.split("\r\n\r\n");
  return { status: Number(/^HTTP\/[\d.]+ (\d+)/.exec(head)?.[1]), body: body.join("\r\n\r\n") };
};

/** Whether the shell got the answer of the finding, and a right sandbox gives another one. */
const isShown = ({ pointer, seen: { recorded, pasted, right } }: Pasted): boolean =>
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

const valueAt = (body: string, pointer: string): string => {
  let value = parsed(body);
  for (const name of pointer.split("/").slice(1))
    value = (value as Record<string, unknown> | undefined)?.[name];
  return JSON.stringify(value) ?? "";
};
