/** Participations of merchants: submitted, effective after a delay, and then listed and searchable. */
import { groupBy } from "../../helpers/contract/memoize.ts";
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import type { Answer } from "../engine/call.ts";
import type { Fields } from "../engine/values/fields.ts";
import type { Call } from "./faults.ts";
import { COMPLETED_LIST } from "./participation-list.ts";
import { invalid, notFound, nothingFound } from "./refusals.ts";
import { type InstallmentsState, type MerchantKey, newRequestId, type Participation } from "./state.ts";

/** Milliseconds on the tenant's clock. */
const EFFECTUATION_MS = 2_000;
const HOUR_MS = 3_600_000;

export const submitParticipations = (state: InstallmentsState, { body, faulty, differs }: Call): Answer => {
  const requestId = newRequestId(state);
  const submitted = Array.isArray(body) ? body : [];
  if (!faulty("participations-dropped")) {
    const apartMs = differs("each-effectuated-alone") ? HOUR_MS : 0;
    state.participations.push(
      ...submitted.map((item, index) => participationOf(state, requestId, item, index * apartMs)),
    );
  }
  if (differs("request-id-in-header")) return { status: 202, headers: { request_id: requestId } };
  if (differs("request-id-in-body")) return { status: 202, json: { requestId, status: "PENDING" } };
  const separator = differs("request-id-in-address") ? "/" : "?request_id=";
  return { status: 202, headers: { location: `/merchants/participations${separator}${requestId}` } };
};

const participationOf = (
  state: InstallmentsState,
  requestId: string,
  submitted: unknown,
  delayMs: number,
): Participation => {
  // A fault can accept `null`.
  const fields = (submitted ?? {}) as Record<string, unknown>;
  const { merchantLegalName, countryCode, acquirerICA, mids, ...details } = fields;
  return {
    requestId,
    submittedAt: state.clock.now().getTime() + delayMs,
    merchant: merchantKey({ merchantLegalName, countryCode, acquirerICA }),
    mids: Array.isArray(mids) ? mids.map(String) : [],
    details,
  };
};

/** Returns the key of a merchant. Invalid values that a fault accepted become texts, so that the answer stays valid. */
export const merchantKey = (value: unknown): MerchantKey => {
  const text = (name: string): string | undefined => {
    const given = readAt(value, `/${name}`);
    return given === undefined ? undefined : String(given ?? "");
  };
  return {
    merchantLegalName: text("merchantLegalName"),
    countryCode: text("countryCode"),
    acquirerICA: text("acquirerICA"),
  };
};

export const listParticipations = (state: InstallmentsState, call: Call): Answer => {
  const { query, faulty } = call;
  const requestId = query.request_id;
  if (requestId === undefined || faulty("request-id-ignored")) {
    const listed = merchantsOf(state).filter(
      ({ status }) => status === "COMPLETED" || faulty("uncompleted-listed"),
    );
    const unfinished = faulty("uncompleted-of-another-listed") ? listed.slice(0, 1).map(another) : [];
    return { ...page([...listed, ...unfinished], call), cause: COMPLETED_LIST };
  }
  const requested = state.participations.filter(
    (participation) => participation.requestId === String(requestId),
  );
  if (requested.length === 0) return notFound("participation request");
  const followed = requested.map((participation) => merchantBody(state, [participation]));
  return page(faulty("request-status-never-updated") ? followed.map(pending) : followed, call);
};

/** Returns every submitted merchant with its latest details. */
const merchantsOf = (state: InstallmentsState): MerchantBody[] =>
  [...groupBy(state.participations, ({ merchant }) => keyOf(merchant)).values()].map((participations) =>
    merchantBody(state, participations),
  );

export const keyOf = ({ merchantLegalName, countryCode, acquirerICA }: MerchantKey): string =>
  [merchantLegalName, countryCode, acquirerICA].join("\n").toLowerCase();

export const statusOf = (
  { clock }: InstallmentsState,
  { submittedAt }: Participation,
): "PENDING" | "COMPLETED" =>
  clock.now().getTime() - submittedAt >= EFFECTUATION_MS ? "COMPLETED" : "PENDING";

interface MerchantBody extends MerchantKey {
  readonly status: ReturnType<typeof statusOf>;
  readonly address: unknown;
}

const merchantBody = (state: InstallmentsState, participations: readonly Participation[]): MerchantBody => {
  const latest = participations.at(-1) as Participation;
  const completed = participations.some((participation) => statusOf(state, participation) === "COMPLETED");
  return { ...latest.merchant, address: {}, ...latest.details, status: completed ? "COMPLETED" : "PENDING" };
};

const pending = (merchant: MerchantBody): MerchantBody => ({ ...merchant, status: "PENDING" });

const another = (merchant: MerchantBody): MerchantBody => ({
  ...pending(merchant),
  merchantLegalName: "Unfinished Example Ltd",
});

/**
 * Returns the shortest list length that the contract allows: 0, unless the provider's own document forbids empty lists.
 * @param name of the list in the body; the body itself if absent
 */
const leastItems = ({ operation, validators }: Call, name?: string): number => {
  const body = operation.responses["200"]?.content["application/json"] ?? {};
  const { properties, limits } = validators.flatten(body, undefined);
  if (name === undefined) return limits.minItems ?? 0;
  return validators.flatten(properties?.get(name) ?? {}, undefined).limits.minItems ?? 0;
};

const LIMIT = 500;

const page = (items: readonly unknown[], call: Call): Answer => {
  const { query } = call;
  // A fault can accept other values than numbers, and less than one item.
  const offset = Number(query.offset) || 0;
  const limit = Math.max(1, Math.min(Number(query.limit) || LIMIT, LIMIT));
  const shown = items.slice(offset, offset + limit);
  if (shown.length < leastItems(call)) return nothingFound(call);
  return {
    status: 200,
    headers: {
      count: String(shown.length),
      offset: String(offset),
      limit: String(limit),
      total: String(items.length),
    },
    json: shown,
  };
};

const CRITERIA = ["merchantLegalName", "countryCode", "acquirerICA"] as const;

export const searchMerchants = (state: InstallmentsState, call: Call): Answer => {
  const { body, faulty, differs } = call;
  const wanted = (body ?? {}) as Fields;
  const given = CRITERIA.filter((name) => wanted[name] !== undefined);
  if (given.length > 1 && differs("one-criterion-only")) return invalid("A search takes one criterion.");
  const matches = (merchant: MerchantKey) => (name: (typeof CRITERIA)[number]) =>
    faulty(`${name}-ignored`) ||
    (name !== "merchantLegalName" &&
      faulty(`${name}-compared-by-start`) &&
      startOf(wanted[name]) === startOf(merchant[name])) ||
    isAsWanted(String(wanted[name]), merchant[name]);
  const status = wanted.merchantParticipationStatus;
  const withStatus = merchantsOf(state).filter(
    (merchant) => status === undefined || merchant.status === status,
  );
  const found = withStatus.filter((merchant) =>
    differs("any-criterion-matches")
      ? given.length === 0 || given.some(matches(merchant))
      : given.every(matches(merchant)),
  );
  const unfound = given.some((name) => faulty(`${name}-finds-nothing`));
  return page(unfound ? [] : found, call);
};

const startOf = (value: unknown): string => String(value).slice(0, 1);

/** Whether a criterion matches. A criterion that is not given matches everything. */
const isAsWanted = (wanted: string | undefined, actual: string | undefined): boolean =>
  wanted === undefined || wanted.toLowerCase() === actual?.toLowerCase();

export const searchMids = (state: InstallmentsState, call: Call): Answer => {
  const merchant = merchantKey(call.body);
  const own = state.participations.filter((participation) =>
    CRITERIA.every((name) => isAsWanted(merchant[name], participation.merchant[name])),
  );
  const shown = call.faulty("mids-of-all-merchants") ? state.participations : own;
  const mids = shown.flatMap((participation) =>
    participation.mids.map((mid) => ({ mid, status: statusOf(state, participation) })),
  );
  const listed = call.faulty("no-mids") ? [] : mids;
  return listed.length < leastItems(call, "mids")
    ? nothingFound(call)
    : { status: 200, json: { ...merchant, mids: listed } };
};
