/** Every check can fail: on a deviation, which the kill matrix runs the suite against, or on an example. */
import { readdir } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { CHECK_EXAMPLES } from "./check-examples.ts";

/** By check: a fault that it finds. The matrix demands that the requirement of the fault finds it. */
const FAULTS: Readonly<Record<string, string>> = {
  checkBin: "card-enrollment.response.maskedCard.panBin.first-pan-digits.of-another-card",
  checkLastFour: "card-enrollment.response.maskedCard.panLastFour.last-pan-digits.of-another-card",
  checkEchoed: "card-enrollment.response.srcCorrelationId.echoed.another-value",
  checkGenerated: "card-enrollment.response.srcCorrelationId.generated-when-absent.constant",
  checkDocumentedStatus: "card-enrollment.putCard.documented-statuses.other-success",
  checkStatusAtEnrollment: "card-enrollment.states.consumer.active-at-enrollment.suspended",
  checkErrorBody: "card-enrollment.error.either-shape-complete.neither",
  checkErrorSource: "card-enrollment.error.detail.source-names-parameter.another-parameter",
  checkErrorStatus: "card-enrollment.errors.INVALID_ARGUMENT.missing-mandatory.other-status",
  checkDetailsInBody: "card-enrollment.errors.INVALID_ARGUMENT.sample-detail.header-source-type",
  checkMessage: "card-enrollment.errors.INVALID_ARGUMENT.sample-message.empty",
  checkSame:
    "card-enrollment.request.consumer.consumerIdentity.identityValue.locates-profile.new-profile-each-time",
  checkDistinct: "card-enrollment.response.maskedCard.srcDigitalCardId.unique.one-for-all",
  checkJsonBody: "card-enrollment.response.json-body.success-as-html",
  checkNowhereInClear: "card-enrollment.response.card-and-consumer-records-masked.pan-in-clear",
  checkLooksMasked: "card-enrollment.response.maskedAddress.values-masked.line1-in-clear",
  checkAccepted: "card-enrollment.request.srcCorrelationId.optional.demanded",
  checkRetryAfter: "card-enrollment.errors.503.retry-after.unreadable",
  checkRules: "card-enrollment.response.200.schema.empty-object",
  checkTimeOfEvent: "card-enrollment.response.maskedCard.dateOfCardCreated.is-enrollment-time.in-the-past",
  checkOwnResource: "financial-data.GetCustomer.own-resource.cached-by-operation",
  checkOrder: "financial-data.transactions.sorted-by-transactionDate.by-amount",
};

test("each fault that proves a check exists", async () => {
  const contracts = await Promise.all(services().map((service) => loadContract(service)));
  const known = faultsIn(await listDeviations(contracts)).map(({ id }) => id);
  expect(Object.values(FAULTS).filter((fault) => !known.includes(fault))).toEqual([]);
});

for (const { name, right, wrong } of CHECK_EXAMPLES)
  test(`${name} passes on the right example, fails on the wrong one, and gives the same verdict twice`, () => {
    expect(right()?.holds).toBe(true);
    const result = wrong();
    expect(result).toMatchObject({ holds: false });
    for (const text of [result?.message, result?.expected, result?.actual]) expect(text).toMatch(/\S/);
    expect(wrong()).toEqual(result);
  });

/** Files in the folder of the checks that contain no check. */
const NO_CHECKS = ["fields"];

test("every check has a fault or an example", async () => {
  const folder = new URL("../../../helpers/checks/", import.meta.url);
  const files = (await readdir(folder)).map((file) => file.replace(/\.ts$/, ""));
  const shown = [...Object.keys(FAULTS), ...CHECK_EXAMPLES.map(({ name }) => name)];
  const unproved: string[] = [];
  for (const file of files.filter((one) => !NO_CHECKS.includes(one))) {
    const names = Object.keys((await import(`../../../helpers/checks/${file}.ts`)) as object);
    const checks = names.filter((name) => /^check[A-Z]/.test(name));
    if (checks.length === 0) unproved.push(file);
    unproved.push(...checks.filter((name) => !shown.includes(name)).map((name) => `${file}: ${name}`));
  }
  expect(unproved).toEqual([]);
});
