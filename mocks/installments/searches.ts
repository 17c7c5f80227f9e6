/** Searches: merchants by one or more criteria, and the mids of one merchant. */

import type { Answer } from "../engine/service.ts";
import type { Fields } from "../engine/values/fields.ts";
import type { Call } from "./faults.ts";
import { keyOf, leastItems, merchantKey, merchantsOf, page, statusOf } from "./participations.ts";
import { nothingFound } from "./refusals.ts";
import type { InstallmentsState } from "./state.ts";

const CRITERIA = ["merchantLegalName", "countryCode", "acquirerICA"] as const;

export const searchMerchants = (state: InstallmentsState, call: Call): Answer => {
  const { body, bent } = call;
  const wanted = (body ?? {}) as Fields;
  const found = merchantsOf(state).filter((merchant) =>
    CRITERIA.every(
      (name) =>
        wanted[name] === undefined || bent(`${name}-ignored`) || isSame(String(wanted[name]), merchant[name]),
    ),
  );
  const unfound = CRITERIA.some((name) => wanted[name] !== undefined && bent(`${name}-finds-nothing`));
  const shown = bent("search-without-status") ? found.map(({ status: _, ...merchant }) => merchant) : found;
  return page(unfound ? [] : shown, call);
};

const isSame = (wanted: string, actual: string): boolean => wanted.toLowerCase() === actual.toLowerCase();

export const searchMids = (state: InstallmentsState, call: Call): Answer => {
  const merchant = merchantKey(call.body);
  const own = state.participations.filter(
    (participation) => keyOf(participation.merchant) === keyOf(merchant),
  );
  const shown = call.bent("mids-of-all-merchants") ? state.participations : own;
  const mids = shown.flatMap((participation) =>
    participation.mids.map((mid) => ({ mid, status: statusOf(state, participation) })),
  );
  const listed = call.bent("no-mids") ? [] : mids;
  return listed.length < leastItems(call, "mids")
    ? nothingFound(call)
    : { status: 200, json: { ...merchant, mids: listed } };
};
