/** A server repeats every secret in twelve encodings. After a signal, no file and no output contains one. */
import { expect, test } from "@playwright/test";
import { outcomeOf, start, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { ENCODINGS, echoes, echoing, environmentFor, leaksIn, SECRETS, written } from "./canary-secrets.ts";
import { hostileServer } from "./hostile-server.ts";

test.afterEach(closeAll);

test("the search finds each encoding of each secret", () => {
  const found = leaksIn([{ path: "file", text: echoes() }]);
  expect(Object.keys(SECRETS).length).toBeGreaterThan(3);
  expect(found).toHaveLength(Object.keys(SECRETS).length * Object.keys(ENCODINGS).length);
  expect(leaksIn([{ path: "file", text: "nothing" }])).toEqual([]);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
  test(`after ${signal}: no secret in any encoding`, LONG, async () => {
    let child: ReturnType<typeof start> | undefined;
    const origin = await hostileServer("http://127.0.0.1:9", (request, correct) => {
      if (request.index === 40) process.kill(-(child?.pid ?? Number.NaN), signal);
      return echoing(request, correct);
    });
    const out = await temporary();
    const args = ["--target", "canary", "--service", "card-enrollment", "--out", out];
    child = start("certify", args, environmentFor(origin), { leads: true });
    expect(leaksIn(await written(out, await outcomeOf(child)))).toEqual([]);
  });
}
