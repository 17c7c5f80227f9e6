/** Two partners with separate tokens. Each partner reads, changes and deletes only its own customers. */
import { LOG_IN, refusalOf } from "../../../fixtures/financial-data/signing-in.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import { tokenHeader } from "../../../helpers/contract/lookups.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Action, Assertion, Command, Model, Query } from "../../../helpers/sequences/model.ts";
import { alive, byName, type ModelResource } from "../../../helpers/sequences/model-resources.ts";
import {
  changing,
  emptyResourceModel,
  fewer,
  making,
  queryList,
  queryResource,
  type ResourceModel,
} from "../../../helpers/sequences/resource-model.ts";
import { type Caller, callerFor, jsonOf } from "../../../helpers/sequences/sequence-calls.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import { type Call, withFields } from "../../../helpers/trials/kit/language.ts";
import { LISTS_AGREE, OWN_ONLY, PROMISES, READABLE, sequenceTrial } from "./sequences.ts";

type Partner = "first" | "second";
const PARTNERS = ["first", "second"] as const;

interface State extends ResourceModel {
  /** The newest token of each partner. The documents do not state whether older tokens remain valid. */
  readonly tokens: { [partner in Partner]?: string };
  signIns: number;
}

const ADD = "AddTestingCustomer";

/** Makes a valid call with the newest token of a partner. */
type As = (
  partner: Partner,
  state: State,
  operationId: string,
  ids?: ModelResource["ids"],
  seed?: number,
) => Promise<Call>;

const modelOf = (t: T, accounts: Readonly<Record<Partner, Arranger>>): Model<State> => {
  const calls = callerFor(t);
  const header = tokenHeader(t.contract);
  let sequences = 0;
  const as: As = async (partner, { tokens }, operationId, ids, seed) => {
    const call = await calls.of(operationId, ids, seed);
    return { ...call, headers: { ...call.headers, [header]: tokens[partner] ?? "" } };
  };
  return {
    start: () => {
      sequences += 1;
      return { ...emptyResourceModel(), tokens: {}, signIns: 0 };
    },
    commands: [
      ...PARTNERS.map(
        (partner): Command<State> => ({
          name: `sign in as the ${partner} partner`,
          when: ({ signIns, tokens }) => tokens[partner] === undefined || (signIns < 4 && "second" in tokens),
          call: async () => signingIn(t, await t.validCall(LOG_IN, accounts[partner]), partner),
        }),
      ),
      ...PARTNERS.map((partner) => adding(calls, as, partner, () => `p${sequences}`)),
      renaming(as),
      intruding(as, "rename a customer of the other partner", "ModifyCustomer"),
      intruding(as, "delete a customer of the other partner", "DeleteCustomer"),
    ],
    queries: (state) => queriesFor(t, as, state),
    leave: (state) =>
      alive(state.resources).map((customer) => as(ownerOf(customer), state, "DeleteCustomer", customer.ids)),
  };
};

const ownerOf = ({ traits }: ModelResource): Partner => traits?.partner as Partner;

const otherThan = (partner: Partner): Partner => (partner === "first" ? "second" : "first");

const adding = (calls: Caller, as: As, partner: Partner, sequence: () => string): Command<State> => ({
  name: `add a customer of the ${partner} partner`,
  when: (state) => state.tokens[partner] !== undefined && fewer("customer", 4)(state),
  call: async (state, { seed }) => {
    const call = await as(partner, state, ADD, {}, seed);
    const username = `${jsonOf(call).username}-${sequence()}-${state.made.customer ?? 0}`;
    const traits = { partner };
    return making(calls, withFields(call, { username }), { kind: "customer", traits, possible: READABLE });
  },
});

const renaming = (as: As): Command<State> => ({
  name: "rename a customer",
  when: isReady,
  call: async (state, { seed, pick }) => {
    const customer = pick(alive(state.resources));
    const call = await as(ownerOf(customer), state, "ModifyCustomer", customer.ids);
    const json = { firstName: `Robin${seed >>> 0}` };
    return changing({ ...call, json }, customer, json);
  },
});

const intruding = (as: As, name: string, operationId: string): Command<State> => ({
  name,
  operationId,
  when: isReady,
  call: async (state, { seed, pick }) => {
    const customer = pick(alive(state.resources));
    const call = await as(otherThan(ownerOf(customer)), state, operationId, customer.ids);
    const json = { firstName: `Intruder${seed >>> 0}` };
    return refusing(operationId === "ModifyCustomer" ? { ...call, json } : call, customer.name);
  },
});

const queriesFor = (t: T, as: As, state: State): Query<State>[] =>
  state.resources.flatMap((resource) => {
    const { name, ids, given } = resource;
    const [owner, other] = [ownerOf(resource), otherThan(ownerOf(resource))];
    const alone = queryResource<State>(resource, () => as(owner, state, "GetCustomer", ids), PROMISES);
    if (!isReady(state)) return [alone];
    const query = { username: String(given.username) };
    return [
      alone,
      {
        name: `${name} as the other partner`,
        call: async () => refusing(await as(other, state, "GetCustomer", ids), name),
      },
      queryList<State>(t, {
        name: `the other partner's list with the username of ${name}`,
        kind: "customer",
        call: async () => ({ ...(await as(other, state, "GetCustomers")), query }),
        holds: (now) => ({ shown: [], hidden: [byName(now.resources, name)] }),
        shows: LISTS_AGREE,
        hides: OWN_ONLY,
      }),
    ];
  });

const isReady = ({ tokens, resources }: State): boolean =>
  tokens.first !== undefined && tokens.second !== undefined && resources.length > 0;

const signingIn = (t: T, call: Call, partner: Partner): Action<State> => ({
  call,
  expect: (state: State, exchange: Exchange) => {
    if (!isAccepted(exchange)) throw refusalOf(exchange);
    const token = t.tokenIn(exchange);
    t.learn(token, `${partner.toUpperCase()}_PARTNER_TOKEN`);
    state.tokens[partner] = token;
    state.signIns += 1;
  },
});

const refusing = (call: Call, name: string): Action<State> => ({
  call,
  expect: (_: State, exchange: Exchange, note: Assertion) =>
    note(OWN_ONLY, !isAccepted(exchange), {
      message: `${exchange.operationId} with the token of another partner reaches ${name}`,
      expected: "a refusal",
      actual: `${statusOf(exchange)}`,
    }),
});

export const partnerSequences = sequenceTrial<State>(
  {
    name: "partners-and-tokens",
    title: "partners reach their own customers only",
    section: "Authentication and partner",
    operations: [LOG_IN, ADD, "GetCustomer", "GetCustomers", "ModifyCustomer", "DeleteCustomer"],
    requirements: [OWN_ONLY, READABLE, PROMISES.given, PROMISES.unnamed, PROMISES.untouched],
  },
  async (t, walk) => {
    const second = await t.secondPartner();
    await walk({ model: modelOf(t, { first: t.arrange, second }), steps: 16 });
  },
);
