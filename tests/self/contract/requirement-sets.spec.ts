/** Frozen requirement sets: their content, the error for an edited set, and the requirements that are added later. */
import { appendFile, readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { readRequirementSet, requirementSetPath } from "../../../helpers/contract/requirement-set.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import { exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import { renderSummary } from "../../../reports/render/terminal.ts";
import { freeze } from "../../../runner/command/freeze.ts";
import { trials as cardEnrollmentTrials } from "../../card-enrollment/trials.ts";
import { contract, entry, facts, requirement, runInfo, trialResult } from "../reports/reports-data.ts";
import { temporary } from "../support/command.ts";
import { onSandbox } from "../support/in-process.ts";

for (const service of services()) {
  test(`the set of the current version of ${service} is its register`, async () => {
    const { version, requirements, requirementSet } = await loadContract(service);
    const hint =
      `A frozen set is never edited. If ${version} is published: raise info.version in the openapi.yaml of ` +
      `${service} and run: npm run requirements -- --freeze. What stays outside can't fail a certificate.`;
    expect(requirementSet, hint).toMatchObject({ version, requirements: requirements.length });
    expect([requirementSet?.later, requirementSet?.gone], hint).toEqual([[], []]);
  });
}

const three = contract([requirement("c"), requirement("a"), requirement("b")]);
const idsOf = ({ requirements }: Contract): string[] => requirements.map(({ id }) => id);

test("a version is frozen once: freezing the same requirements again writes nothing, and freezing others is refused", async () => {
  const at = await temporary();
  const path = requirementSetPath(at, "1.0.0");
  expect(await freeze(three, at)).toBe("card-enrollment 1.0.0 is frozen with 3 requirements.");
  const text = await readFile(path, "utf8");
  expect(text.split("\n").slice(-4)).toEqual([
    "- card-enrollment.a",
    "- card-enrollment.b",
    "- card-enrollment.c",
    "",
  ]);
  expect(await freeze(three, at)).toMatch(/is already frozen/);
  const other = contract([requirement("a"), requirement("b"), requirement("d")]);
  await expect(freeze(other, at)).rejects.toThrow(
    /its set lacks card-enrollment\.d; it contains, unlike the register, card-enrollment\.c\..* raise info\.version/,
  );
  expect(await readFile(path, "utf8")).toBe(text);
});

test("a set reports added and removed requirements; an edited set is refused", async () => {
  const at = await temporary();
  await freeze(three, at);
  const own = ["card-enrollment.a", "card-enrollment.b", "card-enrollment.later"];
  const all = [...own, "card-enrollment.of-the-provider"];
  expect(readRequirementSet(at, "1.0.0", own, all)).toMatchObject({
    version: "1.0.0",
    requirements: 3,
    later: ["card-enrollment.later"],
    gone: ["card-enrollment.c"],
  });
  expect(readRequirementSet(at, "1.1.0", own, all)).toBeNull();
  const [one, two] = [readRequirementSet(at, "1.0.0", [], []), await temporary()];
  await freeze({ ...three, requirements: [...three.requirements].reverse() }, two);
  expect(readRequirementSet(two, "1.0.0", [], [])?.digest).toBe(one?.digest);
  await appendFile(requirementSetPath(at, "1.0.0"), "- card-enrollment.later\n");
  expect(() => readRequirementSet(at, "1.0.0", own, all)).toThrow(/do not match the digest/);
});

const frozen = (later: readonly string[]): Contract => ({
  ...three,
  requirementSet: { version: "1.0.0", digest: "sha256-11", requirements: 2, later, gone: [] },
});
const LATER = "card-enrollment.c";

const certified = (judged: Contract, entries: readonly LedgerEntry[]) =>
  buildCertificate(
    runInfo(),
    [judged],
    [trialResult([entry("a", "passed"), entry("b", "passed"), ...entries])],
    facts(),
  );

test("a certificate names the requirement set of its verdicts", () => {
  const { contracts } = certified(frozen([LATER]), [entry("c", "passed")]);
  expect(contracts[0]?.requirementSet).toEqual(frozen([LATER]).requirementSet);
  expect(certified(three, []).contracts[0]?.requirementSet).toBeNull();
});

const LATER_CASES = [
  { entries: [entry("c", "passed")], verdict: "passed", reason: null },
  { entries: [entry("c", "failed")], verdict: "advisory", reason: "added after the set of 1.0.0 was frozen" },
  {
    entries: [entry("c", "passed"), entry("c", "blocked", { reason: "the target went away" })],
    verdict: "not-tried",
    reason: "added after the set of 1.0.0 was frozen, and blocked: the target went away",
  },
  {
    entries: [],
    verdict: "not-tried",
    reason: "added after the set of 1.0.0 was frozen, and blocked: no trial tries it",
  },
] as const;

for (const { entries, verdict, reason } of LATER_CASES) {
  const name = entries.map((one) => one.verdict).join(" and ") || "no verdict";
  test(`a later requirement is reported and fails nothing: ${name}`, () => {
    const certificate = certified(frozen([LATER]), entries);
    expect(certificate.requirements.find(({ id }) => id === LATER)).toMatchObject({ verdict, reason });
    expect([certificate.outcome, exitCodeOf(certificate)]).toEqual(["certified", 0]);
    const text = renderSummary(certificate, { color: false, path: "p" });
    expect(text).toContain("1 added after the set of 1.0.0 was frozen, advisory at most");
    const within = certified(frozen([]), entries);
    expect(exitCodeOf(within)).toBe(verdict === "passed" ? 0 : within.summary.failed > 0 ? 1 : 3);
  });
}

test("a violation is a failure if the requirement is in the set, and an advisory if it was added later", async () => {
  const own = await loadContract("card-enrollment");
  const id = "card-enrollment.response.srcCorrelationId.echoed";
  const trials = cardEnrollmentTrials(own).filter(({ requirements }) => requirements.includes(id));
  const setOf = (later: readonly string[]): Contract => ({
    ...own,
    requirementSet: {
      version: own.version,
      digest: "sha256-11",
      requirements: idsOf(own).length,
      later,
      gone: [],
    },
  });
  const faults = [`${id}.another-value`];
  const verdicts = (judged: Contract) =>
    onSandbox({ contract: judged, faults }, async (session) => {
      const [trial] = trials;
      if (trial === undefined) throw new Error(`No trial tries ${id}.`);
      const { entries } = await session.run(trial);
      return entries.filter(({ requirement: one }) => one === id).map(({ verdict }) => verdict);
    });
  expect(await verdicts(setOf([]))).toContain("failed");
  const later = await verdicts(setOf([id]));
  expect(later).toContain("advisory");
  expect(later).not.toContain("failed");
});
