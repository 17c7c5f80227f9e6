/** Listed pans: offers show which pans are on which list, after each call that changes a list. */
import { listedItems, unknownLike } from "../../fixtures/installments/calls.ts";
import type { newPanList } from "../../fixtures/installments/steps.ts";
import { checkRefusal, scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { type Exchange, isAccepted, NotTried, statusOf } from "../../helpers/trials/kit/language.ts";
import { deregistration, registration } from "./pan-lists.scenarios.ts";

const scenario = scenariosIn("Endpoints");

const CREATE = "consumers.pans.registrations.create-list";
const REGISTER = "consumers.pans.registrations.register-to-list";
const DEREGISTER = "consumers.pans.deregistrations.from-existing-list";
const APART = "sequences.pan-lists-apart";

export const listedPanScenarios = [
  scenario("listed-pans/by-offers", {
    title: "each pan of a call is registered and deregistered, in that list only and for good",
    operations: ["postConsumerPanRegistrations", "postConsumerPanDeregistrations", "postOffers"],
    requirements: [CREATE, REGISTER, DEREGISTER, APART],
    async run(t) {
      const [a, b, c, d] = [t.panOf(), t.panOf(1), t.panOf(2), t.panOf(3)];
      const ask = await askingFor(t);
      const first = await t.newPanList([a], [CREATE]);
      const alone = await t.readUntil(ask(first.panListId, a), hasOffers);
      const second = await t.newPanList([b, d], [CREATE]);
      judgeOwnIds(t, first, second);
      if (first.panListId === second.panListId) return;
      const other = await t.readUntil(ask(second.panListId, b), hasOffers);
      const strange = await ask(first.panListId, b)();
      if (!hasOffers(alone) || !hasOffers(other) || hasOffers(strange))
        throw new NotTried("not-shown", "the offers for made-up data do not show which pans are on a list");
      const judge = judgeOfPans(t, ask, [alone, other]);
      await judge(APART, first.panListId, [a], []);
      await t.acceptedCall(registration(first.panListId, [b, c]), [REGISTER]);
      await judge(REGISTER, first.panListId, [a, b], []);
      await judge(APART, second.panListId, [], [a, c]);
      const both = await t.newPanList([b, a], [CREATE]);
      await judge(CREATE, both.panListId, [a, b], []);
      await judge(APART, second.panListId, [d], []);
      // The documents do not say whether a pan can be on several lists. If it can't, only its last list can be judged.
      if (!(await judge(APART, first.panListId, [a], []))) {
        if (await deregistered(t, both.panListId, [b])) await judge(DEREGISTER, both.panListId, [a], [b]);
        return;
      }
      if (!(await deregistered(t, first.panListId, [b]))) return;
      await judge(DEREGISTER, first.panListId, [a], [b]);
      await judge(APART, second.panListId, [b], []);
      await judge(APART, both.panListId, [b], []);
      await judgeUnknownList(t, first.panListId, a);
      await judge(APART, first.panListId, [a], []);
      await t.acceptedCall(registration(first.panListId, [d]), [REGISTER]);
      await judge(DEREGISTER, first.panListId, [], [b]);
      if (await deregistered(t, both.panListId, [b, a])) await judge(DEREGISTER, both.panListId, [], [a, b]);
    },
  }),
];

const judgeOwnIds = (
  t: T,
  first: Awaited<ReturnType<typeof newPanList>>,
  second: Awaited<ReturnType<typeof newPanList>>,
): void =>
  t.recordIfConfirmed(CREATE, first.panListId !== second.panListId, [second.exchange, first.exchange], {
    doubt: "two registrations without a list went to the same list, which the documents do not rule out",
    message: "two created pan lists have the same identifier",
    expected: "an identifier of its own for each",
    actual: first.panListId,
  });

/** Returns a function that asks for the offers for a pan of a list. */
const askingFor = async (t: T) => {
  const { merchant } = await t.participatingMerchant();
  return (panListId: string, primaryAccountNumber: string) => () =>
    t.answeredCall({
      operationId: "postOffers",
      json: { ...PURCHASE, consumer: { panListId, primaryAccountNumber }, merchant },
    });
};

/**
 * Returns a function that judges lists by offers.
 * @param own offers which show that the target obeys the names of the calls, and that pans are eligible
 */
const judgeOfPans =
  (t: T, ask: Awaited<ReturnType<typeof askingFor>>, own: readonly Exchange[]) =>
  async (
    suffix: string,
    panListId: string,
    on: readonly string[],
    off: readonly string[],
  ): Promise<boolean> => {
    let holds = true;
    for (const pan of [...on, ...off]) {
      const isOn = on.includes(pan);
      const exchange = await t.readUntil(ask(panListId, pan), (one) => hasOffers(one) === isOn);
      holds &&= hasOffers(exchange) === isOn;
      t.judgeThat(suffix, hasOffers(exchange) === isOn, [exchange, ...own], {
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

const PURCHASE = { useCase: "DURING_PURCHASE", transaction: { amount: 250.25, currency: "USD" } };

const hasOffers = (exchange: Exchange): boolean => isAccepted(exchange) && listedItems(exchange).length > 0;

/** Judges that registered pans can be deregistered. @returns whether they were */
const deregistered = async (t: T, panListId: string, pans: readonly string[]): Promise<boolean> => {
  const exchange = await t.answeredCall(deregistration(panListId, pans));
  const status = statusOf(exchange);
  const isRefused = status >= 400 && status < 500;
  t.judgeThat(DEREGISTER, !isRefused, [exchange], {
    message: "registered pans can't be deregistered from their list",
    expected: "accepted",
  });
  if (!isRefused) t.assertAccepted(exchange);
  return !isRefused;
};

const judgeUnknownList = async (t: T, panListId: string, pan: string): Promise<void> => {
  const probe = await t.answeredCall(deregistration(unknownLike(panListId), [pan]));
  const control = await t.acceptedCall(deregistration(panListId, [t.panOf(2)]), [DEREGISTER]);
  const what = { what: "deregistering from a pan list that does not exist", pointer: "/panListId" };
  t.record(DEREGISTER, checkRefusal(what, probe, control), [probe, control]);
};
