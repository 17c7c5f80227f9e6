/** The contracts, compared with the documents that they come from. */
import { readFileSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { digestOf, readSource } from "../../../helpers/contract/documents/source-file.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { frozenIds } from "../../../helpers/contract/requirement-set.ts";
import { schemasFolder, services } from "../../../helpers/contract/services.ts";
import { ROOT, temporary } from "../support/command.ts";
import { PROVIDER } from "../support/lanes.ts";
import { shared } from "../support/shared.ts";

/** Returns the ids that were drawn from the documents of a service. */
const drawnIds = (service: string): string[] =>
  frozenIds(readSource(join(ROOT, "tests/self/contract/drawn-ids", `${service}.yaml`)));

for (const service of services()) {
  test(`the register of ${service} has every id of the documents`, async () => {
    const ids = new Set((await loadContract(service)).requirements.map(({ id }) => id));
    const drawn = drawnIds(service);
    expect(drawn.length).toBeGreaterThan(30);
    expect(drawn.filter((id) => !ids.has(id))).toEqual([]);
  });

  test(`the ids that are kept of ${service} are the ids of the documents`, PROVIDER, () => {
    const rows = parse(readFileSync(shared(`requirements/${service}.yaml`), "utf8")) as { id: string }[];
    expect(drawnIds(service)).toEqual(rows.map(({ id }) => id).sort());
  });

  test(`the ids of ${service} are unique, and its rules name existing requirements`, async () => {
    const contract = await loadContract(service);
    const ids = contract.requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(ids);
    const strays = contract.rules.filter(({ requirement }) => !known.has(requirement));
    expect(strays.map(({ requirement }) => requirement)).toEqual([]);
  });
}

const FINANCIAL = await loadContract("financial-data");

const CONTRACTED = new Map(
  FINANCIAL.operations.map(({ operationId, responses }) => [operationId, Object.keys(responses).sort()]),
);

test("financial data has the documented statuses of each operation, 593 in all", () => {
  expect([...CONTRACTED.values()].flat()).toHaveLength(593);
  const rows = [...CONTRACTED].map(([operationId, statuses]) => `${operationId} ${statuses.join(" ")}`);
  // The next test compares them with the document itself.
  expect(digestOf(rows.sort())).toBe(
    "sha256-0b436914376cb0b2ccb806b1c774f9dedf49f12c6c4fc287dd186bc651862c53",
  );
});

test("the statuses of financial data are the statuses of its document", PROVIDER, () => {
  const documented = statusesByOperation(readFileSync(shared("documents/financial-data.md"), "utf8"));
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(CONTRACTED));
});

/** Reads the statuses of each operation. A row ends with its operationId; a sentence above a table covers all its rows. */
const statusesByOperation = (document: string): Map<string, string[]> => {
  const known = new Set(FINANCIAL.operations.map(({ operationId }) => operationId));
  const found = new Map<string, string[]>();
  let common: string[] = [];
  for (const line of document.split("\n")) {
    if (line.startsWith("#")) common = [];
    if (line.startsWith("All are ")) common = statusesIn(line.replaceAll(/\([^)]*\)/g, ""));
    const cells = line.startsWith("|") ? line.split("|").slice(1, -1) : [];
    const operationId = cells.at(-1)?.trim().split(" ")[0] ?? "";
    if (!known.has(operationId)) continue;
    const own = statusesIn(cells.slice(0, -1).join(" "));
    const whole = own.some((status) => status < "300") && own.some((status) => status >= "400");
    found.set(operationId, [...new Set(whole ? own : [...own, ...common])].sort());
  }
  return found;
};

const statusesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w/-])[2-5]\d\d(?!\w)/g)].map(([status]) => status);

test("shapes of financial data are assumed: one requirement per body, with a statement about the body", () => {
  const shapes = FINANCIAL.requirements.filter(({ id }) => /\.(request|response)\.shape$/.test(id));
  expect(shapes.length).toBeGreaterThan(100);
  expect(new Set(shapes.map(({ level }) => level))).toEqual(new Set(["assumed"]));
  expect(shapes.find(({ id }) => id === "financial-data.GetCustomer.response.shape")?.statement).toBe(
    "The body of a GetCustomer response has the assumed shape.",
  );
});

test("each documented parameter of financial data has its words in the document", PROVIDER, () => {
  const text = readFileSync(join(schemasFolder("financial-data"), "parameters.yaml"), "utf8");
  const parameters = Object.values(parse(text) as Record<string, Readonly<Record<string, unknown>>>);
  const sentences = parameters.flatMap(({ "x-sentence": sentence }) => sentence ?? []).map(String);
  const document = readFileSync(shared("documents/financial-data.md"), "utf8");
  expect(sentences.length).toBeGreaterThan(10);
  expect(sentences.filter((sentence) => !document.includes(sentence))).toEqual([]);
});

/** Parameters of an operation that is added to the reading of a document, and whether the load accepts each. */
const PARAMETERS: readonly (readonly [parameter: string, says: RegExp | "loaded"])[] = [
  ["{ name: size, in: query, schema: { type: integer } }", /size: a parameter without a level/],
  [
    "{ name: size, in: query, x-level: documented, schema: { type: integer } }",
    /size: documented without a sentence/,
  ],
  [
    "{ name: size, in: path, required: true, schema: { type: string, maxLength: 3 } }",
    /size: a parameter without a level/,
  ],
  ["{ name: size, in: path, required: true, schema: { type: string } }", "loaded"],
  ["{ name: size, in: query, x-level: assumed, schema: { type: integer } }", "loaded"],
  [
    "{ name: size, in: query, x-level: documented, x-sentence: size of a page, schema: { type: integer } }",
    "loaded",
  ],
];

for (const [parameter, says] of PARAMETERS) {
  test(`the load states what a parameter lacks: ${parameter}`, async () => {
    const folder = join(await temporary(), "installments");
    await cp(schemasFolder("installments"), folder, { recursive: true });
    const file = join(folder, "openapi.yaml");
    const operation = `\n  /sizes/{size}:
    get:
      operationId: getSizes
      parameters: [${parameter}]
      responses: { "200": { description: Sizes. } }`;
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("\npaths:\n", `\npaths:${operation}\n`));
    const load = loadContract("installments", { folder }).then(
      () => "loaded",
      (error: Error) => error.message,
    );
    expect(await load).toMatch(says);
  });
}
