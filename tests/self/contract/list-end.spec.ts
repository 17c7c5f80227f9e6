import { expect, test } from "@playwright/test";
import { isEmptyList } from "../../../helpers/contract/list-end.ts";

const ITEM = "/items/*/id";

for (const [what, body, isEmpty] of [
  ["has no items", { items: [] }, true],
  ["is left out", {}, true],
  ["is left out beside links", { _links: { self: { href: "https://server.example.com" } }, more: [] }, true],
  ["has an item", { items: [{ id: 1 }] }, false],
  ["may have another name", { records: [{ id: 1 }] }, false],
  ["may stand inside an object", { page: { records: [{ id: 1 }] } }, false],
] as const)
  test(`a list that ${what} is ${isEmpty ? "empty" : "not empty"}`, () => {
    expect(isEmptyList(body, ITEM)).toBe(isEmpty);
  });
