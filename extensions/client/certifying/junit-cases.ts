/** Turns the verdicts of a certificate into JUnit test cases, one for each requirement of the judged half. */
import type { Service } from "../../../helpers/contract/contract.ts";
import type { Certificate, CertifiedRequirement } from "../../../reports/certificate/certificate.ts";
import { obligesOthers } from "../../../reports/render/coverage.ts";
import type { JunitCase } from "../../../reports/render/junit.ts";

export const requirementCases = (certificate: Certificate, service: Service): JunitCase[] =>
  certificate.requirements
    .filter((requirement) => requirement.service === service && !obligesOthers(requirement))
    .map((requirement) => ({
      name: requirement.id,
      classname: `${service}.${certificate.half}`,
      file: "",
      seconds: 0,
      properties: [["requirement", requirement.id] as const],
      result: resultOf(certificate, requirement),
    }));

const resultOf = (
  { findings }: Certificate,
  { id, statement, verdict, reason, accepted }: CertifiedRequirement,
): JunitCase["result"] => {
  const own = findings.filter(({ requirement }) => requirement === id);
  if (verdict === "failed" && accepted !== true) {
    const [first] = own;
    const text = own.map(({ message, expected, actual, curl, fingerprint }) =>
      [
        message,
        `promised: ${statement}`,
        `expected: ${expected}`,
        `got: ${actual}`,
        ...(curl === "" ? [] : [`curl: ${curl}`]),
        `fingerprint: ${fingerprint}`,
      ].join("\n"),
    );
    return { kind: "failure", message: first?.message ?? "violated", text: text.join("\n\n") };
  }
  if (verdict === "blocked")
    return { kind: "error", message: reason ?? "blocked", text: reason ?? "blocked" };
  if (verdict === "not-tried") return { kind: "skipped", message: reason ?? "not tried" };
  return accepted ? { kind: "skipped", message: "accepted" } : { kind: "passed" };
};
