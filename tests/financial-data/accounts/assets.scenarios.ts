/** Assets: a stored pay statement, and a statement, each read by its asset id. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, unbound } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Statements, pay statements, assets");
const STORE = "StoreCustomerPayStatement";
const READ = "GetAssetByCustomerID";
const SEVERAL = "GetCustomerAccountMultipleStatement";
const BODY = `${STORE}.request-body`;
const BINARY = `${READ}.returns-binary`;
const FILE = "asset.binary-file";
const ASSET_ID = `${SEVERAL}.asset-id`;

export const assetScenarios = [
  scenario("assets/pay-statement", {
    title: "a stored pay statement is returned as the same file",
    operations: [STORE, READ],
    requirements: [BODY, BINARY, FILE],
    async run(t) {
      const customer = await t.arrange.need("customer");
      const json = await t.bodyFor(STORE, { customer });
      const stored = await t.answered(STORE, { customer }, { json });
      t.judgeAcceptedCall(BODY, `a valid call of ${STORE}`, stored);
      t.assertAccepted(stored);
      const asset = t.identifierIn(stored, "asset");
      const read = await t.accepted(READ, { customer, asset });
      concludeBinary(t, [BINARY, FILE], read);
      concludeSame(t, read, json);
    },
  }),

  scenario("assets/statement", {
    title: "a statement is retrieved by its asset id",
    operations: [SEVERAL, READ],
    requirements: [ASSET_ID, BINARY],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings", "creditcard");
      const list = await t.accepted(SEVERAL, resources);
      const [asset] = t.itemsIn(list).flatMap((item) => t.idOf(SEVERAL, "asset", item) ?? []);
      if (asset === undefined) throw unbound(SEVERAL, "asset id");
      const read = await t.answered(READ, { ...resources, asset });
      t.judgeThat(ASSET_ID, isAccepted(read), [read, list], {
        message: "the asset id of a statement retrieves nothing",
        expected: "200",
      });
      if (isAccepted(read)) concludeBinary(t, [BINARY], read);
    },
  }),
];

const concludeBinary = (t: T, requirements: readonly string[], exchange: Exchange): void => {
  const { headers = {}, body = Buffer.alloc(0), json } = exchange.response ?? {};
  const holds = body.length > 0 && json === undefined;
  t.judgeThat(requirements, holds, [exchange], {
    message: "an asset is not a file",
    expected: "binary content",
    actual: `${headers["content-type"] ?? "no content type"}, ${body.length} bytes`,
  });
};

/** Compares the stored file. Its place in the request body is assumed: it is the longest string, in base64. */
const concludeSame = (t: T, read: Exchange, json: unknown): void => {
  const texts = Object.values(json as object).filter((value) => typeof value === "string");
  const longest = texts.reduce((one, other) => (other.length > one.length ? other : one), "");
  const sent = Buffer.from(longest, "base64");
  const holds = read.response?.body.equals(sent) === true;
  t.recordIfConfirmed(FILE, holds, [read], {
    message: "a stored pay statement is returned as another file",
    expected: `the ${sent.length} bytes that were stored`,
    actual: `${read.response?.body.length} bytes`,
  });
};
