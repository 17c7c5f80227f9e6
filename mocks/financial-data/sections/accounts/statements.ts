/** Account statements, pay statements, and the files of both. */
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { dateOf } from "../../../engine/values/units.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, customerIn, isChallenged, pathValue, readAccount, refuseOtherTypes } from "../../found.ts";
import type { Section } from "../../section.ts";
import { type Account, DOCUMENTED_TYPES } from "../../state/account.ts";
import { assetOf, storeAsset } from "../../state/assets.ts";
import type { State } from "../../state/state.ts";
import {
  indexOf,
  MOST_STATEMENTS,
  type Statement,
  statementAsset,
  statementAt,
} from "../../state/statements.ts";

/** @returns the account, or `undefined` when the client must answer a challenge first */
const opened = (state: State, call: Call): Account | undefined => {
  const account = readAccount(state, call);
  const types = call.faulty("statements-without-student-loans")
    ? DOCUMENTED_TYPES.slice(0, -1)
    : DOCUMENTED_TYPES;
  refuseOtherTypes(account, types);
  const lenient = call.faulty(`statements-without-challenge-${call.operation.operationId}`);
  return isChallenged(state, account) && !lenient ? undefined : account;
};

/** Returns the statement at the index. A fault extends the history by doubling the index. */
const at = (state: State, { faulty }: Call, index: number): Statement => {
  const statement = statementAt(state, faulty("statements-of-48-months") ? index * 2 : index);
  return { ...statement, index };
};

/** Reads indexes such as `1,2,3`, without duplicates, in the requested order. */
const indexesIn = ({ query, faulty }: Call): readonly number[] => {
  const indexes = [
    ...new Set(
      String(query.index ?? "1")
        .split(",")
        .map((text) => Number(text.trim() || Number.NaN)),
    ),
  ];
  const valid = indexes.every((index) => Number.isInteger(index) && index >= 1 && index <= MOST_STATEMENTS);
  if (!valid || (indexes.length > MOST_STATEMENTS / 2 && faulty("statements-twelve-at-most")))
    throw refused("no-such-statement");
  if (indexes.length === MOST_STATEMENTS && faulty("statements-one-too-many"))
    return [...indexes, MOST_STATEMENTS + 1];
  return indexes;
};

const detailOf = (state: State, { faulty }: Call, account: Account, statement: Statement): Fields => {
  const { id } = statementAsset(state, account, statement);
  return {
    index: String(statement.index),
    id: faulty("statements-of-unknown-asset") ? state.identifiers.uuid("no-asset", id) : id,
    asOfDate: statement.until - 1,
    documentDate: dateOf(statement.until),
    description: `${account.name} ${statement.month}`,
  };
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes a file. Not every document requires base64, so any other text is stored unchanged. */
const contentOf = (statement: string): Buffer =>
  Buffer.from(statement, BASE64.test(statement) ? "base64" : "utf8");

const LINE_END = Buffer.from("\n");

const fileOf = ({ operation }: Call, content: Buffer): Answer => {
  const documented = operation.responses[200]?.content ?? {};
  const known = KINDS.find(([start]) => content.subarray(0, start.length).equals(start))?.[1];
  const contentType =
    known !== undefined && Object.hasOwn(documented, known) ? known : "application/octet-stream";
  return { status: 200, raw: { content, contentType } };
};

/** Content types by the first bytes of a file. */
const KINDS: readonly [start: Buffer, contentType: string][] = [
  [Buffer.from("%PDF-"), "application/pdf"],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47]), "image/png"],
  [Buffer.from([0xff, 0xd8, 0xff]), "image/jpeg"],
];

export const statements: Section = {
  handlers: {
    GetCustomerAccountStatement(state, call) {
      const index = indexOf(call.query.index);
      const account = opened(state, call);
      if (account === undefined) return success(state, call, {}, { status: 203 });
      const statement = at(state, call, index);
      const { content } = statementAsset(state, account, statement);
      const isText =
        call.faulty("statements-as-text") ||
        (/loan/i.test(account.type) && call.faulty("statements-of-loans-as-text"));
      return fileOf(call, isText ? Buffer.from("Statement") : content);
    },
    GetCustomerAccountMultipleStatement(state, call) {
      const indexes = indexesIn(call);
      const account = opened(state, call);
      if (account === undefined) return success(state, call, {}, { status: 203 });
      const isOfLoan = /loan/i.test(account.type) && call.faulty("statements-one-too-many-of-loans");
      const shown = isOfLoan ? Array.from({ length: MOST_STATEMENTS + 1 }, (_, index) => index + 1) : indexes;
      const statements = shown.map((index) => detailOf(state, call, account, at(state, call, index)));
      // Sent directly, since `success` would cut the list to the contract's maximum.
      if (isOfLoan || call.faulty("statements-one-too-many")) return { status: 200, json: { statements } };
      return success(state, call, { statements }, { key: account.id, made: "required" });
    },
    StoreCustomerPayStatement(state, call) {
      const customer = customerIn(state, call);
      const { statement } = bodyOf(call);
      const id = `${state.newUuid("pay-statement")}-${customer.id}`;
      const sent = contentOf(String(statement));
      const content = call.faulty("statements-asset-as-text") ? Buffer.from(sent.toString()) : sent;
      storeAsset(state, { id, customerId: customer.id, content });
      return success(state, call, { assetId: id }, { key: id });
    },
    GetAssetByCustomerID(state, call) {
      const customer = customerIn(state, call);
      const asset = assetOf(state, customer.id, pathValue(call, "assetId"));
      const { content } = existing(asset, "unknown-asset");
      // The fault adds a line end, as if the file were a text.
      return fileOf(
        call,
        call.faulty("statements-asset-altered") ? Buffer.concat([content, LINE_END]) : content,
      );
    },
  },
};
