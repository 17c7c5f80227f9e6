/** Pan lists: the first registration creates a list, later ones add pans, and deregistration removes them. */
import { unknownLike } from "../../fixtures/installments/calls.ts";
import { checkRefusal, scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { contentOf, type Exchange, isAccepted } from "../../helpers/exchange/exchange.ts";

const scenario = scenariosIn("Endpoints");

const OPERATIONS = ["postConsumerPanRegistrations", "postConsumerPanDeregistrations"];
const CREATE = "consumers.pans.registrations.create-list";
const REGISTER = "consumers.pans.registrations.register-to-list";
const DEREGISTER = "consumers.pans.deregistrations.from-existing-list";
const SUBJECT = "pan list creation and registration in one call";

export const panListScenarios = [
  scenario("pan-lists/life", {
    title: "pans are registered to a new list and to an existing one, and deregistered",
    operations: OPERATIONS,
    requirements: [CREATE, REGISTER, DEREGISTER],
    async run(t) {
      const [first, second, third] = [t.panOf(), t.panOf(1), t.panOf(2)];
      const { panListId, exchange: created } = await t.newPanList([first, second], [CREATE]);
      const grown = await t.acceptedCall(registration(panListId, [third]), [CREATE, REGISTER]);
      t.pass(CREATE, [created, grown]);
      judgeOwnList(t, panListId, grown);
      judgeCount(t, REGISTER, [created, grown], [2, 3]);
      const shrunk = await t.acceptedCall(deregistration(panListId, [first, third]), [DEREGISTER]);
      judgeCount(t, DEREGISTER, [grown, shrunk], [3, 1]);
      const again = await t.send({ ...deregistration(panListId, [first]), judged: false });
      t.judge.observe(
        SUBJECT,
        "postConsumerPanDeregistrations",
        `deregistered again: ${again.response?.status}`,
      );
    },
  }),

  scenario("pan-lists/unknown", {
    title: "deregistering pans from an unknown list is refused",
    operations: OPERATIONS,
    requirements: [DEREGISTER],
    async run(t) {
      const pan = t.panOf();
      const { panListId } = await t.newPanList([pan]);
      const unknown = unknownLike(panListId);
      const probe = await t.answeredCall(deregistration(unknown, [pan]));
      const control = await t.acceptedCall(deregistration(panListId, [pan]), [DEREGISTER]);
      const what = { what: "deregistering from a pan list that does not exist", pointer: "/panListId" };
      const result = checkRefusal(what, probe, control);
      const certain = t.namesAreConfirmed("postConsumerPanDeregistrations");
      if (result?.holds === true || (result !== undefined && certain)) {
        t.record(DEREGISTER, result, [probe, control]);
      } else {
        const observed = isAccepted(probe) ? "accepted" : `answered with ${probe.response?.status}`;
        t.judge.observe(SUBJECT, "postConsumerPanDeregistrations", `an unknown list: ${observed}`);
      }
      const made = await t.send({ ...registration(unknown, [pan]), judged: false });
      const answer = isAccepted(made) ? "accepted" : `answered with ${made.response?.status}`;
      t.judge.observe(SUBJECT, "postConsumerPanRegistrations", `an unknown list: ${answer}`);
    },
  }),
];

/** Judges that the answer to a later registration is about the list that it names. */
const judgeOwnList = (t: T, panListId: string, later: Exchange): void => {
  const shown = t.identifierAt(later, "pan-list");
  if (shown === undefined) return;
  t.recordIfConfirmed(REGISTER, shown === panListId, [later], {
    named: true,
    message: "the answer to a registration to a pan list is about another list",
    expected: panListId,
    actual: shown,
  });
};

export const registration = (panListId: string, pans: readonly string[]) => ({
  operationId: "postConsumerPanRegistrations",
  json: { panListId, pans },
});

export const deregistration = (panListId: string, pans: readonly string[]) => ({
  operationId: "postConsumerPanDeregistrations",
  json: { panListId, pans },
});

/**
 * Judges the change in the number of pans if the answers show it. Otherwise the accepted call is enough.
 * @param numbers the numbers of pans on the list before and after the call
 */
const judgeCount = (
  t: T,
  suffix: string,
  [before, after]: readonly [Exchange, Exchange],
  numbers: readonly [number, number],
): void => {
  const change = numbers[1] - numbers[0];
  const [earlier, later] = [countIn(before), countIn(after)];
  const areCounted = earlier !== undefined && later !== undefined;
  t.recordIfConfirmed(suffix, !areCounted || later - earlier === change, [after, before], {
    // The field may count the pans of the call, or those that it changed.
    confirmed:
      t.namesAreConfirmed(after.operationId) ||
      (earlier === numbers[0] && later !== Math.abs(change) && later !== 0),
    message: `the pan list has ${later} pans after a call that should have changed ${earlier} by ${change}`,
    expected: `${(earlier ?? 0) + change} pans`,
    actual: `${later} pans`,
  });
};

const countIn = (exchange: Exchange): number | undefined => {
  const { registeredPans } = (contentOf(exchange) ?? {}) as { registeredPans?: unknown };
  return typeof registeredPans === "number" ? registeredPans : undefined;
};
