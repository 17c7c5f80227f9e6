/** Pages, windows and directions of lists: servers in several styles, right and wrong ones. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { checkPages } from "../../../helpers/checks/pages.ts";
import { isInSample, LONG } from "../../../tests/self/support/lanes.ts";
import { closeAll } from "../../../tests/self/support/loopback.ts";
import { pagesIn, windowIn } from "../reading/list-parameters.ts";
import { catalogue, type Manner, type Style } from "./documents/catalogue.ts";
import { certifyDocument } from "./support/certified-document.ts";

const DOCUMENTS: Readonly<Record<Style, readonly [name: string, relations: readonly string[]]>> = {
  offset: ["notes", ["parameter.offset", "parameter.createdAfter", "parameter.createdBefore"]],
  page: ["coins", ["parameter.page", "parameter.order"]],
  cursor: ["tapes", ["parameter.cursor"]],
  link: ["maps", ["pages"]],
};

/**
 * What a server does otherwise, the relations from which it deviates, and those that it leaves untried. The faults of these
 * documents, which `any-service.spec.ts` tries, ignore the parameters.
 */
const ROWS: readonly (readonly [
  Style,
  readonly Manner[],
  deviates: readonly string[],
  untried?: readonly string[],
])[] = [
  ["offset", [], []],
  ["page", [], []],
  ["cursor", [], []],
  ["link", [], []],
  ["page", ["overlap"], ["parameter.page"]],
  ["cursor", ["overlap"], ["parameter.cursor"]],
  ["link", ["skips-one"], ["pages"]],
  ["cursor", ["skips-one"], ["parameter.cursor"]],
  ["cursor", ["more-for-ever"], ["parameter.cursor"]],
  ["cursor", ["leads-back"], ["parameter.cursor"]],
  ["link", ["leads-back"], ["pages"]],
  ["cursor", ["ends-early"], ["parameter.cursor"]],
  ["link", ["filter-lost"], ["pages"]],
  ["offset", ["window-empty"], ["parameter.createdAfter", "parameter.createdBefore"]],
  ["offset", ["first-is-1"], []],
  ["page", ["first-is-0"], []],
  ["page", ["clamps-page"], []],
  ["offset", ["clamps-page", "newest-first"], []],
  ["page", ["least-size", "no-list-if-empty"], []],
  ["offset", ["fixed-size", "late-items"], [], ["parameter.offset"]],
  ["cursor", ["fixed-size"], [], ["parameter.cursor"]],
  ["cursor", ["empty-last-page", "late-items"], []],
  ["link", ["empty-last-page"], []],
  ["cursor", ["least-size", "newest-first"], []],
  ["offset", ["not-found-if-empty"], [], ["parameter.createdAfter", "parameter.createdBefore"]],
  ["page", ["not-found-if-empty", "first-is-0"], []],
  ["offset", ["no-list-if-empty"], []],
  ["page", ["moving-order"], [], ["parameter.page"]],
  ["offset", ["refuses-window"], [], ["parameter.createdAfter", "parameter.createdBefore"]],
];

test.afterEach(closeAll);

for (const [index, [style, manners, deviates, untried = []]] of ROWS.entries()) {
  const what = [style, ...manners].join(", ");
  const lane = isInSample(index, ROWS.length) ? {} : LONG;
  test(`pages by ${what}: deviates from ${deviates.join() || "nothing"}`, lane, async () => {
    const [name, relations] = DOCUMENTS[style];
    const [service, list] = [name, `list${name.replace(/^./, (first) => first.toUpperCase())}`];
    const ids = relations.map((one) => `${service}.${list}.${one}${one === "pages" ? "" : ".obeyed"}`);
    const document = fileURLToPath(new URL(`./documents/${name}.yaml`, import.meta.url));
    const args = ["--depth", "quick", "--requirement", ids.join()];
    const { of } = await certifyDocument(document, await catalogue(style, ...manners), args);
    for (const [at, id] of ids.entries()) {
      const own = relations[at] ?? "";
      const verdict = deviates.includes(own) ? "advisory" : untried.includes(own) ? "not-tried" : "passed";
      const reason = verdict === "not-tried" ? expect.any(String) : null;
      expect.soft(of(id), id).toMatchObject({ verdict, reason });
    }
  });
}

test("a list is divided if each of its items is on one page, and by no other pages", () => {
  const lists = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), (list, given, at) => {
      const size = 1 + (given % (list.length - 1));
      const divided = (all: readonly string[]) =>
        Array.from({ length: Math.ceil(all.length / size) }, (_, page) =>
          all.slice(page * size, (page + 1) * size),
        );
      const item = list[at % list.length] ?? "";
      const holds = (pages: readonly (readonly string[])[], isEnd = true) =>
        checkPages("page", pages, list, isEnd)?.holds;
      const pages = divided(list);
      expect(holds(pages)).toBe(true);
      expect(holds([...pages, []])).toBe(true);
      expect(holds([...pages, [item]])).toBe(false);
      expect(holds(divided(list.filter((one) => one !== item)))).toBe(false);
      expect(holds(pages.slice(0, -1), false)).toBe(undefined);
    }),
  );
});

const date = { type: "string", format: "date-time" };
const items = (...names: readonly string[]) => [
  { properties: Object.fromEntries(names.map((name) => [name, date])) },
];

/** The fields of items that a date bounds, by the dates that they have. */
for (const [name, dates, shows] of [
  ["createdAfter", ["createdAt", "updatedAt"], ["createdAt"]],
  ["created_at[lte]", ["createdAt"], ["createdAt"]],
  ["filter[created_from]", ["created"], ["created"]],
  ["since", ["createdAt", "updatedAt"], ["createdAt", "updatedAt"]],
  ["dateFrom", ["date", "bookedAt"], ["date", "bookedAt"]],
  ["start_date_from", ["startDate", "endDate"], ["startDate"]],
  // It may be when a room is free.
  ["from", ["createdAt"], undefined],
  // A trip lasts, and a window may find each trip that overlaps it.
  ["since", ["startDate", "createdAt"], undefined],
  ["modifiedSince", ["createdAt"], undefined],
  ["date", ["date"], undefined],
] as const)
  test(`${name} bounds ${shows?.join() ?? "nothing"} of items with ${dates.join()}`, () => {
    const parameter = { name, schema: date };
    expect(windowIn({}, items(...dates), parameter, [parameter])?.shows).toEqual(shows);
    expect(windowIn({}, items(...dates), { ...parameter, required: true }, [])).toBe(undefined);
  });

for (const [names, means] of [
  [["limit", "page"], "pages"],
  [["page[size]", "page[number]"], "pages"],
  [["$top", "$skip"], "items"],
  [["maxResults", "startAt"], "items"],
  [["limit", "start"], "items"],
  // A start with an end is one of times.
  [["limit", "start", "end"], undefined],
  [["page"], undefined],
] as const)
  test(`${names.join(" and ")} ${means === undefined ? "may divide nothing" : `divide a list by ${means}`}`, () => {
    const query = names.map((name) => ({ name, schema: { type: "integer" } }));
    expect(pagesIn({}, { responses: {} }, query)?.means).toBe(means);
  });
