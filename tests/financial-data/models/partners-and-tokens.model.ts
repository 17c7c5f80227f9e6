/** Two partners with tokens of their own: each sees, changes and deletes its own customers, and never the other's. */
import { callerFor, jsonOf, withJson } from "../../../fixtures/engine/sequence-calls.ts";
import { operationOf, validCall } from "../../../fixtures/financial-data/asking.ts";
import {
  changing,
  emptyShelf,
  fewer,
  lookAt,
  lookAtList,
  making,
  type Shelf,
} from "../../../fixtures/financial-data/shelf.ts";
import { disposablePartner, refusalOf, tokenHeader } from "../../../fixtures/financial-data/signing-in.ts";
import { instancesAt } from "../../../helpers/checks/rules.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Asked, Command, Look, Model, Note } from "../../../helpers/sequences/model.ts";
import { alive, byName } from "../../../helpers/sequences/things.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { TrialContext } from "../../../helpers/trials/trial.ts";
import { LISTS_AGREE, OWN_ONLY, PROMISES, READABLE, sequenceTrial } from "./sequences.ts";

type Partner = "first" | "second";
const PARTNERS = ["first", "second"] as const;

interface State extends Shelf {
  /** The newest token of each: what becomes of older ones is open. */
  readonly tokens: { [partner in Partner]?: string };
  signIns: number;
}

const SIGN_IN = "CreateToken";
const ADD = "AddTestingCustomer";

const modelOf = (context: TrialContext, accounts: Readonly<Record<Partner, Arranger>>): Model<State> => {
  const calls = callerFor(context);
  const header = tokenHeader(context.contract);
  let sequences = 0;
  const as = async (partner: Partner, { tokens }: State, call: Promise<Call>): Promise<Call> => ({
    ...(await call),
    headers: { ...(await call).headers, [header]: tokens[partner] ?? "" },
  });

  const intruding = (name: string, operationId: string, change: boolean): Command<State> => ({
    name,
    operationId,
    when: isReady,
    call: async (state, { seed, pick }) => {
      const { ids, name: of, traits } = pick(alive(state.things));
      const call = await as(otherThan(traits?.partner), state, calls.of(operationId, ids));
      const json = change ? { firstName: `Intruder${seed >>> 0}` } : undefined;
      return refusing(json === undefined ? call : { ...call, json }, of);
    },
  });

  return {
    start: () => {
      sequences += 1;
      return { ...emptyShelf(), tokens: {}, signIns: 0 };
    },
    commands: [
      ...PARTNERS.map(
        (partner): Command<State> => ({
          name: `sign in as the ${partner} partner`,
          when: ({ signIns, tokens }) => tokens[partner] === undefined || (signIns < 4 && "second" in tokens),
          call: async () => signingIn(context, await validCall(context, SIGN_IN, accounts[partner]), partner),
        }),
      ),
      ...PARTNERS.map(
        (partner): Command<State> => ({
          name: `add a customer of the ${partner} partner`,
          when: (state) => state.tokens[partner] !== undefined && fewer("customer", 4)(state),
          call: async (state, { seed }) => {
            const made = await as(partner, state, calls.of(ADD, {}, seed));
            const username = `${jsonOf(made).username}-p${sequences}-${state.made.customer ?? 0}`;
            return making<State>(calls, withJson(made, { username }), {
              kind: "customer",
              traits: { partner },
              possible: READABLE,
            });
          },
        }),
      ),
      {
        name: "rename a customer",
        when: isReady,
        call: async (state, { seed, pick }) => {
          const customer = pick(alive(state.things));
          const call = as(
            customer.traits?.partner as Partner,
            state,
            calls.of("ModifyCustomer", customer.ids),
          );
          const json = { firstName: `Robin${seed >>> 0}` };
          return changing({ ...(await call), json }, customer, json);
        },
      },
      intruding("rename a customer of the other partner", "ModifyCustomer", true),
      intruding("delete a customer of the other partner", "DeleteCustomer", false),
    ],
    looks: (state) =>
      state.things.flatMap((thing) => {
        const owner = thing.traits?.partner as Partner;
        const read = (partner: Partner) => as(partner, state, calls.of("GetCustomer", thing.ids));
        const query = { username: String(thing.given.username) };
        return [
          lookAt<State>(thing, () => read(owner), PROMISES),
          hidden(`${thing.name} as the other partner`, () => read(otherThan(owner)), thing.name),
          lookAtList<State>(context, {
            name: `the other partner's list with the username of ${thing.name}`,
            kind: "customer",
            call: async () => ({ ...(await as(otherThan(owner), state, calls.of("GetCustomers"))), query }),
            holds: (now) => ({ shown: [], hidden: [byName(now.things, thing.name)] }),
            shows: LISTS_AGREE,
            hides: OWN_ONLY,
          }),
        ].filter((look) => isReady(state) || look.name === thing.name);
      }),
    leave: (state) =>
      alive(state.things).map(({ ids, traits }) =>
        as(traits?.partner as Partner, state, calls.of("DeleteCustomer", ids)),
      ),
  };
};

const isReady = ({ tokens, things }: State): boolean =>
  tokens.first !== undefined && tokens.second !== undefined && things.length > 0;

const otherThan = (partner: string | undefined): Partner => (partner === "first" ? "second" : "first");

const signingIn = (context: TrialContext, call: Call, partner: Partner): Asked<State> => ({
  call,
  expect: (state: State, exchange: Exchange) => {
    if (!isAccepted(exchange)) throw new NotTried(refusalOf(exchange));
    const pointer = context.bindings[SIGN_IN] ?? operationOf(context, SIGN_IN).token ?? "";
    const [found] = instancesAt(exchange.response?.json, pointer);
    if (typeof found?.value !== "string")
      throw new NotTried(`${SIGN_IN} shows no token: bind ${SIGN_IN} in BINDINGS to where it stands`);
    context.learn(found.value, `${partner.toUpperCase()}_PARTNER_TOKEN`);
    state.tokens[partner] = found.value;
    state.signIns += 1;
  },
});

const judgeHidden = (exchange: Exchange, name: string, note: Note): void =>
  note(OWN_ONLY, !isAccepted(exchange), {
    message: `${exchange.operationId} with the token of another partner reaches ${name}`,
    expected: "a refusal",
    actual: `${statusOf(exchange)}`,
    must: { accepted: false },
  });

const refusing = (call: Call, name: string): Asked<State> => ({
  call,
  expect: (_: State, exchange: Exchange, note: Note) => judgeHidden(exchange, name, note),
});

const hidden = (name: string, call: () => Promise<Call>, of: string): Look<State> => ({
  name,
  call: async () => refusing(await call(), of),
});

export const partnerSequences = sequenceTrial<State>(
  {
    name: "partners-and-tokens",
    title: "partners reach their own customers, and never those of another",
    section: "Authentication and partner",
    operations: [SIGN_IN, ADD, "GetCustomer", "GetCustomers", "ModifyCustomer", "DeleteCustomer"],
    requirements: [OWN_ONLY, READABLE, PROMISES.given, PROMISES.unnamed, PROMISES.untouched],
  },
  async (context, walk) => {
    const second = await disposablePartner(context);
    if (second === undefined)
      throw new NotTried("needs a second partner: set FINANCIAL_DATA_DISPOSABLE_PARTNER_ID and its secret");
    await walk({ model: modelOf(context, { first: context.arrange, second }), steps: 16 });
  },
);
