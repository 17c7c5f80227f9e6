/** Each row of a service makes what it promises: a trial, a fault, an observation. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { serviceDescriptor, services } from "../../../helpers/contract/services.ts";
import { situationRows } from "../../../helpers/situations/catalogue.ts";
import { differencesIn, faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { relationPairs } from "../../../mocks/engine/deviations/from-relations.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { ROOT } from "../support/command.ts";

for (const service of services()) {
  test(`each requirement of a server of ${service} has a trial, unless nobody can observe it`, async () => {
    const contract = await loadContract(service);
    const tried = new Set((await trialsOf(contract)).flatMap(({ requirements }) => requirements));
    const untried = contract.requirements.filter(
      ({ id, subject, observable }) =>
        subject === "service" && observable !== "not-observable" && !tried.has(id),
    );
    expect(untried.map(({ id }) => id)).toEqual([]);
    const known = new Set(contract.requirements.map(({ id }) => id));
    expect([...tried].filter((id) => !known.has(id))).toEqual([]);
  });

  test(`each relation of ${service} has a trial and a fault for each of its operations`, async () => {
    const contract = await loadContract(service);
    const trials = await trialsOf(contract);
    const violated = new Set(faultsIn(await listDeviations([contract])).map(({ violates }) => violates));
    const rows = relationPairs(contract).map(({ relation: { kind, requirement }, operationId, faults }) => {
      const id = `${service}.${requirement}`;
      const isTried = trials.some(
        (one) => one.requirements.includes(id) && one.operations.includes(operationId),
      );
      // A handler has the faults of limits and orders that no parameter has.
      const hasFault = faults.length > 0 || (WRITTEN.includes(kind) && violated.has(id));
      return [kind, id, operationId, isTried, hasFault];
    });
    expect(rows.filter((row) => row.includes(false))).toEqual([]);
    expect(rows).toHaveLength(contract.relations.flatMap(({ operations }) => operations).length);
  });

  // A permitted difference shows that no server is convicted for the gap.
  test(`each gap of ${service} is named by a permitted difference, and no other gap is`, async () => {
    const contract = await loadContract(service);
    const named = differencesIn(await listDeviations([contract])).flatMap(({ gaps }) => gaps);
    expect(new Set(named)).toEqual(new Set(contract.gaps.map(({ subject }) => subject)));
  });

  test(`each situation of ${service} is named by a trial, a setting or a relation`, async () => {
    const { relations } = await loadContract(service);
    const folders = [`tests/${service}`, `fixtures/${service}`].map((folder) => join(ROOT, folder));
    const code = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFileSync(join(folder, name), "utf8")),
    );
    const text = `${code.join("\n")}${JSON.stringify([relations, serviceDescriptor(service).settings])}`;
    const names = situationRows().flatMap((row) => (row.service === service ? [row.name] : []));
    expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
    const asked = [...text.matchAll(/\bsituation(?:IfOffered)?\("([^"]+)"/g)].map(([, name]) => name);
    expect(asked.filter((name = "") => !names.includes(name))).toEqual([]);
  });
}

/** The kinds of relations whose faults are written beside the handlers. */
const WRITTEN: readonly string[] = ["find", "most", "order"];
