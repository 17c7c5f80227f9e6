/** Updates: a participation of a listed merchant adds its mids and replaces its details. */
import { type FoundItem, listedItems } from "../../fixtures/installments/calls.ts";
import { EFFECTUATION, type Participation } from "../../fixtures/installments/steps.ts";
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { contentOf, type Exchange, NotTried } from "../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Endpoints");

const UPDATE = "merchants.participations.update-existing";

export const updateScenarios = [
  scenario("updates/merchant", {
    title: "a participation of a listed merchant updates it",
    operations: ["postMerchantParticipations", "getMerchantParticipations", "postMerchantMidSearches"],
    requirements: [UPDATE],
    run: updateMerchant,
  }),
];

/** Submits a listed merchant again, with another mid and other details. */
async function updateMerchant(t: T): Promise<void> {
  const first = t.participationOf("Updated");
  const [street, mid] = ["2 Changed Street", `${first.mids[0]}X`.slice(-15)];
  const changes = { mids: [mid], nonMerchantNegotiatedParticipation: "N" };
  const address = { ...(first.body.address as object), addressLine1: street };
  await t.submit(first);
  if ((await t.untilListed(first.merchant)) === undefined)
    throw new NotTried(t.unconfirmed("the submitted merchant was not listed"));
  await t.submit({ ...first, body: { ...first.body, ...changes, address } });
  const shown = await t.readUntil(
    () => t.findListed(first.merchant),
    (found) => holdsValue(found?.item, street),
    EFFECTUATION,
  );
  if (shown === undefined) throw new NotTried("not-arranged", "the updated merchant is not listed");
  const search = { operationId: "postMerchantMidSearches", json: first.merchant };
  const mids = [...first.mids, mid];
  const searched = await t.readUntil(
    () => t.acceptedCall(search),
    (exchange) => mids.every((one) => holdsValue(contentOf(exchange), one)),
  );
  judgeUpdate(t, first, { shown, searched, street, mids });
}

const judgeUpdate = (
  t: T,
  { merchant, body }: Participation,
  {
    shown,
    searched,
    street,
    mids,
  }: {
    readonly shown: FoundItem;
    readonly searched: Exchange;
    readonly street: string;
    readonly mids: readonly string[];
  },
): void => {
  const twice = listedItems(shown.exchange).filter((item) => holdsValue(item, merchant.merchantLegalName));
  const lost = mids.filter((mid) => !holdsValue(contentOf(searched), mid));
  const confirmed =
    t.namesAreConfirmed("getMerchantParticipations") && t.namesAreConfirmed(searched.operationId);
  const wording = { confirmed, expected: "the merchant once, with its new details and all its mids" };
  t.recordIfConfirmed(UPDATE, twice.length === 1, [shown.exchange], {
    ...wording,
    confirmed: true,
    message: "a merchant that was submitted again is listed twice",
    actual: `${twice.length} times`,
  });
  t.recordIfConfirmed(UPDATE, holdsValue(shown.item, street), [shown.exchange], {
    ...wording,
    confirmed: confirmed || holdsValue(shown.item, String(atPointer(body, "/address/addressLine1"))),
    message: "a merchant that was submitted again with other details still shows the old ones",
    actual: JSON.stringify(shown.item),
  });
  t.recordIfConfirmed(UPDATE, lost.length === 0, [searched, shown.exchange], {
    ...wording,
    // Some of the mids show that the target knows their name.
    named: lost.length < mids.length,
    message: "a merchant that was submitted again with another mid lacks one",
    actual: `without ${lost.join(", ")}`,
  });
};
