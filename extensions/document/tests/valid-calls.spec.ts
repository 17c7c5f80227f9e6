/** A server that knows nothing of the product: its document's valid calls, and the relations that names suggest. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { LONG } from "../../../tests/self/support/lanes.ts";
import { closeAll } from "../../../tests/self/support/loopback.ts";
import { MANNERS, shop } from "./documents/shop.ts";
import { certifyDocument, FREE } from "./support/certified-document.ts";

const DOCUMENT = fileURLToPath(new URL("./documents/shop.yaml", import.meta.url));

test.afterEach(closeAll);

test("a second run on a server whose products are unique tries as much as the first", LONG, async () => {
  const url = await shop();
  for (const which of ["first", "second"]) {
    const { code, certificate } = await certifyDocument(DOCUMENT, url, [], FREE);
    expect(code, which).toBe(0);
    const untried = certificate.requirements.filter(
      // The number of lines of an order depends on the draw.
      ({ id, verdict }) => verdict !== "passed" && !id.endsWith(".response.lines.max-items"),
    );
    expect(
      untried.map(({ id, reason }) => `${id}: ${reason}`),
      which,
    ).toEqual([]);
  }
});

const RELATIONS = [
  ...["removeProduct.gone", "changeProduct.others-kept"],
  ...["addProduct", "replaceProduct", "changeProduct"].map((id) => `${id}.shown-as-given`),
  ...["limit", "kind", "name", "sort"].map((name) => `listProducts.parameter.${name}.obeyed`),
].map((id) => `shop.${id}`);

for (const [index, manner] of MANNERS.entries())
  test(
    `a server that is otherwise ${manner} deviates from no relation`,
    index === 0 ? {} : LONG,
    async () => {
      const args = ["--depth", "quick", "--requirement", RELATIONS.join()];
      const { deviating } = await certifyDocument(DOCUMENT, await shop(manner), args, FREE);
      expect(deviating.filter((one) => RELATIONS.some((id) => one.endsWith(` ${id}`)))).toEqual([]);
    },
  );
