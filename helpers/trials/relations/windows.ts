/** Tries that a list with bounds of its dates shows no item from outside, and still shows the items within. */
import { checkHalves, checkWindow, type Span } from "../../checks/obedience.ts";
import { isSame } from "../../contract/json.ts";
import { parameterNamed } from "../../contract/lookups.ts";
import { loose } from "../../contract/names.ts";
import { checkThat, HOLDS } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { datesIn } from "../from-contract/obedience.ts";
import { type Contents, type T, timeFor } from "../kit/language.ts";
import { leaveUnvaried, type Related, variedList } from "./varied-list.ts";

const DAY = 86_400;
/** Far enough from what a list shows that no other date of an item is there. */
const FAR = 30 * 365 * DAY;
/** The first and the last second of years with four digits. */
const ALL: Span = { from: -62_135_596_800, to: 253_402_300_799 };

/** Enough items of a window to fit on one page. */
const WHOLE = 500;

export const tryWindow = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId } = row;
  const { requirement } = relation;
  const now = Math.floor(t.clock.now() / 1000 / DAY) * DAY;
  const all = { from: now - 170 * DAY, to: now + DAY };
  const read = (span: Span) => t.answered(operationId, row.about, windowIn(t, row, span));
  const wide = await t.readUntil(
    () => read(all),
    (exchange) => !isAccepted(exchange) || t.itemsIn(exchange).length > 0,
  );
  const entriesOf = (exchange: Exchange) => (isAccepted(exchange) ? entriesIn(t, row, exchange) : []);
  const entries = entriesOf(wide);
  const days = entries.flatMap(({ dates }) => dates).sort((one, other) => one - other);
  const middle = Math.floor((days[days.length >> 1] ?? now) / DAY) * DAY;
  const halves = [
    { ...all, to: middle + 2 * DAY },
    { ...all, from: middle + DAY },
  ];
  if (entries.length === 0 || entries.length >= WHOLE) return leaveUnvaried(t, row, "weeks");
  const readHalves = async () => {
    const parts = [];
    for (const half of halves) parts.push(await read(half));
    const listed = parts.flatMap((part) => entriesOf(part).map(({ key }) => key));
    const result = checkHalves(row.name, halves, entries, listed);
    if (result?.holds !== false) return { parts, result };
    // What other clients removed meanwhile is in no window.
    const left = new Set(entriesOf(await read(all)).map(({ key }) => key));
    const kept = entries.filter(({ key }) => left.has(key));
    return { parts, result: checkHalves(row.name, halves, kept, listed) };
  };
  const { parts, result } = await t.readUntil(readHalves, (one) => one.result?.holds !== false);
  if (result === undefined || !parts.every(isAccepted)) return leaveUnvaried(t, row, "weeks");
  // Each answer is judged by its dates; these lists show that the dates of the others left items out.
  t.record(requirement, result, [...parts, wide]);
  t.showOccasion(requirement);
};

/** Returns the contents of a call that asks for a whole window on one page. */
const windowIn = (t: T, { relation, operationId }: Related, { from, to }: Span): Contents => {
  const operation = t.operationOf(operationId);
  const { paging } = operation;
  const dates = [
    [parameterNamed(operation, relation.parameter), from],
    [parameterNamed(operation, relation.until), to],
  ] as const;
  const parameters = dates.flatMap(([parameter, seconds]) =>
    parameter === undefined ? [] : [[parameter.name, timeFor(parameter, seconds)]],
  );
  const size = paging === undefined ? {} : { [paging.limit]: WHOLE };
  return { parameters: { ...(Object.fromEntries(parameters) as Contents["parameters"]), ...size } };
};

const entriesIn = (t: T, { relation, operationId }: Related, exchange: Exchange) => {
  const items = t.itemsIn(exchange);
  const [place] = t.operationOf(operationId).finds;
  const keys = t.keysOf(operationId, place?.resource ?? "", items);
  return items.map((item, index) => ({ key: keys[index] ?? "", dates: datesIn(relation, item) }));
};

/** Names of dates may be of other dates than the shown ones, but nothing has a date so far away. */
export const tryGuessedWindow = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement, means, along, shows = [] } = relation;
  const { control, items } = await variedList(t, row);
  const dates = items.flatMap((item) => datesIn(relation, item));
  if (dates.length === 0) return leaveUnvaried(t, row, "dates");
  const now = t.clock.now() / 1000;
  const [first, last] = [Math.min(now, ...dates), Math.max(now, ...dates)];
  const isStart = means === "from";
  const far = isStart
    ? { from: last + FAR, to: last + FAR + DAY }
    : { from: first - FAR - DAY, to: first - FAR };
  const ask = (from: number, to: number) => {
    const bounds = { [name]: isStart ? from : to, ...(along && { [along]: isStart ? to : from }) };
    return t.answered(operationId, row.about, { parameters: timesFor(t, operationId, bounds) });
  };
  const outside = await ask(far.from, far.to);
  if (!isAccepted(outside))
    return t.leaveUntried(requirement, "refused", operationId, name, statusOf(outside));
  const span = along === undefined ? { ...ALL, ...(isStart ? { from: far.from } : { to: far.to }) } : far;
  // Another date than the shown ones may count if the name of the parameter has none of them.
  const stem = loose(shows[0] ?? "").replace(/(?:at|on|date|time|datetime|timestamp|day)$/, "");
  const isNamed = shows.length === 1 && stem !== "" && loose(name).includes(stem);
  // What an item shows may be computed for the window.
  const isShown = (item: unknown): boolean => isNamed || items.some((other) => isSame(item, other));
  const shown = (t.itemsOf(outside) ?? []).filter(isShown).map((item) => datesIn(relation, item));
  t.record(requirement, checkWindow(name, span, shown) ?? HOLDS, [outside, control]);
  t.showOccasion(requirement);
  if (!isNamed) return;
  const around = await t.readUntil(
    () => ask(Math.min(...dates) - 2 * DAY, Math.max(...dates) + 2 * DAY),
    (exchange) => !isAccepted(exchange) || t.itemsOf(exchange)?.length !== 0,
  );
  const found = t.itemsOf(around);
  if (!isAccepted(around) || found === undefined) return;
  const result = checkThat(found.length > 0, {
    pointer: name,
    message: "a list from around all dates that it shows is empty",
    expected: "the items with these dates",
    actual: "no items",
  });
  t.record(requirement, result, [around, control]);
};

const timesFor = (t: T, operationId: string, bounds: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(bounds).flatMap(([name, seconds]) => {
      const parameter = parameterNamed(t.operationOf(operationId), name);
      return parameter === undefined ? [] : [[name, timeFor(parameter, Math.round(seconds))] as const];
    }),
  );
