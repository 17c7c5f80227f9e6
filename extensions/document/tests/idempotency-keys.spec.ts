/** Right and wrong servers of transfers whose calls have an idempotency key. */
import { expect, test } from "@playwright/test";
import { isInSample, LONG } from "../../../tests/self/support/lanes.ts";
import { type Answer, type Asked, api, closeAll } from "../../../tests/self/support/loopback.ts";
import { certifyDocument } from "./support/certified-document.ts";

test.afterEach(closeAll);

/** @param isRequired whether each call has a key */
const transfers = (isRequired: boolean): string => `
openapi: 3.1.0
info: { title: Transfers, version: 1.0.0 }
paths:
  /transfers:
    post:
      operationId: makeTransfer
      parameters: [{ name: Idempotency-Key, in: header, required: ${isRequired}, schema: { type: string, minLength: 8, maxLength: 64 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Transfer" } } } }
      responses:
        "200": { description: Made before., content: { application/json: { schema: { $ref: "#/components/schemas/Made" } } } }
        "201": { description: Made., content: { application/json: { schema: { $ref: "#/components/schemas/Made" } } } }
        "202": { description: Being made. }
        "204": { description: Made before. }
        "400": { description: Invalid. }
        "409": { description: The key is known. }
        "422": { description: The key was used for another transfer. }
  /transfers/{id}:
    get:
      operationId: readTransfer
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200": { description: One., content: { application/json: { schema: { $ref: "#/components/schemas/Made" } } } }
        "404": { description: Unknown. }
components:
  schemas:
    Transfer: { type: object, required: [amount, to], properties: { amount: { type: integer, minimum: 1, maximum: 5000 }, to: { type: string, pattern: "^[A-Z]{2}[0-9]{6}$" }, note: { type: string, maxLength: 20 } } }
    Made: { allOf: [{ $ref: "#/components/schemas/Transfer" }, { type: object, properties: { id: { type: string }, at: { type: string, format: date-time } } }] }
`;

const transferIn = ({ amount, to, note = "" }: Asked["fields"]): object | undefined => {
  const isAmount = Number.isInteger(amount) && Number(amount) >= 1 && Number(amount) <= 5000;
  const isNote = typeof note === "string" && [...note].length <= 20;
  const isRight = isAmount && isNote && typeof to === "string" && /^[A-Z]{2}[0-9]{6}$/.test(to);
  return isRight ? { amount, to, note } : undefined;
};

interface Made {
  readonly id: string;
  readonly text: string;
  readonly json: object;
}

interface Manner {
  readonly isOptional?: true;
  /** What a call is known by: its key, unless the server has another way. */
  readonly knownBy?: (key: string, text: string) => string;
  /** Answers a known call. */
  readonly again?: (made: Made) => Answer;
  readonly hidesId?: true;
}

const server = ({ isOptional, knownBy = (key) => key, again, hidesId }: Manner): Promise<string> => {
  const known = new Map<string, Made>();
  const made = new Map<string, Made>();
  return api(({ method, path, headers, text, fields }) => {
    if (method === "GET") {
      const one = made.get(path.replace("/transfers/", ""));
      return one === undefined ? 404 : { status: 200, json: one.json };
    }
    const { "idempotency-key": sent } = headers;
    const key = String(sent ?? "");
    const isRight = isOptional && sent === undefined ? true : key.length >= 8 && key.length <= 64;
    const transfer = transferIn(fields);
    if (!isRight || transfer === undefined) return 400;
    const first = sent === undefined ? undefined : known.get(knownBy(key, text));
    if (first !== undefined && knownBy(key, text) === key && first.text !== text) return 422;
    if (first !== undefined) return again?.(first) ?? { status: 201, json: first.json };
    const id = `t-${made.size * 13 + 7}`;
    const at = new Date().toISOString();
    const one = { id, text, json: { ...transfer, at, ...(!hidesId && { id }) } };
    made.set(id, one);
    known.set(knownBy(key, text), one);
    return { status: 201, json: one.json };
  });
};

let calls = 0;

const ROWS: readonly (readonly [what: string, manner: Manner, verdict: string])[] = [
  ["answers as before", {}, "passed"],
  ["knows optional keys", { isOptional: true }, "passed"],
  [
    "answers 200 at another time",
    { again: ({ json }) => ({ status: 200, json: { ...json, at: "2026-01-01T00:00:00Z" } }) },
    "passed",
  ],
  ["refuses a known key with 409", { again: () => ({ status: 409 }) }, "passed"],
  ["refuses a known key with 422", { again: () => ({ status: 422 }) }, "passed"],
  ["refuses a known key with 400", { again: () => ({ status: 400 }) }, "passed"],
  ["works on the first call", { again: () => ({ status: 202, json: { id: "j-1" } }) }, "not-tried"],
  ["shows no identifier again", { again: () => ({ status: 204 }) }, "not-tried"],
  ["shows no identifier", { hidesId: true }, "not-tried"],
  ["makes one of each content", { knownBy: (_, text) => text }, "not-tried"],
  ["ignores keys", { knownBy: () => String(++calls) }, "advisory"],
  ["ignores optional keys", { isOptional: true, knownBy: () => String(++calls) }, "advisory"],
];

for (const [index, [what, manner, verdict]] of ROWS.entries())
  test(`a server that ${what}: ${verdict}`, isInSample(index, 4) ? {} : LONG, async () => {
    const { certificate, of } = await certifyDocument(transfers(!manner.isOptional), await server(manner));
    const once = of("transfers.makeTransfer.once-per-key");
    expect([once?.level, once?.verdict, once?.reason]).toEqual([
      "assumed",
      verdict,
      verdict === "not-tried" ? expect.any(String) : null,
    ]);
    const advisory = verdict === "advisory" ? 1 : 0;
    expect(certificate.summary).toMatchObject({ failed: 0, advisory, blocked: 0 });
  });
