/** Assets: a pay statement that is stored and read again, and a statement by the asset id that it was given. */
import {
  accepted,
  answered,
  bodyFor,
  idOf,
  itemsIn,
  operationOf,
} from "../../../fixtures/financial-data/calls.ts";
import { conclude, concludeCall } from "../../../fixtures/financial-data/conclude.ts";
import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { instancesAt } from "../../../helpers/checks/rules.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Statements, pay statements, assets";
const STORE = "StoreCustomerPayStatement";
const READ = "GetAssetByCustomerID";
const SEVERAL = "GetCustomerAccountMultipleStatement";
const BODY = `${STORE}.request-body`;
const BINARY = `${READ}.returns-binary`;
const FILE = "asset.binary-file";
const ASSET_ID = `${SEVERAL}.asset-id`;

export const assetScenarios: readonly Trial[] = [
  scenario(
    {
      id: "assets/pay-statement",
      title: "a stored pay statement is read again as the file that it was",
      section: SECTION,
      operations: [STORE, READ],
      requirements: [BODY, BINARY, FILE],
    },
    async (context) => {
      const customer = await context.arrange.need("customer");
      const json = await bodyFor(context, STORE, { customer });
      const stored = await answered(context, STORE, { customer }, { json });
      concludeCall(context, BODY, stored);
      if (!isAccepted(stored)) throw new NotTried(`${STORE} refused a valid call with ${statusOf(stored)}`);
      const read = await accepted(context, READ, { customer, asset: assetIn(context, stored) });
      concludeBinary(context, [BINARY, FILE], read);
      concludeSame(context, read, json);
    },
  ),

  scenario(
    {
      id: "assets/statement",
      title: "the asset id of a statement retrieves it",
      section: SECTION,
      operations: [SEVERAL, READ],
      requirements: [ASSET_ID, BINARY],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings", "creditcard");
      const list = await accepted(context, SEVERAL, resources);
      const [asset] = itemsIn(context, list).flatMap((item) => idOf(context, SEVERAL, "asset", item) ?? []);
      if (asset === undefined) {
        throw new NotTried(`${SEVERAL} shows no asset id: bind ${SEVERAL} in BINDINGS to where it stands`);
      }
      const read = await answered(context, READ, { ...resources, asset });
      const finding = {
        message: "the asset id of a statement retrieves nothing",
        expected: "200",
        actual: `${statusOf(read)}`,
      };
      conclude(context, ASSET_ID, { holds: isAccepted(read), certain: true, finding }, [read, list]);
      if (isAccepted(read)) concludeBinary(context, [BINARY], read);
    },
  ),
];

const assetIn = (context: TrialContext, stored: Exchange): string => {
  const place = operationOf(context, STORE).produces.find(({ resource }) => resource === "asset");
  const pointer = context.bindings[STORE] ?? place?.pointer ?? "/assetId";
  const [found] = instancesAt(stored.response?.json, pointer);
  if (found !== undefined) return String(found.value);
  throw new NotTried(
    `${STORE} shows no asset id at ${pointer}: bind ${STORE} in BINDINGS to where it stands`,
  );
};

const concludeBinary = (context: TrialContext, suffixes: readonly string[], exchange: Exchange): void => {
  const { headers = {}, body = Buffer.alloc(0), json } = exchange.response ?? {};
  const finding = {
    message: "an asset is no file",
    expected: "binary content",
    actual: `${headers["content-type"] ?? "no content type"}, ${body.length} bytes`,
  };
  const holds = body.length > 0 && json === undefined;
  for (const suffix of suffixes) conclude(context, suffix, { holds, certain: true, finding }, [exchange]);
};

/** How a file is written into the body of a call is assumed: the longest text, in base64. */
const concludeSame = (context: TrialContext, read: Exchange, json: unknown): void => {
  const texts = Object.values(json as object).filter((value) => typeof value === "string");
  const longest = texts.reduce((one, other) => (other.length > one.length ? other : one), "");
  const sent = Buffer.from(longest, "base64");
  const finding = {
    message: "a stored pay statement is read as another file",
    expected: `the ${sent.length} bytes that were stored`,
    actual: `${read.response?.body.length} bytes`,
  };
  const holds = read.response?.body.equals(sent) === true;
  conclude(context, FILE, { holds, certain: context.capabilities.has("new-implementation"), finding }, [
    read,
  ]);
};
