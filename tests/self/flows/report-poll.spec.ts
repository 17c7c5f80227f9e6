/** Polling of reports: shared waits, a limit, and the statuses in between. */
import { expect, test } from "@playwright/test";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { checkReportStatuses, pollReports, type Reading } from "../../../helpers/flows/report-poll.ts";

/** Returns the answers in order and repeats the last one. An answer is a report's status or an HTTP status. */
const reading = (...answers: readonly (string | number)[]): Reading & { readonly asked: number[] } => {
  let index = 0;
  const asked: number[] = [];
  return {
    asked,
    async read() {
      const answer = answers[Math.min(index, answers.length - 1)];
      index += 1;
      asked.push(time);
      const status = typeof answer === "number" ? answer : 200;
      return {
        response: { status, headers: {}, body: Buffer.alloc(0), json: { status: answer } },
      } as Exchange;
    },
    statusIn: ({ response }) => {
      const { status } = (response?.json ?? {}) as { readonly status?: unknown };
      return typeof status === "string" ? status : undefined;
    },
  };
};

let time = 0;
const clock = {
  now: () => time * 1000,
  ahead: 0,
  pass: async (seconds: number) => {
    time += seconds;
  },
  rest: async () => undefined,
};

test.beforeEach(() => {
  time = 0;
});

test("parallel reports share a wait of one second, and then waits of 20 seconds", async () => {
  const slow = reading("inProgress", "INPROGRESS", "success");
  const readings = [reading("success"), reading("inProgress", "failure"), slow];
  const polled = await pollReports(clock, readings);
  expect(polled.map(({ end }) => end)).toEqual(["success", "failure", "success"]);
  expect(slow.asked).toEqual([1, 21, 41]);
  expect(readings.map(({ asked }) => asked.length)).toEqual([1, 2, 3]);
  expect(time).toBe(41);
});

test("a report that is never found is given up after a minute", async () => {
  const [polled] = await pollReports(clock, [reading(404)]);
  expect(polled?.end).toBe("unreadable");
  expect(time).toBe(61);
});

for (const [name, answers, end, asked] of [
  ["stays in progress", ["inProgress"], "undecided", 4],
  ["is never there", [404], "unreadable", 4],
  ["comes late", [404, 404, "success"], "success", 3],
  ["is refused", [403], "unreadable", 1],
  ["shows no status", [200], "statusless", 1],
  ["has an undocumented status", ["inProgress", "done"], "undocumented", 2],
  ["has a status named like an inherited property", ["toString"], "undocumented", 1],
] as const) {
  test(`a report that ${name} ends as ${end}`, async () => {
    const one = reading(...answers);
    const [polled] = await pollReports(clock, [one], { everySeconds: 20, limitSeconds: 60 });
    expect(polled?.end).toBe(end);
    expect(one.asked).toHaveLength(asked);
  });
}

for (const [statuses, holds] of [
  [[], true],
  [["inProgress", "INPROGRESS", "success", "Success"], true],
  [["failure", "failure"], true],
  [["success", "inProgress"], false],
  [["failure", "success"], false],
  [["inProgress", "done"], false],
] as const) {
  test(`statuses ${statuses.join(", ") || "never seen"} ${holds ? "are" : "are not"} those of a report`, () => {
    expect(checkReportStatuses(statuses).holds).toBe(holds);
  });
}
