/** Assets: a stored pay statement, and a statement, each read by its asset id. */

import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { accepted, answered, assertAccepted } from "../../../helpers/trials/kit/asking.ts";
import { bodyFor } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { identifierIn, idOf, itemsIn, unbound } from "../../../helpers/trials/kit/reading.ts";
import { judgeAcceptedCall, judgeThat, recordIfConfirmed } from "../../../helpers/trials/kit/verdicts.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Statements, pay statements, assets");
const STORE = "StoreCustomerPayStatement";
const READ = "GetAssetByCustomerID";
const SEVERAL = "GetCustomerAccountMultipleStatement";
const BODY = `${STORE}.request-body`;
const BINARY = `${READ}.returns-binary`;
const FILE = "asset.binary-file";
const ASSET_ID = `${SEVERAL}.asset-id`;

export const assetScenarios: readonly Trial[] = [
  scenario({
    id: "assets/pay-statement",
    title: "a stored pay statement is returned as the same file",
    operations: [STORE, READ],
    requirements: [BODY, BINARY, FILE],
    async run(context) {
      const customer = await context.arrange.need("customer");
      const json = await bodyFor(context, STORE, { customer });
      const stored = await answered(context, STORE, { customer }, { json });
      judgeAcceptedCall(context, BODY, `a valid call of ${STORE}`, stored);
      assertAccepted(context, stored);
      const asset = identifierIn(context, stored, "asset");
      const read = await accepted(context, READ, { customer, asset });
      concludeBinary(context, [BINARY, FILE], read);
      concludeSame(context, read, json);
    },
  }),

  scenario({
    id: "assets/statement",
    title: "a statement is retrieved by its asset id",
    operations: [SEVERAL, READ],
    requirements: [ASSET_ID, BINARY],
    async run(context) {
      const { resources } = await accountOfType(context, "checking", "savings", "creditcard");
      const list = await accepted(context, SEVERAL, resources);
      const [asset] = itemsIn(context, list).flatMap((item) => idOf(context, SEVERAL, "asset", item) ?? []);
      if (asset === undefined) throw unbound(SEVERAL, "asset id");
      const read = await answered(context, READ, { ...resources, asset });
      judgeThat(context, ASSET_ID, isAccepted(read), [read, list], {
        message: "the asset id of a statement retrieves nothing",
        expected: "200",
      });
      if (isAccepted(read)) concludeBinary(context, [BINARY], read);
    },
  }),
];

const concludeBinary = (context: TrialContext, requirements: readonly string[], exchange: Exchange): void => {
  const { headers = {}, body = Buffer.alloc(0), json } = exchange.response ?? {};
  const holds = body.length > 0 && json === undefined;
  judgeThat(context, requirements, holds, [exchange], {
    message: "an asset is not a file",
    expected: "binary content",
    actual: `${headers["content-type"] ?? "no content type"}, ${body.length} bytes`,
  });
};

/** Compares the stored file. Its place in the request body is assumed: it is the longest string, in base64. */
const concludeSame = (context: TrialContext, read: Exchange, json: unknown): void => {
  const texts = Object.values(json as object).filter((value) => typeof value === "string");
  const longest = texts.reduce((one, other) => (other.length > one.length ? other : one), "");
  const sent = Buffer.from(longest, "base64");
  const holds = read.response?.body.equals(sent) === true;
  recordIfConfirmed(context, FILE, holds, [read], {
    confirmed: isConfirmed(context),
    message: "a stored pay statement is returned as another file",
    expected: `the ${sent.length} bytes that were stored`,
    actual: `${read.response?.body.length} bytes`,
  });
};
