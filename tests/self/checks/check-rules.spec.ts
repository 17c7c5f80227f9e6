/** Every check passes on the clean sandbox, fails on its fault, and gives the same verdict twice. */
import { readdir } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { CARD_ENROLLMENT_CHECK_RULES } from "./card-enrollment-check-rules.ts";
import { EXAMPLE_CHECK_RULES } from "./example-check-rules.ts";
import { FINANCIAL_DATA_CHECK_RULES } from "./financial-data-check-rules.ts";
import { expectCheckRule, expectExamples } from "./law.ts";

const CHECK_RULES = [
  { contract: await loadContract("card-enrollment"), checkRules: CARD_ENROLLMENT_CHECK_RULES },
  { contract: await loadContract("financial-data"), checkRules: FINANCIAL_DATA_CHECK_RULES },
];

for (const { contract, checkRules } of CHECK_RULES) {
  for (const checkRule of checkRules) {
    test(`${checkRule.check}: ${checkRule.name} follows the check rule`, () =>
      expectCheckRule({ ...checkRule, fault: `${contract.service}.${checkRule.fault}` }, contract));
  }
}

for (const example of EXAMPLE_CHECK_RULES)
  test(`${example.check}: ${example.name} follows the check rule`, () => expectExamples(example));

/** Files in the folder of the checks that contain no check. */
const NO_CHECKS = ["fields"];

test("every check has a check rule", async () => {
  const folder = new URL("../../../helpers/checks/", import.meta.url);
  const files = (await readdir(folder)).map((file) => file.replace(/\.ts$/, ""));
  const lawless: string[] = [];
  for (const file of files.filter((one) => !NO_CHECKS.includes(one))) {
    const code = (await import(`../../../helpers/checks/${file}.ts`)) as object;
    const names = Object.keys(code).filter((name) => /^check[A-Z]/.test(name));
    const judged = [...CHECK_RULES.flatMap(({ checkRules }) => checkRules), ...EXAMPLE_CHECK_RULES]
      .filter(({ check }) => check === file)
      .map(({ name }) => name);
    if (names.length === 0 && judged.length === 0) lawless.push(file);
    lawless.push(...names.filter((name) => !judged.includes(name)).map((name) => `${file}: ${name}`));
  }
  expect(lawless).toEqual([]);
});
