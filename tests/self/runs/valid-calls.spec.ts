/** Valid calls of a document that a server accepts: their fields name what exists, and no name was used before. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { certify } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { shop } from "./any-service/shop.ts";

test.afterEach(closeAll);

test("a second run on a server whose products are unique tries as much as the first", LONG, async () => {
  const document = fileURLToPath(new URL("./any-service/shop.yaml", import.meta.url));
  const args = ["--document", document, "--url", await shop()];
  for (const which of ["first", "second"]) {
    const { code, certificate } = await certify(args);
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
