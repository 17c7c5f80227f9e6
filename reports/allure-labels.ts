/** Says by annotations where Allure files a trial: service, section and requirements, and where to read more of it. */
import type { TestCase } from "@playwright/test/reporter";
import type { TrialFact } from "./certificate.ts";

type Annotation = TestCase["annotations"][number];

/** Beside those that a trial has, of which a requirement's is a story. */
export const allureAnnotations = (
  test: Pick<TestCase, "titlePath">,
  { requirements }: TrialFact,
): Annotation[] => {
  const [, service = "", , section = ""] = test.titlePath();
  return [
    { type: "allure.label.epic", description: service },
    { type: "allure.label.feature", description: section },
    { type: "description", description: requirements.map(linkTo).join("\n") },
  ];
};

/** In the description, since the report makes no link of an address that is relative to it anywhere else. */
const linkTo = (requirement: string): string =>
  `- [${requirement}](../certificate.html#requirement-${requirement})`;
