/**
 * Each text of a reason is given in one world, and not given in another. `reasons.json` names a world in which it is given;
 * `null` stands for a text that no world shows yet. A run with `--update-snapshots` writes the file.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { SharedValues } from "../../../helpers/trials/occasions/recording.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { filesIn, ROOT } from "../house/files.ts";
import { reasonsIn, SEEN } from "../house/reasons.ts";
import { onSandbox } from "../support/in-process.ts";
import { LONG } from "../support/lanes.ts";
import { inWorlds, type Told } from "./worlds.ts";

/** The number of texts that no world shows yet. It only falls. */
const OPEN = 71;

const WHERE = ["fixtures", "helpers", "runner", ...services().map((service) => `tests/${service}`)];

const texts = new Set(
  WHERE.flatMap(filesIn).flatMap((path) =>
    reasonsIn(readFileSync(join(ROOT, path), "utf8")).map(({ text }) => text),
  ),
);

test("no text of a reason is listed that the code does not have, and few are not seen yet", () => {
  expect(Object.keys(SEEN).filter((text) => !texts.has(text))).toEqual([]);
  expect(Object.values(SEEN).filter((world) => world === null)).toHaveLength(OPEN);
});

const ALL = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: "100000" };

const patternOf = (text: string): RegExp =>
  new RegExp(
    text
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^]*"),
  );

/** Returns the texts that a trial gave in one world and not in another, each with such a world. */
const shownBy = (id: string, told: readonly Told[]): (readonly [string, string])[] => {
  const given = new Set(told.flatMap(({ reasons }) => [...reasons]));
  return [...texts].flatMap((text) => {
    const pattern = patternOf(text);
    const own = [...given].filter((reason) => pattern.test(reason));
    const isGiven = ({ reasons }: Told): boolean => own.some((reason) => reasons.has(reason));
    const first = own.length === 0 ? undefined : told.find(isGiven);
    return first === undefined || told.every(isGiven) ? [] : [[text, `${id}: ${first.world}`] as const];
  });
};

/** The targets whose answers are recorded. The second is an external one, without an admin interface and permissions. */
const TARGETS = [{ values: ALL }, { external: true, plain: true }] as const;

test("each text that is listed as seen is given in a world, and not given in another", LONG, async () => {
  const shown = new Map<string, string>();
  for (const service of services()) {
    const contract = await loadContract(service);
    const { trials } = (await import(`../../${service}/trials.ts`)) as {
      trials(of: typeof contract): Trial[];
    };
    const told = new Map(trials(contract).map(({ id }) => [id, [] as Told[]]));
    for (const target of TARGETS) {
      const shared: SharedValues = new WeakMap();
      await onSandbox({ contract, depth: "quick", occasions: false, ...target }, async (session) => {
        for (const trial of trials(contract))
          if (trial.runsAgain !== false)
            await session.run(inWorlds(trial, shared, (one) => told.get(trial.id)?.push(one)));
      });
    }
    for (const [id, worlds] of told)
      for (const [text, world] of shownBy(id, worlds)) if (!shown.has(text)) shown.set(text, world);
  }
  if (["all", "changed"].includes(test.info().config.updateSnapshots)) {
    const rows = [...texts].sort().map((text) => [text, shown.get(text) ?? null]);
    const file = fileURLToPath(new URL("./reasons.json", import.meta.url));
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
    return;
  }
  const listed = Object.entries(SEEN).filter(([, world]) => world !== null);
  expect(listed.flatMap(([text]) => (shown.has(text) ? [] : [text]))).toEqual([]);
});
