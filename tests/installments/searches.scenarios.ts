/** Searches by one criterion at a time: they return the merchants that match, and no others. */
import { type FoundItem, listedItems } from "../../fixtures/installments/calls.ts";
import type { Merchant, Participation } from "../../fixtures/installments/steps.ts";
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { holdsText, holdsValue } from "../../helpers/flows/delivery.ts";
import { contentOf, forSession, isAccepted, shared } from "../../helpers/trials/kit/language.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

interface Criterion {
  readonly requirement: string;
  readonly field: keyof Merchant;
  readonly words: string;
  /** A value that the merchant does not have. */
  readonly other: string;
  /** Returns other values that are equal to the merchant's in part. A search for a part of a name may find it. */
  readonly similar: (value: string) => readonly string[];
}

/** Returns values of the same length that differ in the last digit, or in the first one. */
const similarNumbers = (digits: string): readonly string[] => {
  const after = (digit: string | undefined): string => String((Number(digit) + 1) % 10);
  return [`${digits.slice(0, -1)}${after(digits.at(-1))}`, `${after(digits[0])}${digits.slice(1)}`];
};

const CRITERIA: readonly Criterion[] = [
  {
    requirement: "by-merchant-name",
    field: "merchantLegalName",
    words: "merchant name",
    other: "Example Unheard Of Trading",
    similar: () => [],
  },
  {
    requirement: "by-country-code",
    field: "countryCode",
    words: "country code",
    other: "GBR",
    // Uganda begins and ends with the letters of the country of the merchant.
    similar: () => ["UGA"],
  },
  {
    requirement: "by-acquirer-ica",
    field: "acquirerICA",
    words: "acquirer ICA",
    other: "999998",
    similar: similarNumbers,
  },
];

const SHOWS_STATUS = "merchants.searches.returns-participation-status";
const MIDS_OF = "merchants.mids.searches.by-merchant";

/** A value that may identify something, in JSON. */
const IDENTIFIER = /[\w-]*\d{4}[\w-]*/g;

const scenario = scenariosIn("Endpoints");

const byCriterion = (criterion: Criterion): Trial =>
  scenario(`searches/${criterion.requirement}`, {
    title: `merchants are found by ${criterion.words}, and only those that match`,
    operations: ["postMerchantSearches"],
    requirements: [`merchants.searches.${criterion.requirement}`],
    run: (t) => searchBy(t, criterion),
  });

const searchBy = async (t: T, { requirement, field, words, other, similar }: Criterion): Promise<void> => {
  const { merchant } = await t.participatingMerchant();
  const call = (value: string) =>
    t.completed({ operationId: "postMerchantSearches", json: { [field]: value } }, merchant);
  const suffix = `merchants.searches.${requirement}`;
  const matching = await t.answeredCall({ ...call(merchant[field]), query: { limit: 500 } });
  // A refusal proves something next to a search by another criterion that is accepted.
  if (!isAccepted(matching) && !(await isShownByOthers(t, field)))
    await t.acceptedCall(call(merchant[field]), [suffix]);
  // Each way to search may have an index of its own.
  const found = await t.readUntil(
    () => t.findItem(call(merchant[field]), merchant.merchantLegalName, "refused-or-listed"),
    (item) => item !== undefined,
  );
  // A search without a match may be refused or return an empty list.
  let unlike = other;
  let wrong: FoundItem | undefined;
  for (unlike of [other, ...similar(merchant[field])]) {
    wrong = await t.findItem(call(unlike), merchant.merchantLegalName, "refused-or-listed");
    if (wrong !== undefined) break;
  }
  const exchanges = [...(wrong ? [wrong.exchange] : []), found?.exchange ?? matching];
  t.recordIfConfirmed(suffix, found !== undefined && wrong === undefined, exchanges, {
    confirmed:
      t.namesAreConfirmed("postMerchantSearches") ||
      (found === undefined ? await isShownByOthers(t, field) : await echoesNames(t, found)),
    message:
      found === undefined
        ? `a search by ${words} does not find the participating merchant that has it`
        : `a search by another ${words} still finds the merchant`,
    expected: `the merchants with this ${words}`,
    actual: found === undefined ? "without that merchant" : `with ${field} ${merchant[field]} for ${unlike}`,
  });
};

/** Whether a search by another criterion finds the merchant, and shows that it has the value in a field of this name. */
const isShownByOthers = async (t: T, field: keyof Merchant): Promise<boolean> => {
  const { merchant } = await t.participatingMerchant();
  for (const { field: other } of CRITERIA) {
    if (other === field) continue;
    const search = { operationId: "postMerchantSearches", json: { [other]: merchant[other] } };
    const call = t.completed(search, merchant);
    const found = await t.findItem(call, merchant.merchantLegalName, "refused-or-listed");
    const shown = (found?.item as Partial<Merchant> | undefined)?.[field];
    if (shown !== undefined && shown === merchant[field]) return true;
  }
  return false;
};

/** Whether the found merchant has its name in the field of the contract, and at least one criterion filters. */
const echoesNames = async (t: T, { item }: FoundItem): Promise<boolean> => {
  const { merchant } = await t.participatingMerchant();
  const { merchantLegalName } = (item ?? {}) as Partial<Merchant>;
  return merchantLegalName === merchant.merchantLegalName && areCriteriaObeyed(t);
};

/**
 * Whether at least one criterion filters, which shows that the assumed names are right. If all are ignored, the target
 * may use other names.
 */
const areCriteriaObeyed = shared(async (t: T): Promise<boolean> => {
  const { merchant } = await t.participatingMerchant();
  const find = (json: Partial<Merchant>) =>
    forSession(t).findItem(
      t.completed({ operationId: "postMerchantSearches", json }, merchant),
      merchant.merchantLegalName,
      "refused-or-listed",
    );
  for (const { field, other } of CRITERIA) {
    const found = await find({ [field]: merchant[field] });
    if (found !== undefined && (await find({ [field]: other })) === undefined) return true;
  }
  return false;
});

export const searchScenarios = [
  ...CRITERIA.map(byCriterion),

  scenario("searches/participation-status", {
    title: "a search returns the participation status of each merchant",
    operations: ["postMerchantSearches"],
    requirements: [SHOWS_STATUS],
    async run(t) {
      const { merchant } = await t.participatingMerchant();
      const { merchantLegalName } = merchant;
      const search = { operationId: "postMerchantSearches", json: { merchantLegalName } };
      const call = t.completed(search, merchant);
      await t.acceptedCall(call, [SHOWS_STATUS]);
      const found = await t.findItem(call, merchantLegalName);
      if (found === undefined) return;
      const listed = await t.findListed(merchant);
      const exchanges = [found.exchange, ...(listed === undefined ? [] : [listed.exchange])];
      t.recordIfConfirmed(SHOWS_STATUS, holdsText(found.item, "COMPLETED"), exchanges, {
        confirmed:
          t.namesAreConfirmed("postMerchantSearches") ||
          (listed !== undefined && lacksStatus(listed.item, found.item)),
        message: "a found merchant has no participation status",
        expected: "COMPLETED, because the merchant participates",
        actual: JSON.stringify(found.item),
      });
      await combineCriteria(t, merchant);
    },
  }),

  scenario("searches/mids", {
    title: "a mid search returns the mids of the named merchant only",
    operations: ["postMerchantMidSearches"],
    requirements: [MIDS_OF],
    async run(t) {
      const { merchant, mids } = await t.participatingMerchant();
      const other = await anotherMerchant(t);
      const search = (json: Merchant) => ({ operationId: "postMerchantMidSearches", json });
      const exchange = await t.readUntil(
        () => t.acceptedCall(search(merchant), [MIDS_OF]),
        (exchange) => mids.every((mid) => holdsValue(contentOf(exchange), mid)),
      );
      const control = await t.acceptedCall(search(other.merchant), [MIDS_OF]);
      const own = mids.filter((mid) => holdsValue(contentOf(exchange), mid));
      const foreign = mids.filter((mid) => holdsValue(contentOf(control), mid));
      const holds = own.length === mids.length && foreign.length === 0;
      t.recordIfConfirmed(MIDS_OF, holds, [exchange, control], {
        // A part of the mids shows that the target knows their name, and a search that filters that it knows the others.
        confirmed:
          t.namesAreConfirmed("postMerchantMidSearches") ||
          (own.length > 0 && (foreign.length === 0 || (await areCriteriaObeyed(t)))),
        named: t.isNameShown(exchange, "mids"),
        message:
          foreign.length > 0
            ? "a mid search returns mids of another merchant"
            : "a mid search does not return the mids of the merchant",
        expected: `${mids.join(", ")}, for that merchant only`,
        actual: foreign.length > 0 ? foreign.join(", ") : own.join(", ") || "none of them",
      });
      const [one, two] = [exchange, control].map((each) => JSON.stringify(listedItems(each)));
      // Lists without an identifier that the search did not name may be alike, because fields are optional.
      const isAlike =
        one === two &&
        (two?.match(IDENTIFIER) ?? []).some((id) => !JSON.stringify(other.merchant).includes(id));
      t.recordIfConfirmed(MIDS_OF, !isAlike || holds, [control, exchange], {
        confirmed: t.isConfirmed("postMerchantMidSearches"),
        named: isAlike && (await areCriteriaObeyed(t)),
        message: "a mid search returns the same mids for two merchants",
        expected: `${other.mids.join(", ")}, and not the mids of another merchant`,
        actual: two ?? "",
      });
      const namesake = { ...merchant, acquirerICA: "999998" };
      const probe = await t.answeredCall(search(namesake));
      const strays = mids.filter((mid) => isAccepted(probe) && holdsValue(contentOf(probe), mid));
      t.recordIfConfirmed(MIDS_OF, strays.length === 0, [probe, exchange], {
        confirmed: t.isConfirmed("postMerchantMidSearches"),
        // Another search shows that the target knows the names of the criteria.
        named: own.length > 0 && foreign.length === 0 && (await areCriteriaObeyed(t)),
        message: "a mid search returns the mids of a merchant with another acquirer",
        expected: "none",
        actual: strays.join(", "),
      });
    },
  }),
];

/**
 * Whether the list shows the merchant with the word for a completed participation, and the search shows it without that
 * word, though in no field that the list does not have.
 */
const lacksStatus = (listed: unknown, found: unknown): boolean => {
  const names = new Set(Object.keys(listed ?? {}));
  return holdsText(listed, "COMPLETED") && Object.keys(found ?? {}).every((name) => names.has(name));
};

/** Observes a search by two criteria of which one matches. The documents do not state whether criteria combine. */
const combineCriteria = async (t: T, { merchantLegalName }: Merchant): Promise<void> => {
  const json = { merchantLegalName, countryCode: "GBR" };
  const exchange = await t.send({ operationId: "postMerchantSearches", json, judged: false });
  const found = holdsValue(contentOf(exchange), merchantLegalName) ? "one" : "both";
  const answer = isAccepted(exchange) ? `${found} must match` : `answered with ${exchange.response?.status}`;
  t.judge.observe("search criteria", "postMerchantSearches", `two criteria: ${answer}`);
};

const anotherMerchant = async (t: T): Promise<Participation> => {
  const other = t.participationOf("Other");
  await t.submit(other);
  await t.untilListed(other.merchant);
  return other;
};
