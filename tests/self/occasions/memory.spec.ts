/** A trial may send any number of requests, so a trial that does not run again keeps only its latest answers. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "@playwright/test";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { closeAll, web } from "../support/loopback.ts";
import { openOn, SERVICE } from "./session.ts";

const REQUESTS = 100;
/** Checks of later answers compare them with the latest ones. */
const LATEST = 5;

test.afterEach(closeAll);

/** Returns the number of answers that are still in memory at the end of a trial. */
const keptBy = async (given: Pick<Trial, "runsAgain">): Promise<number> => {
  const url = await web((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const session = await openOn(url);
  let kept = 0;
  await session.run({
    ...given,
    id: "many-requests",
    service: SERVICE,
    title: "many requests",
    section: "",
    operations: ["putCard"],
    requirements: [],
    hazards: [],
    async run({ send }) {
      const answers: WeakRef<Exchange>[] = [];
      for (let sent = 0; sent < REQUESTS; sent += 1)
        answers.push(new WeakRef(await send({ operationId: "putCard", json: {} })));
      await collectGarbage();
      kept = answers.filter((answer) => answer.deref() !== undefined).length;
    },
    observe: () => undefined,
  });
  await session.close();
  return kept;
};

/** A weak reference keeps its object until the task that made it has ended. */
const collectGarbage = async (): Promise<void> => {
  await new Promise(setImmediate);
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};

test("a trial that does not run again keeps only its latest answers", async () => {
  expect(await keptBy({ runsAgain: false })).toBeLessThanOrEqual(LATEST);
});

test("a trial that runs again keeps its answers", async () => {
  expect(await keptBy({})).toBe(REQUESTS);
});
