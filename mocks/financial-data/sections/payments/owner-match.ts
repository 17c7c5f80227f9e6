/** Owner match: scores how well a name and other data match the institution's data about the account holder. */
import { editDistances } from "../../../../helpers/contract/nearest.ts";
import { type Fields, fieldsIn } from "../../../engine/values/fields.ts";
import { editAt } from "../../../engine/values/pointer.ts";
import { refused, success } from "../../answers.ts";
import { bodyOf, loginOf, readAccount } from "../../found.ts";
import { holderFields } from "../../payment-fields.ts";
import type { Handler } from "../../section.ts";
import { addressLine, nameOf, type Owner, ownerOf } from "../../state/owners.ts";
import { SILENT } from "../accounts/account-situations.ts";

export const matchOwner: Handler = (state, call) => {
  if (call.differs("match-not-offered")) throw refused("operation-ended");
  const account = readAccount(state, call);
  const isSilent = loginOf(state, account)?.marks.has(SILENT) === true;
  if (isSilent && !call.faulty("payments-match-never-times-out")) throw refused("timed-out");
  const score: typeof closeness = call.faulty("payments-match-reversed")
    ? (one, other) => 100 - closeness(one, other)
    : closeness;
  const holder = holderFields(state, account, call.query.insights === true);
  const scores = scoresOf(bodyOf(call), ownerOf(state, account), score);
  const holders = [{ ...holder, ...scoredParts(holder, scores), nameScores: scores.name }];
  const answer = success(state, call, { holders }, { key: account.id, made: "required" });
  const isBeyond = Object.keys(bodyOf(call)).length === 1 && call.faulty("payments-match-beyond-100-by-name");
  const pointer = "/holders/0/nameScores/ownerName";
  return isBeyond ? { ...answer, json: editAt(answer.json, pointer, { set: 101 }) } : answer;
};

const scoresOf = (body: Fields, owner: Owner, score: typeof closeness) => {
  const name = fieldsIn(body.name);
  const address = fieldsIn(body.address);
  const given = (fields: Fields, known: Fields): Record<string, number> =>
    Object.fromEntries(
      Object.entries(known).flatMap(([key, value]) =>
        typeof fields[key] === "string" ? [[key, score(fields[key], String(value))]] : [],
      ),
    );
  const full =
    typeof body.name === "string"
      ? body.name
      : joined(name, ["firstName", "middleName", "lastName", "suffix"]);
  const { firstName, lastName, phone, email } = owner;
  const whole = joined(address, ["line1", "line2", "line3", "city", "state", "postalCode"]);
  return {
    name: { ownerName: score(full, nameOf(owner)), ...given(name, { firstName, lastName }) },
    address: {
      ...(whole !== "" && { ownerAddress: score(whole, addressLine(owner)) }),
      ...given(address, { ...owner.address, country: "US" }),
    },
    phone: given(body, { phone }),
    email: given(body, { email }),
  };
};

const joined = (fields: Fields, names: readonly string[]): string =>
  names.flatMap((name) => (typeof fields[name] === "string" ? [fields[name]] : [])).join(" ");

/** Adds scores to the requested parts only. */
const scoredParts = (holder: Fields, { address, phone, email }: ReturnType<typeof scoresOf>): Fields => ({
  addresses: withScores(holder.addresses, "addressScores", address),
  phones: withScores(holder.phones, "phoneScores", phone),
  emails: withScores(holder.emails, "emailScores", email),
});

const withScores = (items: unknown, name: string, scores: Record<string, number>): unknown =>
  Object.keys(scores).length === 0 ? items : (items as Fields[]).map((item) => ({ ...item, [name]: scores }));

/** Scores 100 for equal texts, less for each different letter, and 0 for no similarity. Ignores case and punctuation. */
const closeness = (one: string, other: string): number => {
  const [a, b] = [plain(one), plain(other)];
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 0 : Math.round(100 * (1 - (editDistances(a, b)[b.length] ?? 0) / longest));
};

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@]+/gu, " ")
    .trim()
    .slice(0, 200);
