/**
 * Pan lists. Each list contains the pans that were registered to it and not deregistered; offers show which pans it
 * contains.
 */
import { listedItems } from "../../../fixtures/installments/calls.ts";
import { id } from "../../../fixtures/installments/ids.ts";
import type { Merchant } from "../../../fixtures/installments/steps.ts";
import type { T } from "../../../fixtures/installments/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Action, Assertion, Model, Query } from "../../../helpers/sequences/model.ts";
import { type Call, NotTried } from "../../../helpers/trials/kit/language.ts";
import { sequenceTrial } from "./sequences.ts";

interface State {
  readonly lists: PanList[];
  /** The number of pans drawn so far, so that each one is new. */
  pans: number;
  /** The last registered pan, and the other lists for which it has not been checked yet. */
  newestPan: { readonly pan: string; readonly lists: readonly string[] };
}

interface PanList {
  readonly panListId: string;
  readonly pans: { [pan: string]: BaselineOptions };
}

interface BaselineOptions {
  readonly on: boolean;
  /** The requirement id of the last call that changed it; absent after a query has checked it. */
  readonly by?: string;
}

const CREATE = id("consumers.pans.registrations.create-list");
const REGISTER = id("consumers.pans.registrations.register-to-list");
const DEREGISTER = id("consumers.pans.deregistrations.from-existing-list");
const APART = id("sequences.pan-lists-apart");
const OPERATIONS = ["postConsumerPanRegistrations", "postConsumerPanDeregistrations"] as const;

const modelOf = (t: T, merchant: Merchant): Model<State> => ({
  start: () => ({ lists: [], pans: 0, newestPan: { pan: "", lists: [] } }),
  commands: [
    {
      name: "create a pan list",
      when: ({ lists }) => lists.length < 3,
      call: ({ pans: made }) => creating(t, { pans: [t.panOf(made), t.panOf(made + 1)] }),
    },
    {
      name: "register a pan to a list",
      when: (state) => several(state) && state.lists.some(hasRoom),
      call: ({ lists, pans }, { pick }) => {
        const json = { panListId: pick(lists.filter(hasRoom)).panListId, pans: [t.panOf(pans)] };
        return changing({ operationId: OPERATIONS[0], json }, REGISTER, true);
      },
    },
    {
      name: "deregister a pan from a list",
      when: ({ lists }) => lists.length > 1 && lists.some((list) => pansOn(list).length > 0),
      call: ({ lists }, { pick, value }) => {
        const list = pick(lists.filter((one) => pansOn(one).length > 0));
        const json = { panListId: list.panListId, pans: [value(pansOn(list))] };
        return changing({ operationId: OPERATIONS[1], json }, DEREGISTER, false);
      },
    },
  ],
  races: [{ commands: ["register a pan to a list", "deregister a pan from a list"], same: false }],
  queries: (state) => queriesFor(merchant, state),
  leave: ({ lists }) =>
    lists
      .filter((list) => pansOn(list).length > 0)
      .map(async (list) => ({
        operationId: OPERATIONS[1],
        json: { panListId: list.panListId, pans: pansOn(list) },
      })),
});

/** Whether there is a second list that a call could change by mistake. */
const several = ({ lists }: State): boolean => lists.length > 1;

const hasRoom = ({ pans }: PanList): boolean => Object.keys(pans).length < 4;

const pansOn = ({ pans }: PanList): string[] => Object.keys(pans).filter((pan) => pans[pan]?.on);

const creating = (t: T, json: { readonly pans: readonly string[] }): Action<State> => ({
  call: { operationId: OPERATIONS[0], json },
  expect: (state: State, exchange: Exchange) => {
    if (!isAccepted(exchange))
      throw new NotTried("not-arranged", `a pan list was refused with ${statusOf(exchange)}`);
    const panListId = t.identifierIn(exchange, "pan-list");
    state.lists.push({ panListId, pans: decided(json.pans, true, CREATE) });
    state.pans += json.pans.length;
  },
});

const decided = (pans: readonly string[], on: boolean, by: string): { [pan: string]: BaselineOptions } =>
  Object.fromEntries(pans.map((pan) => [pan, { on, by }]));

const changing = (
  call: Call & { readonly json: { readonly panListId: string; readonly pans: readonly string[] } },
  requirement: string,
  on: boolean,
): Action<State> => ({
  call,
  expect: (state: State, exchange: Exchange, note: Assertion) => {
    const { panListId, pans } = call.json;
    const list = state.lists.find((one) => one.panListId === panListId);
    if (!isAccepted(exchange) || list === undefined)
      return note(requirement, false, {
        message: `${call.operationId} refuses a pan for an existing list`,
        expected: "accepted",
        actual: `${statusOf(exchange)}`,
        named: true,
      });
    Object.assign(list.pans, decided(pans, on, requirement));
    const [pan = ""] = pans;
    const others = state.lists.flatMap((one) => (one === list ? [] : [one.panListId]));
    if (on) state.newestPan = { pan, lists: others };
    if (on) state.pans += pans.length;
    note(requirement, true, NOTHING);
  },
});

const NOTHING = { message: "", expected: "", actual: "" };

/** Makes queries that check that offers are made only for pans on the list. */
const queriesFor = (merchant: Merchant, { lists, newestPan }: State): Query<State>[] =>
  lists.flatMap((list, index) => {
    const externals = newestPan.lists.includes(list.panListId) ? [newestPan.pan] : [];
    return [...Object.keys(list.pans), ...externals].map((pan) => ({
      name: `the offers for ${pan} of pan list ${index + 1}`,
      due: externals.includes(pan) || list.pans[pan]?.by !== undefined,
      call: async () => ({
        call: { operationId: "postOffers", json: purchaseOf(merchant, list.panListId, pan) },
        expect: (state: State, exchange: Exchange, note: Assertion) => {
          judgeOffers(state.lists[index], pan, exchange, note);
          const left = state.newestPan.lists.filter((one) => one !== list.panListId);
          if (externals.includes(pan)) state.newestPan = { ...state.newestPan, lists: left };
        },
      }),
    }));
  });

const judgeOffers = (list: PanList | undefined, pan: string, exchange: Exchange, note: Assertion): void => {
  const { on = false, by = list?.pans[pan]?.on === false ? DEREGISTER : APART } = list?.pans[pan] ?? {};
  const offers = isAccepted(exchange) ? listedItems(exchange).length : 0;
  note(by, offers > 0 === on, {
    message: on
      ? "no offer is made for a pan that is registered to the list"
      : "an offer is made for a pan that is not registered to the list, or no longer",
    expected: on ? "an offer" : "none",
    actual: `${offers} offers`,
    named: true,
    shows: [`${list?.panListId} ${on ? "has" : "lacks"} offers for ${pan}`],
  });
  if (list?.pans[pan] !== undefined) list.pans[pan] = { on };
};

const purchaseOf = (merchant: Merchant, panListId: string, primaryAccountNumber: string) => ({
  useCase: "DURING_PURCHASE",
  consumer: { panListId, primaryAccountNumber },
  merchant,
  transaction: { amount: 250.25, currency: "USD" },
});

export const panListSequences = sequenceTrial<State>(
  {
    name: "pan-lists",
    title: "pans stay on the lists that they were registered to until they are deregistered",
    section: "Endpoints",
    operations: [...OPERATIONS, "postOffers"],
    requirements: [CREATE, REGISTER, DEREGISTER, APART],
  },
  async (t, walk) => {
    const { merchant } = await t.participatingMerchant();
    await walk({ model: modelOf(t, merchant), steps: 14 });
  },
);
