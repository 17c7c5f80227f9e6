/** The sandbox of financial data, assembled from its sections. */
import type { Handler } from "../engine/call.ts";
import { dumpOf, fillState, schemaOf } from "../engine/data/kinds.ts";
import { statefulRowsOf, withStatefulFaults } from "../engine/deviations/handlers.ts";
import type { OpenService, SandboxService } from "../engine/service.ts";
import { completerFor } from "../engine/values/complete.ts";
import { type Fields, fieldsIn } from "../engine/values/fields.ts";
import { CHALLENGE, CHALLENGED, RefusedError, refusalAnswer, refused } from "./answers.ts";
import type { Behaviour, Call } from "./calls.ts";
import { authenticate } from "./credentials.ts";
import { KINDS } from "./data/kinds.ts";
import { derivedFaults } from "./derived-faults.ts";
import { EXCLUDED, FINANCIAL_DATA_DIFFERENCES, GENERAL } from "./differences.ts";
import { asUnderstood, emptyInstead, respelled, withoutEmptyLists } from "./differing.ts";
import { FINANCIAL_DATA_FAULTS } from "./faults.ts";
import { linkAccounts } from "./linking.ts";
import { NAMED_FIELDS } from "./named-fields.ts";
import { SECTIONS } from "./sections/index.ts";

import { seedData } from "./seed-data.ts";
import { resumeApplications } from "./state/applications.ts";
import type { Customer } from "./state/customer.ts";
import { resumeMicroDeposits } from "./state/micro-deposits.ts";
import { resumeReports } from "./state/reports.ts";
import { createState, type State, storesOf } from "./state/state.ts";
import { resumeSwitches } from "./state/switches.ts";
import { resumeTxPush } from "./state/txpush.ts";
import { availableEvents } from "./state/webhook-events.ts";
import { sendToSubscribers } from "./state/webhooks.ts";
import { TEST_DATA } from "./test-data.ts";
import unjudged from "./unjudged.json" with { type: "json" };

/**
 * Faults that are not judged: unknown ids, wrong amounts and reissues without a purpose are refused with or without
 * validation, and few shapes of a new secret are tried, because each accepted one changes it.
 */
const UNJUDGED = unjudged.map((id) => `financial-data.${id}`);

const STATEFUL_FAULTS = statefulRowsOf(SECTIONS.flatMap(({ statefulFaults = [] }) => statefulFaults));
const PAGES = SECTIONS.flatMap(({ pages = [] }) => pages);
const SITUATIONS = SECTIONS.flatMap(({ situations = {} }) => Object.entries(situations));

export const service: SandboxService = {
  service: "financial-data",
  open: async (opening): Promise<OpenService> => {
    const state = createState(opening);
    for (const section of SECTIONS) section.open?.(state);
    const customer = firstCustomer(state);
    const { main, disposable, other } = state.partners;
    return {
      environment: (baseUrl) => ({
        FINANCIAL_DATA_BASE_URL: baseUrl,
        FINANCIAL_DATA_APP_KEY: main.appKey,
        FINANCIAL_DATA_PARTNER_ID: main.id,
        FINANCIAL_DATA_PARTNER_SECRET: main.secret,
        FINANCIAL_DATA_DISPOSABLE_PARTNER_ID: disposable.id,
        FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET: disposable.secret,
        FINANCIAL_DATA_CUSTOMER_ID: customer?.id ?? "",
        FINANCIAL_DATA_ROUTING_NUMBER: state.institutions.test().routingNumbers[0] ?? "",
        FINANCIAL_DATA_THIRD_PARTY_PARTNER_ID: other.id,
      }),
      authenticate: (call) => authenticate(state, call),
      handlers: handlersOf(state),
      situations: Object.fromEntries(
        SITUATIONS.map(([name, arrange]) => [name, (parameters: Fields) => arrange(state, parameters)]),
      ),
      pages: Object.fromEntries(PAGES.map(({ name, handler }) => [name, (visit) => handler(state, visit)])),
      link: (parameters) => linkAccounts(state, parameters),
      events: {
        names: availableEvents(opening.contract).map(({ name }) => name),
        send: (name) => sendToSubscribers(state, name),
      },
      dump: () => dumpOf(KINDS, state),
      stores: () => storesOf(state),
      resume: () => {
        for (const resume of RESUMING) resume(state);
      },
    };
  },
  refuse: (refusal, at) =>
    refusal.status === CHALLENGED
      ? { status: CHALLENGED, json: CHALLENGE }
      : refusalAnswer(at && completerFor(at.contract), at?.operation, refusal),
  dataSchema: schemaOf("The data of the sandbox of financial data", KINDS),
  shownAs: {
    ...{ created: ["createdDate", "creationDate"], modified: ["lastModifiedDate", "modifiedDate"] },
    ...{ updated: ["lastUpdatedDate", "updatedDate"], submitted: ["submittedDate"] },
    ...{ from: ["startDate"], until: ["endDate"], oauth: ["oauthEnabled"] },
    ...{ content: ["statement"], balance: ["availableBalance"] },
  },
  completesAnswers: true,
  otherRefusal: (json) => ({ errors: [json] }),
  pages: PAGES,
  deviations: [...FINANCIAL_DATA_DIFFERENCES, ...FINANCIAL_DATA_FAULTS, ...STATEFUL_FAULTS],
  derivedDeviations: derivedFaults,
  testData: TEST_DATA,
  unjudged: UNJUDGED,
  capabilities: ["linked-accounts", "disposable-partner", "hosted-pages"],
  generalDifferences: GENERAL,
  excludedDeviations: EXCLUDED,
  namedFields: NAMED_FIELDS,
};

/**
 * Fills the state with the data that the user chose, or with the sandbox's own.
 * @returns the customer with accounts for the configuration; `undefined` if the user chose no customers at all
 */
const firstCustomer = (state: State): Customer | undefined => {
  const seeded = state.data.customers === undefined ? seedData(state) : undefined;
  fillState(KINDS, state, state.data, (resource, id) => {
    state.keepFree(id);
    return state.allows(resource, id);
  });
  const own = state.customers.of(state.partners.main.id);
  return seeded ?? own.find(({ id }) => state.accounts.of(id).length > 0) ?? own[0];
};

/** Each continues what data or an image show as unfinished. */
const RESUMING = [resumeApplications, resumeMicroDeposits, resumeReports, resumeSwitches, resumeTxPush];

const HANDLERS = withStatefulFaults<State, Behaviour>(
  Object.assign({}, ...SECTIONS.map(({ handlers }) => handlers)),
  STATEFUL_FAULTS,
);

const handlersOf = (state: State): Record<string, Handler> =>
  Object.fromEntries(
    Object.entries(HANDLERS).map(([operationId, handle]): [string, Handler] => [
      operationId,
      async (received) => {
        const call = asUnderstood(received);
        try {
          refuseMalformedIds(call);
          return withoutEmptyLists(call, respelled(call, await handle(state, call)));
        } catch (error) {
          if (error instanceof RefusedError)
            return (
              emptyInstead(call, error) ??
              refusalAnswer(state.complete, call.operation, named(call, error.refusal))
            );
          throw error;
        }
      },
    ]),
  );

/** Adds the unknown identifier, from the path or the body, to the message. */
const named = ({ path, body }: Call, refusal: RefusedError["refusal"]): RefusedError["refusal"] => {
  const [, noun] = /^unknown-(?:.*-)?(\w+)$/.exec(refusal.cause) ?? [];
  if (noun === undefined) return refusal;
  const sent = [...Object.entries(fieldsIn(body)), ...Object.entries(path)];
  const [name, value] =
    sent.findLast(([field, one]) => ID.test(String(one)) && field.toLowerCase().includes(noun)) ?? [];
  if (name === undefined || refusal.message.includes(String(value))) return refusal;
  return { ...refusal, message: `${refusal.message.replace(/\.$/, "")}: "${name}" is "${value}".` };
};

/** Unreserved characters (RFC 3986, 2.3). All ids of this sandbox consist of them. */
const ID = /^[\w.~-]{1,128}$/;

/** Refuses a malformed id in the path with 400, if that is documented, before any resource is looked up. */
const refuseMalformedIds = ({ path, operation }: Call): void => {
  const malformed = Object.entries(path).find(([, value]) => !ID.test(value));
  if (malformed === undefined || operation.responses[400] === undefined) return;
  throw refused("malformed-id", { of: malformed[0] });
};
