/** Sandbox and suite agree on any document of a provider: nothing fails, and no trial crashes. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { isSame } from "../../../helpers/contract/json.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { type Random, randomOf } from "../../../mocks/engine/values/random.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { heldAgainst, onSandbox, runAll } from "../support/in-process.ts";
import { LONG, PROOF } from "../support/lanes.ts";
import { changeSomewhere } from "./document-changes.ts";
import { type Document, operationObjects, ownDocument } from "./own-document.ts";

/** The number of documents, and of those that run in the default lane. */
const DOCUMENTS = 300;
const SAMPLE = 8;

const SERVICES: readonly Service[] = ["financial-data", "installments", "financial-data", "card-enrollment"];
const ALLOWED = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: "1000" };

/** The most trials of one document. They are drawn if the changes concern more. */
const MOST_TRIALS = 25;

for (let index = 0; index < DOCUMENTS; index++) {
  const service = SERVICES[(index + Math.floor(index / SAMPLE)) % SERVICES.length] as Service;
  test(
    `sandbox and suite agree on changed document ${index} of ${service}`,
    index < SAMPLE ? PROOF : LONG,
    async () => {
      const random = randomOf(`document ${index}`);
      const own = await loadContract(service);
      const document = ownDocument(own);
      const before = structuredClone(document);
      const changes = changeSomewhere(document, random, index, own);
      const providerFile = test.info().outputPath("document.json");
      await writeFile(providerFile, JSON.stringify(document));
      const contract = await loadContract(service, { providerFile });
      const trials = concerned(
        await trialsOf(contract),
        operationsThatDiffer(before, document, contract),
        random,
      );
      const results = await onSandbox({ contract, depth: "quick", values: ALLOWED }, (session) =>
        runAll(session, trials),
      );
      expect(heldAgainst(results), changes.join("; ")).toEqual([]);
    },
  );
}

/** Returns the operations whose description, or a schema that they use, differs. */
const operationsThatDiffer = (
  before: Document,
  after: Document,
  { operations }: Contract,
): ReadonlySet<string> => {
  const [old, now] = [operationObjects(before), operationObjects(after)];
  const names = Object.keys(after.components.schemas).filter(
    (name) => !isSame(before.components.schemas[name], after.components.schemas[name]),
  );
  const changed = new Set(names);
  for (let count = -1; count < changed.size; ) {
    count = changed.size;
    for (const [name, schema] of Object.entries(after.components.schemas))
      if (refersTo(schema, changed)) changed.add(name);
  }
  const ids = operations.map(({ operationId }) => operationId);
  return new Set(ids.filter((id) => !isSame(old.get(id), now.get(id)) || refersTo(now.get(id), changed)));
};

const refersTo = (node: unknown, names: ReadonlySet<string>): boolean => {
  if (typeof node !== "object" || node === null) return false;
  return Object.entries(node).some(
    ([key, value]) =>
      (key === "$ref" && names.has(String(value).split("/").at(-1) ?? "")) || refersTo(value, names),
  );
};

const concerned = (trials: readonly Trial[], operations: ReadonlySet<string>, random: Random): Trial[] => {
  const all = trials.filter((trial) => trial.operations.some((one) => operations.has(one)));
  const rank = new Map(all.map((trial) => [trial, random.next()]));
  const drawn = [...all].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
  const kept = new Set(drawn.slice(0, MOST_TRIALS));
  return all.filter((trial) => kept.has(trial));
};
