/**
 * Each code of a reason has an input that gives it: `reasons.json` names a trial and a world in which it is given, and not
 * given in another, and `settings.json` sandboxes with a trouble or a setting. A run with `--update-snapshots` writes the
 * worlds. Codes that no trial gives have an input in `others.ts`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { SENTENCES } from "../../../helpers/reasons/reason.ts";
import type { SharedValues } from "../../../helpers/trials/occasions/recording.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import advice from "../../../reports/render/advice.json" with { type: "json" };
import { onSandbox, runAll, type Setting } from "../support/in-process.ts";
import { LONG } from "../support/lanes.ts";
import { codesOf, OF_EXTENSIONS, OTHERS } from "./others.ts";
import SEEN from "./reasons.json" with { type: "json" };
import settings from "./settings.json" with { type: "json" };
import { inWorlds, type Told } from "./worlds.ts";

const FILE = fileURLToPath(new URL("./reasons.json", import.meta.url));
const SETTINGS = Object.entries<
  Partial<Setting> & { readonly service: string; readonly trials: string; readonly times?: number }
>(settings as never);
const CODES = Object.values(SENTENCES).flatMap((group) => Object.keys(group));

test("each code has one sentence and an input that gives it, and each advice has its words", () => {
  expect(new Set(CODES).size).toBe(CODES.length);
  const shown = [SEEN, settings, OTHERS].flatMap((table) => Object.keys(table)).concat(OF_EXTENSIONS);
  expect(shown.filter((code) => !CODES.includes(code))).toEqual([]);
  expect(CODES.filter((code) => !shown.includes(code))).toEqual([]);
  expect(Object.keys(advice).sort()).toEqual(Object.keys(SENTENCES).sort());
});

for (const [code, give] of Object.entries(OTHERS))
  test(`the reason ${code} is given`, async () => expect([await give()].flat()).toContain(code));

for (const [code, { service, trials, times = 1, ...setting }] of SETTINGS)
  test(`the reason ${code} is given on one sandbox, and not on another`, async () => {
    const contract = await loadContract(service);
    const chosen = (await trialsOf(contract)).filter(({ id }) => new RegExp(trials).test(id));
    const given = (own: Partial<Setting>, all = chosen): Promise<string[]> =>
      onSandbox({ contract, depth: "quick", occasions: false, values: ALL, ...own }, async (session) =>
        codesOf(await runAll(session, all)),
      );
    expect(await given({})).not.toContain(code);
    expect(await given(setting, Array(times).fill(chosen).flat())).toContain(code);
  });

const ALL = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: "100000" };

/** The targets whose answers are recorded. The second is an external one, without an admin interface and permissions. */
const TARGETS = [{ values: ALL }, { external: true, plain: true }] as const;

/** Returns the codes that a trial gave in one world and not in another, each with such a world. */
const shownBy = (id: string, told: readonly Told[]): (readonly [string, string])[] =>
  [...new Set(told.flatMap(({ codes }) => [...codes]))].flatMap((code) => {
    const isGiven = ({ codes }: Told): boolean => codes.has(code);
    return told.every(isGiven) ? [] : [[code, `${id}: ${told.find(isGiven)?.world}`] as const];
  });

test("each code that is listed as seen is given in a world, and not given in another", LONG, async () => {
  const shown = new Map<string, string>();
  for (const service of services()) {
    const contract = await loadContract(service);
    const trials = await trialsOf(contract);
    const told = new Map(trials.map(({ id }) => [id, [] as Told[]]));
    for (const target of TARGETS) {
      const shared: SharedValues = new WeakMap();
      await onSandbox({ contract, depth: "quick", occasions: false, ...target }, async (session) => {
        for (const trial of trials)
          if (trial.runsAgain !== false)
            await session.run(inWorlds(trial, shared, (one) => told.get(trial.id)?.push(one)));
      });
    }
    for (const [id, worlds] of told)
      for (const [code, world] of shownBy(id, worlds)) if (!shown.has(code)) shown.set(code, world);
  }
  if (["all", "changed"].includes(test.info().config.updateSnapshots)) {
    const rows = [...shown].filter(([code]) => !(code in OTHERS || code in settings)).sort();
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
    return;
  }
  expect(Object.keys(SEEN).filter((code) => !shown.has(code))).toEqual([]);
});
