/** How the operations on statements and assets can break what is promised of them. */
import type { Bend, FaultRow } from "../../../engine/faults/fault.ts";
import { behaviour, refusesParameter, rowsOf, status } from "../../../engine/faults/fault-rows.ts";

const ONE = "GetCustomerAccountStatement";
const SEVERAL = "GetCustomerAccountMultipleStatement";
const ASSET = { operationId: "GetAssetByCustomerID", status: 200 };

const asJson = (operationId: string): Bend[] => [
  {
    kind: "raw",
    when: { operationId, status: 200 },
    content: '{"content":"JVBERi0="}',
    contentType: "application/json",
  },
];

const challenge = (operationId: string): Record<string, Bend[]> => ({
  "no-challenge": behaviour(`statements-without-challenge-${operationId}`),
  "bad-request": status(400, { operationId, status: 203 }),
});

export const STATEMENT_FAULTS: readonly FaultRow[] = rowsOf({
  "asset.binary-file": { "altered-on-the-way": behaviour("statements-asset-altered") },
  [`${ONE}.statement-index`]: {
    ignored: behaviour("statements-index-ignored"),
    refused: refusesParameter(ONE, "index"),
  },
  [`${ONE}.returns-pdf`]: {
    text: behaviour("statements-as-text"),
    "as-json": asJson(ONE),
  },
  [`${ONE}.203-mfa`]: challenge(ONE),
  [`${SEVERAL}.statement-indexes`]: {
    ignored: behaviour("statements-indexes-ignored"),
    refused: refusesParameter(SEVERAL, "index"),
  },
  [`${SEVERAL}.203-mfa`]: challenge(SEVERAL),
  "GetAssetByCustomerID.returns-binary": {
    "as-json": asJson(ASSET.operationId),
    empty: [{ kind: "raw", when: ASSET, content: "" }],
  },
  "statements.24-months": { "48-months": behaviour("statements-of-48-months") },
  "statements.account-types": { "student-loans-refused": behaviour("statements-without-student-loans") },
  [`${SEVERAL}.up-to-24`]: {
    "twelve-at-most": behaviour("statements-twelve-at-most"),
    "one-too-many": behaviour("statements-one-too-many"),
  },
  [`${SEVERAL}.asset-id`]: { unknown: behaviour("statements-of-unknown-asset") },
});
