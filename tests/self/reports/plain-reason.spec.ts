/** Reasons are sentences for people, and codes in the certificate. */
import { expect, test } from "@playwright/test";
import { plainReason } from "../../../reports/render/plain-reason.ts";
import rows from "../../../reports/render/plain-reasons.json" with { type: "json" };

/** A reason of a certificate for each row, in the order of the rows, and its sentence. */
const EXAMPLES: readonly (readonly [reason: string, sentence: string])[] = [
  ["obliges the caller", "It is about the program that calls the service."],
  ["obliges the listener", "It is about the program that receives messages of the service."],
  ["obliges listeners of another kind", "It is about another kind of listener."],
  ["obliges the service", "It is about the service."],
  ["obliges the service: run without --issuer", "It is about the service: run without --issuer."],
  [
    "obliges the issuer, which is our receiver here",
    "It is about the issuer, and in this run the issuer is our own receiver.",
  ],
  ["not observable", "No request and no answer shows it."],
  ["not shown by traffic: cards may be stored", "Requests do not show it: cards may be stored."],
  ["not selected", "This run did not select it."],
  ["tried in another shard", "Another shard tries it."],
  ["left out by the budget", "The budget of the run was used up before it was tried."],
  [
    "no occasion: the lists in the answer of getPlan were empty",
    "Nothing that was seen could have violated it: the lists in the answer of getPlan were empty.",
  ],
  ["not enough: seen twice", "Too little was seen for a verdict: seen twice."],
  [
    "needs permission: addCard was not sent: it is billable; MAX_BILLABLE_CALLS allows it",
    "A permission is missing: addCard was not sent: it is billable; MAX_BILLABLE_CALLS allows it.",
  ],
  ["needs clock: a day has to pass", "It needs a clock that can be moved: a day has to pass."],
  ["needs deliveries: set RECEIVER_PORT", "It needs deliveries that reach the run: set RECEIVER_PORT."],
  [
    "needs internal-failure, which no client can provoke",
    "It needs the state internal-failure of the server, which no client can cause.",
  ],
  ["needs card-id, which nothing provides", "It needs the resource card-id, and no operation shows one."],
  [
    "needs report: needs permission: addCard was not sent",
    "It needs the resource report, and for this a permission: addCard was not sent.",
  ],
  [
    "needs a finished report: needs permission: addCard was not sent",
    "It needs a finished report, and for this a permission: addCard was not sent.",
  ],
  ["needs account: GetAccounts lists none", "It needs the resource account: GetAccounts lists none."],
  ["needs a frozen consumer: name one", "It needs a frozen consumer: name one."],
];

for (const [reason, sentence] of EXAMPLES) {
  test(`"${reason}" is a sentence`, () => expect(plainReason(reason)).toBe(sentence));
}

test("each row has an example, and an unknown reason becomes a sentence", () => {
  const used = EXAMPLES.map(([reason]) => rows.findIndex(({ code }) => new RegExp(code).test(reason)));
  expect(used).toEqual(rows.map((_, index) => index));
  expect(plainReason("no trial tries it")).toBe("No trial tries it.");
});
