/** Searches: what matches is found, what does not is not, one criterion at a time. */

import { forSession, shared } from "../../fixtures/engine/shared.ts";
import { accepted, type Found, findItem, namesAreCertain } from "../../fixtures/installments/calls.ts";
import {
  findListed,
  type Merchant,
  type Participation,
  participatingMerchant,
  participationOf,
  submit,
} from "../../fixtures/installments/steps.ts";
import { conclude, id, scenario } from "../../fixtures/installments/trial.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { waitUntil } from "../../helpers/flows/wait-until.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";

interface Criterion {
  readonly requirement: string;
  readonly field: keyof Merchant;
  readonly words: string;
  /** A value that the merchant does not have. */
  readonly other: string;
}

const CRITERIA: readonly Criterion[] = [
  {
    requirement: "by-merchant-name",
    field: "merchantLegalName",
    words: "merchant name",
    other: "Example Unheard Of Trading",
  },
  { requirement: "by-country-code", field: "countryCode", words: "country code", other: "GBR" },
  { requirement: "by-acquirer-ica", field: "acquirerICA", words: "acquirer ICA", other: "999998" },
];

const SECTION = "Endpoints";

const byCriterion = (criterion: Criterion): Trial =>
  scenario(
    {
      id: `searches/${criterion.requirement}`,
      title: `merchants are found by ${criterion.words}, and only those that match`,
      section: SECTION,
      operations: ["postMerchantSearches"],
      requirements: [`merchants.searches.${criterion.requirement}`],
    },
    (context) => searchBy(context, criterion),
  );

const searchBy = async (
  context: TrialContext,
  { requirement, field, words, other }: Criterion,
): Promise<void> => {
  const { merchant } = await participatingMerchant(context);
  const call = (value: string) => ({ operationId: "postMerchantSearches", json: { [field]: value } });
  const suffix = `merchants.searches.${requirement}`;
  const matching = await accepted(context, { ...call(merchant[field]), query: { limit: 500 } }, [id(suffix)]);
  const found = await findItem(context, call(merchant[field]), merchant.merchantLegalName);
  // A search without a match may be refused as well as answered with an empty list.
  const wrong = await findItem(context, call(other), merchant.merchantLegalName, "refused-or-listed");
  conclude(
    context,
    suffix,
    {
      holds: found !== undefined && wrong === undefined,
      certain: namesAreCertain(context, "postMerchantSearches") || (await echoesNames(context, found)),
      finding: {
        message:
          found === undefined
            ? `a search by ${words} does not find the participating merchant that has it`
            : `a search by another ${words} finds the merchant all the same`,
        expected: `the merchants whose ${words} it is`,
        actual:
          found === undefined ? "without that merchant" : `with ${field} ${merchant[field]} for ${other}`,
      },
    },
    [...(wrong ? [wrong.exchange] : []), found?.exchange ?? matching],
  );
};

/** Criteria that are all ignored are probably called otherwise; when one of them selects, the names are right. */
const echoesNames = shared(async (context, found: Found | undefined): Promise<boolean> => {
  const { merchant } = await participatingMerchant(context);
  const { merchantLegalName } = (found?.item ?? {}) as Partial<Merchant>;
  if (merchantLegalName !== merchant.merchantLegalName) return false;
  for (const { field, other } of CRITERIA) {
    const call = { operationId: "postMerchantSearches", json: { [field]: other } };
    const stray = await findItem(forSession(context), call, merchantLegalName, "refused-or-listed");
    if (stray === undefined) return true;
  }
  return false;
});

export const searchScenarios: readonly Trial[] = [
  ...CRITERIA.map(byCriterion),

  scenario(
    {
      id: "searches/participation-status",
      title: "a search tells the participation status of what it finds",
      section: SECTION,
      operations: ["postMerchantSearches"],
      requirements: ["merchants.searches.returns-participation-status"],
    },
    async (context) => {
      const { merchant } = await participatingMerchant(context);
      const { merchantLegalName } = merchant;
      const call = { operationId: "postMerchantSearches", json: { merchantLegalName } };
      await accepted(context, call, [id("merchants.searches.returns-participation-status")]);
      const found = await findItem(context, call, merchantLegalName);
      if (found === undefined) return;
      conclude(
        context,
        "merchants.searches.returns-participation-status",
        {
          holds: holdsValue(found.item, "COMPLETED"),
          certain: namesAreCertain(context, "postMerchantSearches"),
          finding: {
            message: "a merchant that was found comes without its participation status",
            expected: "COMPLETED, since it participates",
            actual: JSON.stringify(found.item),
          },
        },
        [found.exchange],
      );
    },
  ),

  scenario(
    {
      id: "searches/mids",
      title: "a mid search returns the mids of the merchant that it names, and of no other",
      section: SECTION,
      operations: ["postMerchantMidSearches"],
      requirements: ["merchants.mids.searches.by-merchant"],
    },
    async (context) => {
      const { merchant, mids } = await participatingMerchant(context);
      const other = await anotherMerchant(context);
      const suffix = "merchants.mids.searches.by-merchant";
      const search = (json: Merchant) => ({ operationId: "postMerchantMidSearches", json });
      const exchange = await accepted(context, search(merchant), [id(suffix)]);
      const twin = await accepted(context, search(other.merchant), [id(suffix)]);
      const own = mids.filter((mid) => holdsValue(exchange.response?.json, mid));
      const foreign = mids.filter((mid) => holdsValue(twin.response?.json, mid));
      conclude(
        context,
        suffix,
        {
          holds: own.length === mids.length && foreign.length === 0,
          certain: namesAreCertain(context, "postMerchantMidSearches"),
          finding: {
            message:
              foreign.length > 0
                ? "a mid search returns mids of another merchant"
                : "a mid search does not return the mids of the merchant",
            expected: `${mids.join(", ")}, for that merchant alone`,
            actual: foreign.length > 0 ? foreign.join(", ") : own.join(", ") || "none of them",
          },
        },
        [exchange, twin],
      );
    },
  ),
];

const anotherMerchant = async (context: TrialContext): Promise<Participation> => {
  const other = participationOf(context, "Other");
  await submit(context, other);
  await waitUntil(context.clock, () => findListed(context, other.merchant), {
    everySeconds: 1,
    limitSeconds: 60,
  });
  return other;
};
