/** A requirement does not pass if its check could not have failed, as on a server that gives no occasion. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { checkThat } from "../../../helpers/exchange/check-result.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { LedgerEntry } from "../../../helpers/trials/ledger.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { closeAll, web } from "../support/loopback.ts";
import { openOn, SERVICE } from "./session.ts";

interface Kind {
  readonly name: string;
  /** An answer that no small change makes wrong. */
  readonly without: unknown;
  /** An answer that a small change makes wrong. */
  readonly occasion: unknown;
  holds(body: Body): boolean;
}

interface Body {
  readonly items?: readonly number[];
  readonly field?: string;
  readonly one?: string;
  readonly two?: string;
  readonly days?: number;
  readonly at?: string;
}

const LIMIT = 100;

const KINDS: readonly Kind[] = [
  {
    name: "all items of an empty list",
    without: { items: [] },
    occasion: { items: [1] },
    holds: ({ items = [] }) => items.every((item) => item === 1),
  },
  {
    name: "an optional field that is absent",
    without: {},
    occasion: { field: "right" },
    holds: ({ field }) => field === undefined || field === "right",
  },
  {
    name: "two absent values that are equal",
    without: {},
    occasion: { one: "same", two: "same" },
    holds: ({ one, two }) => one === two,
  },
  {
    name: "a list that is shorter than its limit",
    without: { items: [1, 2] },
    occasion: { items: Array.from({ length: LIMIT }, (_, index) => index) },
    holds: ({ items = [] }) => items.length <= LIMIT,
  },
  {
    name: "the order of one item",
    without: { items: [1] },
    occasion: { items: [1, 2] },
    holds: ({ items = [] }) => isSorted(items),
  },
  {
    name: "the order of equal items",
    without: { items: [0, 0, 0] },
    occasion: { items: [0, 1, 5] },
    holds: ({ items = [] }) => new Set(items).size < items.length || isSorted(items),
  },
  {
    name: "a number far below its limit",
    without: { days: 10 },
    occasion: { days: LIMIT },
    holds: ({ days = 0 }) => days <= LIMIT,
  },
  {
    name: "a date far from its limit",
    without: { at: "2026-01-01" },
    occasion: { at: "2026-06-29" },
    holds: ({ at = "" }) => !(Date.parse(at) > Date.parse("2026-06-30")),
  },
  { name: "nothing that was read", without: { field: "any" }, occasion: undefined, holds: () => true },
];

const isSorted = (items: readonly number[]): boolean =>
  items.every((item, index) => index === 0 || item >= (items[index - 1] as number));

const PUT = "putCard";
const PLANTED = 108;

test.afterEach(closeAll);

/**
 * Runs a trial for each requirement against a server whose answer is the one in the request.
 * @param further members that the server adds, as JSON
 */
const entriesOf = async (
  rows: readonly { readonly requirement: string; readonly kind: Kind; readonly body: unknown }[],
  further?: string,
): Promise<readonly LedgerEntry[]> => {
  let requests = 0;
  const url = await web((request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      const sent = Buffer.concat(chunks).toString();
      response.end(further === undefined ? sent : `{${further},${sent.slice(1)}`);
    });
  });
  const session = await openOn(url);
  const entries: LedgerEntry[] = [];
  for (const { requirement, kind, body } of rows) {
    const trial: Trial = {
      id: requirement,
      service: SERVICE,
      title: kind.name,
      section: "",
      operations: [PUT],
      requirements: [requirement],
      hazards: [],
      async run(context) {
        const exchange = await context.send({ operationId: PUT, json: body });
        const holds = kind.holds((exchange.response?.json ?? {}) as Body);
        context.judge.record(requirement, checkThat(holds, wording), [exchange]);
      },
      observe: () => undefined,
    };
    entries.push(...(await session.run(trial)).entries);
  }
  await session.close();
  // Asking a check again costs no request.
  expect(requests).toBe(rows.length);
  return entries;
};

const requirementsOf = async (count: number): Promise<string[]> =>
  (await loadContract(SERVICE)).requirements.slice(0, count).map(({ id }) => id);

test(`none of ${PLANTED} requirements passes on a server that gives no occasion`, async () => {
  const rows = (await requirementsOf(PLANTED)).map((requirement, index) => {
    const kind = KINDS[index % KINDS.length] as Kind;
    return { requirement, kind, body: kind.without };
  });
  const entries = await entriesOf(rows);
  expect(entries).toHaveLength(PLANTED);
  for (const [index, entry] of entries.entries()) {
    expect.soft(entry, rows[index]?.kind.name).toMatchObject({
      verdict: "not-tried",
      reason: { code: "no-occasion", parameters: { need: expect.stringMatching(/^(it held|the lists)/) } },
    });
  }
});

test("the same checks pass on a server that gives the occasion", async () => {
  await expectPasses();
});

/** Checks that each read one part of an answer. */
const PARTS: Readonly<Record<string, (exchange: Exchange) => boolean>> = {
  status: ({ response }) => response?.status === 200,
  "a header's presence": ({ response }) => response?.headers["x-remaining"] !== undefined,
  "a header's value": ({ response }) => response?.headers["x-remaining"]?.startsWith("10") ?? true,
  "a header's limit": ({ response }) => Number(response?.headers["x-remaining"] ?? 0) <= 10,
  body: ({ response }) => (response?.json as Body | undefined)?.items?.[0] === 1,
  order: ({ response }) => isSorted((response?.json as Body | undefined)?.items ?? []),
  time: ({ durationMs }) => durationMs < 30_000,
};

const wording = { pointer: "", message: "it does not hold", expected: "", actual: "" };

/** The ways in which a trial asks its checks again. */
const WAYS: Readonly<
  Record<string, (requirement: string, holds: (one: Exchange) => boolean) => Partial<Trial>>
> = {
  "observes each answer": (requirement, holds) => ({
    observe: (exchange, { judge }) =>
      judge.record(requirement, checkThat(holds(exchange), wording), [exchange]),
  }),
  "asks again itself": (requirement, holds) => ({
    runsAgain: false,
    async run({ send, judge }) {
      const exchange = await send({ operationId: PUT, json: {} });
      judge.record(requirement, checkThat(holds(exchange), wording), [exchange]);
      await judge.askAgain([requirement], [exchange], ([changed]) =>
        checkThat(changed !== undefined && holds(changed), wording),
      );
    },
  }),
  "runs again": (requirement, holds) => ({
    async run({ send, judge }) {
      const exchange = await send({ operationId: PUT, json: {} });
      judge.record(requirement, checkThat(holds(exchange), wording), [exchange]);
    },
  }),
};

for (const [way, trialFor] of Object.entries(WAYS)) {
  test(`a check can fail, whichever part of an answer it reads, in a trial that ${way}`, async () => {
    const url = await web((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "x-remaining": "10" });
      response.end('{"items":[1,2,3]}');
    });
    const requirements = await requirementsOf(Object.keys(PARTS).length);
    const session = await openOn(url);
    for (const [index, [part, holds]] of Object.entries(PARTS).entries()) {
      const requirement = requirements[index] as string;
      const { entries } = await session.run({
        ...{ id: part, service: SERVICE, title: part, section: "", operations: [PUT], hazards: [] },
        requirements: [requirement],
        run: async ({ send }) => void (await send({ operationId: PUT, json: {} })),
        observe: () => undefined,
        ...trialFor(requirement, holds),
      });
      expect.soft(entries, part).toMatchObject([{ requirement, verdict: "passed" }]);
    }
    await session.close();
  });
}

/** Additions that make an answer large. */
const LARGE = {
  "a text of 5 MB": `"text":"${"x".repeat(5_000_000)}"`,
  "100,000 further members": Array.from({ length: 100_000 }, (_, at) => `"m${at}":1`).join(),
};

for (const [name, large] of Object.entries(LARGE)) {
  test(`the same checks pass on a server whose answers have ${name}`, async () => {
    await expectPasses(large);
  });
}

test("a requirement about which a limit of ours ended the asking says so", async () => {
  const [requirement = ""] = await requirementsOf(1);
  const kind = KINDS.at(-1) as Kind;
  const items = Array.from({ length: 1_000_000 }, (_, at) => at);
  const rows = [{ requirement, kind, body: kind.without }];
  expect(await entriesOf(rows, `"items":${JSON.stringify(items)}`)).toMatchObject([
    {
      verdict: "not-tried",
      reason: { parameters: { limit: expect.stringMatching(/limit of \d+ changed copies/) } },
    },
  ]);
});

/** Expects that the checks of all kinds pass with their occasions. */
const expectPasses = async (further?: string): Promise<void> => {
  const kinds = KINDS.filter(({ occasion }) => occasion !== undefined);
  const requirements = await requirementsOf(kinds.length);
  const rows = kinds.map((kind, index) => ({
    requirement: requirements[index] as string,
    kind,
    body: kind.occasion,
  }));
  for (const [index, entry] of (await entriesOf(rows, further)).entries())
    expect.soft(entry.verdict, rows[index]?.kind.name).toBe("passed");
};
