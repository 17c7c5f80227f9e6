/** Faults that only the comparison of answers shows: each answer looks correct by itself. */
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/call.ts";
import { afterwards, isSuccess, newest } from "../engine/deviations/handlers.ts";
import { type Fields, isObject } from "../engine/values/fields.ts";
import type { Call } from "./faults.ts";
import { pansOf } from "./pan-lists.ts";
import { keyOf, merchantKey } from "./participations.ts";
import {
  aboutAnother,
  answering,
  PURCHASE_RELATION_FAULTS,
  type StatefulFault,
  type StatefulFaultTable,
  takingNewest,
  withFields,
} from "./purchase-relation-faults.ts";
import type { InstallmentsState, Participation } from "./state.ts";

const SUBMIT = "postMerchantParticipations";
const LIST = "getMerchantParticipations";
const SEARCH = "postMerchantSearches";
const REGISTER = "postConsumerPanRegistrations";
const DEREGISTER = "postConsumerPanDeregistrations";

/** Changes the items of successful lists. */
const listing =
  (
    change: (items: readonly Fields[], state: InstallmentsState, call: Call) => readonly unknown[],
  ): StatefulFault =>
  async (state, call, handle) => {
    const answer = await handle();
    if (!isSuccess(answer) || !Array.isArray(answer.json)) return answer;
    return { ...answer, json: change(answer.json as Fields[], state, call) };
  };

/** Returns the submitted merchants, without those that are there from the start. */
const submitted = ({ participations }: InstallmentsState): Participation[] =>
  participations.filter(({ submittedAt }) => submittedAt > 0);

const MERCHANT_FAULTS: StatefulFaultTable = {
  "merchants.participations.submit": {
    "only-first-of-request": {
      [SUBMIT]: (_, call, handle) =>
        handle({ body: Array.isArray(call.body) ? call.body.slice(0, 1) : call.body }),
    },
    "next-request-replaces-last": {
      [SUBMIT]: (state, _, handle) => {
        const last = newest(submitted(state));
        if (last !== undefined) state.participations.splice(state.participations.indexOf(last), 1);
        return handle();
      },
    },
  },
  "merchants.participations.status-by-request-id": {
    "of-another-request": {
      [LIST]: aboutAnother("request_id", (state, own) =>
        submitted(state).flatMap(({ requestId }) => (requestId === own ? [] : [requestId])),
      ),
    },
    "newest-request-for-all": {
      [LIST]: aboutAnother("request_id", (state) => submitted(state).map(({ requestId }) => requestId)),
    },
    "unknown-request-lists-all": {
      [LIST]: async (_, call, handle) => {
        const answer = await handle();
        const { request_id: _id, ...query } = call.query;
        return isSuccess(answer) || call.query.request_id === undefined ? answer : handle({ query });
      },
    },
    "first-merchant-only": { [LIST]: listing((items, _, { query }) => first(items, query.request_id)) },
  },
  "merchants.participations.participation-details": {
    "of-another-merchant": {
      [LIST]: listing((items) =>
        items.map((item, index) => ({ ...item, address: items[index - 1]?.address ?? item.address })),
      ),
    },
  },
  "merchants.participations.update-existing": {
    "mids-replaced": {
      [SUBMIT]: (state, call, handle) => {
        for (const participation of sameMerchants(state, call)) put(state, participation, { mids: [] });
        return handle();
      },
    },
    "mids-ignored": {
      [SUBMIT]: (state, call, handle) =>
        handle({
          body: changedItems(call, (item) => (knownAs(state, item)[0] ? { ...item, mids: [] } : item)),
        }),
    },
    "flag-ignored": {
      [SUBMIT]: (state, call, handle) =>
        handle({ body: changedItems(call, (item) => ({ ...item, ...knownAs(state, item)[0]?.details })) }),
    },
    "listed-twice": {
      [LIST]: listing((items, state) => items.flatMap((item) => knownAs(state, item).map(() => item))),
    },
  },
  "merchants.searches.returns-participation-status": {
    "always-pending": {
      [SEARCH]: listing((items) => items.map((item) => ({ ...item, status: "PENDING" }))),
    },
  },
  "merchants.mids.searches.by-merchant": {
    "first-mid-only": {
      postMerchantMidSearches: answering((json) => ({ ...json, mids: (json.mids as unknown[]).slice(0, 1) })),
    },
    "name-alone-decides": {
      postMerchantMidSearches: (state, call, handle) => {
        const named = state.participations.find(
          ({ merchant }) => merchant.merchantLegalName === readAt(call.body, "/merchantLegalName"),
        );
        return handle(withFields(call, { ...named?.merchant }));
      },
    },
    "of-first-merchant": {
      postMerchantMidSearches: (state, call, handle) =>
        handle(withFields(call, { ...submitted(state)[0]?.merchant })),
    },
  },
  "lists.counts": {
    "another-of-search": { [SEARCH]: counted(({ count = "" }) => ({ count: `${Number(count) + 1}` })) },
    "total-of-page": { [LIST]: counted(({ count }) => ({ total: count })) },
    "count-of-all": { [LIST]: counted(({ total = "" }) => ({ count: `${Number(total) + 1}` })) },
  },
};

function counted(
  change: (headers: Readonly<Record<string, string>>) => Record<string, string | undefined>,
): StatefulFault {
  return async (_, call, handle) => {
    const answer = await handle({ query: { limit: "1", ...call.query } });
    return { ...answer, headers: { ...answer.headers, ...change(answer.headers ?? {}) } } as Answer;
  };
}

const first = (items: readonly Fields[], requestId: unknown): readonly Fields[] =>
  requestId === undefined ? items : items.slice(0, 1);

const changedItems = ({ body }: Call, change: (item: Fields) => Fields): unknown =>
  Array.isArray(body) ? body.map((item) => (isObject(item) ? change(item) : item)) : body;

const sameMerchants = ({ participations }: InstallmentsState, { body }: Call): Participation[] => {
  const keys = new Set((Array.isArray(body) ? body : []).map((item) => keyOf(merchantKey(item))));
  return participations.filter(({ merchant }) => keys.has(keyOf(merchant)));
};

const knownAs = ({ participations }: InstallmentsState, item: Fields): Participation[] =>
  participations.filter(({ merchant }) => keyOf(merchant) === keyOf(merchantKey(item)));

const put = (
  { participations }: InstallmentsState,
  old: Participation,
  changes: Partial<Participation>,
): void => void participations.splice(participations.indexOf(old), 1, { ...old, ...changes });

const PAN_FAULTS: StatefulFaultTable = {
  "consumers.pans.registrations.create-list": {
    "same-list-for-all": {
      [REGISTER]: (state, call, handle) => {
        const [known] = state.panLists.keys();
        const isNew = readAt(call.body, "/panListId") === undefined && known !== undefined;
        return handle(isNew ? withFields(call, { panListId: known }) : {});
      },
    },
    "only-first-pan": {
      [REGISTER]: (_, call, handle) => handle(withFields(call, { pans: pansOf(call.body).slice(0, 1) })),
    },
  },
  "consumers.pans.registrations.register-to-list": {
    "pans-replaced": {
      [REGISTER]: (state, call, handle) => {
        state.panLists.get(String(readAt(call.body, "/panListId")))?.clear();
        return handle();
      },
    },
    "only-last-pan": {
      [REGISTER]: (_, call, handle) =>
        readAt(call.body, "/panListId") === undefined
          ? handle()
          : handle(withFields(call, { pans: pansOf(call.body).slice(-1) })),
    },
    "answers-about-new-list": {
      [REGISTER]: answering((json, { identifiers }, call) =>
        readAt(call.body, "/panListId") === undefined
          ? json
          : { ...json, panListId: identifiers.uuid("another pan list") },
      ),
    },
  },
  "consumers.pans.deregistrations.from-existing-list": {
    "only-first-pan-deregistered": {
      [DEREGISTER]: (_, call, handle) => handle(withFields(call, { pans: pansOf(call.body).slice(0, 1) })),
    },
    "list-emptied": {
      [DEREGISTER]: afterwards((state, call) =>
        state.panLists.get(String(readAt(call.body, "/panListId")))?.clear(),
      ),
    },
    "last-pan-kept": {
      [DEREGISTER]: afterwards((state, call) => {
        const list = state.panLists.get(String(readAt(call.body, "/panListId")));
        const last = pansOf(call.body).at(-1);
        if (list?.size === 0 && last !== undefined) list.add(last);
      }),
    },
    "unknown-list-takes-newest": { [DEREGISTER]: takingNewest("panListId", ({ panLists }) => panLists) },
  },
  "sequences.pan-lists-apart": {
    "deregistered-from-every-list": {
      [DEREGISTER]: afterwards((state, call) => {
        for (const list of state.panLists.values()) for (const pan of pansOf(call.body)) list.delete(pan);
      }),
    },
  },
};

export const RELATION_FAULTS: readonly StatefulFaultTable[] = [
  MERCHANT_FAULTS,
  PAN_FAULTS,
  PURCHASE_RELATION_FAULTS,
];
