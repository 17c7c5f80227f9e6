/** Every check holds on the clean sandbox, fails on its fault, and gives the same verdict twice. */
import { readdir } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { CARD_ENROLLMENT_LAWS } from "./card-enrollment-laws.ts";
import { FINANCIAL_DATA_LAWS } from "./financial-data-laws.ts";
import { expectLaw } from "./law.ts";

const LAWS = [
  { contract: await loadContract("card-enrollment"), laws: CARD_ENROLLMENT_LAWS },
  { contract: await loadContract("financial-data"), laws: FINANCIAL_DATA_LAWS },
];

for (const { contract, laws } of LAWS) {
  for (const law of laws) {
    test(`${law.check}: ${law.name} keeps the law`, () =>
      expectLaw({ ...law, fault: `${contract.service}.${law.fault}` }, contract));
  }
}

/** What the checks are made of, and no check itself. */
const NO_CHECKS = ["check"];

test("every check has a law", async () => {
  const folder = new URL("../../../helpers/checks/", import.meta.url);
  const files = (await readdir(folder)).map((file) => file.replace(/\.ts$/, ""));
  const lawless: string[] = [];
  for (const file of files.filter((one) => !NO_CHECKS.includes(one))) {
    const names = Object.keys(await import(`${folder.href}${file}.ts`)).filter((name) =>
      /^check[A-Z]/.test(name),
    );
    const judged = LAWS.flatMap(({ laws }) => laws)
      .filter(({ check }) => check === file)
      .map(({ name }) => name);
    if (names.length === 0 && judged.length === 0) lawless.push(file);
    lawless.push(...names.filter((name) => !judged.includes(name)).map((name) => `${file}: ${name}`));
  }
  expect(lawless).toEqual([]);
});
