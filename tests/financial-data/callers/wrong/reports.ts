/** Wrong clients of financial data: reports, from the consumer to the last read. */
import type { WrongClient } from "../../../callers/setting.ts";
import { customerOf } from "../client.ts";
import * as scenes from "../scenes.ts";
import { type Scene, wrongClient } from "./wrong-client.ts";

const oneReport =
  (polling: Partial<scenes.Polling> = {}): Scene =>
  async (client) => {
    await scenes.newConsumer(client, customerOf(client));
    await scenes.report(client, customerOf(client), { ...scenes.POLLING, ...polling });
    await client.setting.clock.sleep(130);
    await scenes.browse(client, 1);
  };

export const reports: readonly WrongClient[] = [
  wrongClient("polling every 5 seconds", "reports.poll-wait-20s", oneReport({ seconds: 5 })),
  wrongClient("polling every 15 seconds", "reports.poll-wait-20s", oneReport({ seconds: 15 }), {
    exercises: ["report-succeeds"],
  }),
  wrongClient("polling at once", "reports.poll-wait-20s", oneReport({ seconds: 0.1, most: 5 }), {
    exercises: ["report-fails"],
  }),
  wrongClient("polling after the end", "reports.poll-while-inProgress", oneReport({ extra: 3 }), {
    exercises: ["report-succeeds"],
  }),
  wrongClient("polling after a failure", "reports.poll-while-inProgress", oneReport({ extra: 4 }), {
    exercises: ["report-fails"],
  }),
  wrongClient("polling once", "reports.poll-while-inProgress", oneReport({ most: 1 }), {
    exercises: ["report-succeeds"],
  }),
  wrongClient("a report before the consumer", "consumers.required-before-reports", async (own) => {
    await scenes.report(own, await scenes.newCustomer(own));
  }),
  wrongClient("a pay statement uploaded again", "payStatementReports.reuse-asset-id", (own) =>
    scenes.payStatements(own, true),
  ),
  wrongClient("a pay statement uploaded under another label", "payStatementReports.reuse-asset-id", (own) =>
    scenes.payStatements(own, true, "previousPayPeriod"),
  ),
  wrongClient(
    "a callback awaited for ever",
    "caller.callbacks-in-any-order",
    async (own) => {
      await scenes.newConsumer(own, customerOf(own));
      const { callbackUrl } = own.setting;
      await scenes.report(own, customerOf(own), { ...scenes.POLLING, most: 0 }, { callbackUrl });
    },
    { exercises: ["callback-never"] },
  ),
];
