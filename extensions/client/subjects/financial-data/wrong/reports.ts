/** Wrong clients of financial data: reports, from the consumer to the last read. */
import type { WrongClient } from "../../setting.ts";
import { customerOf } from "../client.ts";
import * as scenes from "../scenes.ts";
import { wrong } from "./wrong-client.ts";

const ASSET = "payStatementReports.reuse-asset-id";

const WAITS = "reports.poll-wait-20s";
const READS = "reports.poll-while-inProgress";

/** A client that reads one report. */
const polling = (
  name: string,
  requirement: string,
  habits: Partial<typeof scenes.POLLING>,
  ...exercises: readonly string[]
): WrongClient =>
  wrong(
    name,
    requirement,
    async (client) => {
      await scenes.newConsumer(client, customerOf(client));
      await scenes.report(client, customerOf(client), { ...scenes.POLLING, ...habits });
      await client.setting.clock.sleep(130);
      await scenes.browse(client, 1);
    },
    exercises,
  );

export const reports: readonly WrongClient[] = [
  polling("polling every 5 seconds", WAITS, { seconds: 5 }),
  polling("polling every 15 seconds", WAITS, { seconds: 15 }, "report-succeeds"),
  polling("polling at once", WAITS, { seconds: 0.1, most: 5 }, "report-fails"),
  polling("polling after the end", READS, { extra: 3 }, "report-succeeds"),
  polling("polling after a failure", READS, { extra: 4 }, "report-fails"),
  polling("polling once", READS, { most: 1 }, "report-succeeds"),
  wrong("a report before the consumer", "consumers.required-before-reports", async (own) => {
    await scenes.report(own, await scenes.newCustomer(own));
  }),
  wrong("a pay statement uploaded again", ASSET, (own) => scenes.payStatements(own, true)),
  wrong("a pay statement uploaded under another label", ASSET, (own) =>
    scenes.payStatements(own, true, "previousPayPeriod"),
  ),
  wrong(
    "a callback awaited for ever",
    "caller.callbacks-in-any-order",
    async (own) => {
      await scenes.newConsumer(own, customerOf(own));
      const { callbackUrl } = own.setting;
      await scenes.report(own, customerOf(own), { ...scenes.POLLING, most: 0 }, { callbackUrl });
    },
    ["callback-never"],
  ),
];
