/** A right server that refuses a known idempotency key with other content. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { certify } from "../support/command.ts";
import { closeAll, web } from "../support/loopback.ts";

test.afterEach(closeAll);

const TRANSFERS = `
openapi: 3.1.0
info: { title: Transfers, version: 1.0.0 }
paths:
  /transfers:
    post:
      operationId: makeTransfer
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string, minLength: 8, maxLength: 64 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Transfer" } } } }
      responses:
        "201": { description: Made. }
        "400": { description: Invalid. }
        "422": { description: The key was used for another transfer. }
components:
  schemas:
    Transfer: { type: object, required: [amount, to], properties: { amount: { type: integer, minimum: 1, maximum: 5000 }, to: { type: string, pattern: "^[A-Z]{2}[0-9]{6}$" }, note: { type: string, maxLength: 20 } } }
`;

const isTransfer = (text: string): boolean => {
  try {
    const { amount, to, note = "" } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    const isAmount = Number.isInteger(amount) && Number(amount) >= 1 && Number(amount) <= 5000;
    const isNote = typeof note === "string" && [...note].length <= 20;
    return isAmount && isNote && typeof to === "string" && /^[A-Z]{2}[0-9]{6}$/.test(to);
  } catch {
    return false;
  }
};

test("a server that refuses a known key with other content violates nothing", async () => {
  const document = test.info().outputPath("transfers.yaml");
  await writeFile(document, TRANSFERS);
  const known = new Map<string, string>();
  const url = await web(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const key = String(request.headers["idempotency-key"] ?? "");
    const isRight = key.length >= 8 && key.length <= 64 && isTransfer(text);
    const status = isRight ? ((known.get(key) ?? text) === text ? 201 : 422) : 400;
    if (status === 201) known.set(key, text);
    response.writeHead(status).end();
  });
  const { code, certificate } = await certify(["--document", document, "--url", url], {
    MAX_REQUESTS_PER_SECOND: "1000",
  });
  expect(certificate.summary).toMatchObject({ failed: 0, advisory: 0, blocked: 0 });
  expect(code).toBe(0);
});
