/** Listed pans: offers show which pans are on which list, after each call that changes a list. */

import { accepted, answerTo, itemsOf, unknownLike } from "../../fixtures/installments/calls.ts";
import { newPanList, panOf, participatingMerchant } from "../../fixtures/installments/steps.ts";
import { checkRefusal, scenariosIn } from "../../fixtures/installments/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { readUntil } from "../../helpers/flows/read-until.ts";
import { assertAccepted } from "../../helpers/trials/kit/asking.ts";
import { isConfirmed } from "../../helpers/trials/kit/names.ts";
import { judgeThat, record, recordIfConfirmed } from "../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { deregistration, registration } from "./pan-lists.scenarios.ts";

const scenario = scenariosIn("Endpoints");

const CREATE = "consumers.pans.registrations.create-list";
const REGISTER = "consumers.pans.registrations.register-to-list";
const DEREGISTER = "consumers.pans.deregistrations.from-existing-list";
const APART = "sequences.pan-lists-apart";

export const listedPanScenarios: readonly Trial[] = [
  scenario({
    id: "listed-pans/by-offers",
    title: "each pan of a call is registered and deregistered, in that list only",
    operations: ["postConsumerPanRegistrations", "postConsumerPanDeregistrations", "postOffers"],
    requirements: [CREATE, REGISTER, DEREGISTER, APART],
    async run(context) {
      const pans = [panOf(context), panOf(context, 1)] as const;
      const [a, b] = pans;
      const [first, second] = [
        await newPanList(context, [a], [CREATE]),
        await newPanList(context, [b], [CREATE]),
      ];
      judgeOwnIds(context, first, second);
      if (first.panListId === second.panListId) return;
      const judge = await judgeOfPans(context, [first.panListId, a], [second.panListId, b]);
      const c = panOf(context, 2);
      await accepted(context, registration(first.panListId, [b, c]), [REGISTER]);
      await judge(REGISTER, first.panListId, [a, b], []);
      await judge(APART, second.panListId, [], [a, c]);
      const both = await newPanList(context, [b, a], [CREATE]);
      await judge(CREATE, both.panListId, [a, b], []);
      // The documents do not say whether a pan can be on several lists. If it can't, only its last list can be judged.
      if (!(await judge(APART, first.panListId, [a], []))) {
        if (await deregistered(context, both.panListId, [b]))
          await judge(DEREGISTER, both.panListId, [a], [b]);
        return;
      }
      if (!(await deregistered(context, first.panListId, [b]))) return;
      await judge(DEREGISTER, first.panListId, [a], [b]);
      await judge(APART, second.panListId, [b], []);
      await judge(APART, both.panListId, [b], []);
      await judgeUnknownList(context, first.panListId, a);
      await judge(DEREGISTER, first.panListId, [a], []);
      if (await deregistered(context, both.panListId, [b, a]))
        await judge(DEREGISTER, both.panListId, [], [a, b]);
    },
  }),
];

const judgeOwnIds = (
  context: TrialContext,
  first: Awaited<ReturnType<typeof newPanList>>,
  second: Awaited<ReturnType<typeof newPanList>>,
): void =>
  recordIfConfirmed(
    context,
    CREATE,
    first.panListId !== second.panListId,
    [second.exchange, first.exchange],
    {
      confirmed: isConfirmed(context),
      doubt: "two registrations without a list went to the same list, which the documents do not rule out",
      message: "two created pan lists have the same identifier",
      expected: "an identifier of its own for each",
      actual: first.panListId,
    },
  );

/** Judges that a list has the pans `on`, and not the pans `off`. Returns whether it does. */
/**
 * Returns a function that judges lists by offers. Each pan has offers on its own list, and the second has none on the first
 * list, so the target obeys the names of the calls, and both pans are eligible.
 * @throws NotTried when the offers do not show this
 */
const judgeOfPans = async (
  context: TrialContext,
  ...owners: readonly [readonly [string, string], readonly [string, string]]
) => {
  const { merchant } = await participatingMerchant(context);
  const ask = (panListId: string, primaryAccountNumber: string) => () =>
    answerTo(context, {
      operationId: "postOffers",
      json: { ...PURCHASE, consumer: { panListId, primaryAccountNumber }, merchant },
    });
  const own: Exchange[] = [];
  for (const owner of owners) own.push(await readUntil(context, ask(...owner), hasOffers));
  const [[list], [, other]] = owners;
  if (!own.every(hasOffers) || hasOffers(await ask(list, other)()))
    throw new NotTried("the offers for made-up data do not show which pans are on a list");
  return async (
    suffix: string,
    panListId: string,
    on: readonly string[],
    off: readonly string[],
  ): Promise<boolean> => {
    let holds = true;
    for (const pan of [...on, ...off]) {
      const isOn = on.includes(pan);
      const exchange = await readUntil(context, ask(panListId, pan), (one) => hasOffers(one) === isOn);
      holds &&= hasOffers(exchange) === isOn;
      judgeThat(context, suffix, hasOffers(exchange) === isOn, [exchange, ...own], {
        pointer: "/offers",
        message: isOn
          ? "no offer is made for a pan that is registered to the list"
          : "an offer is made for a pan that is not registered to the list, or no longer",
        expected: isOn ? "an offer" : "none",
        actual: hasOffers(exchange) ? "an offer" : "none",
      });
    }
    return holds;
  };
};

const PURCHASE = { useCase: "DURING_PURCHASE", transaction: { amount: 250.25, currency: "USD" } };

const hasOffers = (exchange: Exchange): boolean => isAccepted(exchange) && itemsOf(exchange).length > 0;

/** Judges that registered pans can be deregistered. @returns whether they were */
const deregistered = async (
  context: TrialContext,
  panListId: string,
  pans: readonly string[],
): Promise<boolean> => {
  const exchange = await answerTo(context, deregistration(panListId, pans));
  const status = statusOf(exchange);
  const isRefused = status >= 400 && status < 500;
  judgeThat(context, DEREGISTER, !isRefused, [exchange], {
    message: "registered pans can't be deregistered from their list",
    expected: "accepted",
  });
  if (!isRefused) assertAccepted(context, exchange);
  return !isRefused;
};

const judgeUnknownList = async (context: TrialContext, panListId: string, pan: string): Promise<void> => {
  const probe = await answerTo(context, deregistration(unknownLike(panListId), [pan]));
  const control = await accepted(context, deregistration(panListId, [panOf(context, 2)]), [DEREGISTER]);
  const what = { what: "deregistering from a pan list that does not exist", pointer: "/panListId" };
  record(context, DEREGISTER, checkRefusal(what, probe, control), [probe, control]);
};
