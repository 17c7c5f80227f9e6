/** A difference that breaks the provider's own document is told from one that the document permits. */
import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { documentBreaks } from "../../../mutation/document-breaks.ts";
import { ownDocument } from "../contract/own-document.ts";

const PLAN = "getPlanApprovalStatus";

const answered = (status: number, json: unknown): Exchange =>
  ({
    operationId: PLAN,
    response: { status, json, body: Buffer.from(JSON.stringify(json)) },
  }) as unknown as Exchange;

const withDocument = async (): Promise<Contract> => {
  const providerFile = test.info().outputPath("provider.json");
  writeFileSync(providerFile, JSON.stringify(ownDocument(await loadContract("installments"))));
  return loadContract("installments", { providerFile });
};

test("an answer of another type breaks the document", async () => {
  const breaks = documentBreaks(await withDocument());
  expect(breaks(answered(200, { status: "APPROVED", callbackUrl: "https://psp.example.com/back" }))).toBe(
    false,
  );
  expect(breaks(answered(200, { status: 7 }))).toBe(true);
  expect(breaks(answered(200, ["APPROVED"]))).toBe(true);
});

test("without a provider's document, no answer breaks it", async () => {
  const breaks = documentBreaks(await loadContract("installments"));
  expect(breaks(answered(200, { status: 7 }))).toBe(false);
});
