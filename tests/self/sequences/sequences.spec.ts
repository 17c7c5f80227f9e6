/** Sequences: generated from a seed, checked against a model, shrunk to few calls, and replayed from a recording. */
import { expect, test } from "@playwright/test";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { type Effort, explore } from "../../../helpers/sequences/explore.ts";
import type { Action, Model, SequenceDriver } from "../../../helpers/sequences/model.ts";
import type { Call } from "../../../helpers/trials/call.ts";

interface State {
  readonly boxes: { readonly id: string; coins: number }[];
}

const COUNT = "boxes.count";
const TAKEN = "boxes.name-taken";

/** A model of boxes that hold coins: the server's responses contain ids and counts. */
const MODEL: Model<State> = {
  start: () => ({ boxes: [] }),
  commands: [
    {
      name: "make a box",
      when: ({ boxes }) => boxes.length < 3,
      call: ({ boxes }) => making(`box-${boxes.length}`),
    },
    {
      name: "put a coin in",
      when: ({ boxes }) => boxes.length > 0,
      call: ({ boxes }, { pick }) => {
        const { id } = pick(boxes);
        return {
          call: call("put", id),
          expect: ({ boxes: all }: State) => {
            const box = all.find((one) => one.id === id);
            if (box !== undefined) box.coins += 1;
          },
        };
      },
    },
  ],
  races: [{ commands: ["make a box", "make a box"], same: true }],
  queries: ({ boxes }) =>
    boxes.map(({ id }) => ({
      name: id,
      call: async () => ({
        call: call("read", id),
        expect: ({ boxes: all }: State, { response }: Exchange, note) => {
          const coins = all.find((one) => one.id === id)?.coins ?? 0;
          const { coins: shown } = (response?.json ?? {}) as { coins?: number };
          const message = `${id} holds another number`;
          note(COUNT, shown === coins, { message, expected: `${coins}`, actual: `${shown}` });
        },
      }),
    })),
  leave: ({ boxes }) => boxes.map(async ({ id }) => call("remove", id)),
};

const making = (name: string): Action<State> => ({
  call: call("make", name),
  expect: ({ boxes }: State, { response }: Exchange, note) => {
    const { id } = (response?.json ?? {}) as { id?: string };
    const exists = boxes.some((one) => one.id.endsWith(name));
    const status = response?.status ?? 0;
    note(TAKEN, !exists || status === 409, {
      message: `${name} was made twice`,
      expected: "409",
      actual: `${status}`,
    });
    if (!exists && id !== undefined) boxes.push({ id, coins: 0 });
  },
});

const call = (operationId: string, of: string): Call => ({ operationId, json: { of } });

interface Server extends SequenceDriver {
  readonly calls: string[];
  /** The existing boxes, by name. */
  readonly boxes: Map<string, { coins: number; reads: number }>;
}

type Fault = "third-coin-lost" | "made-twice" | "reading-adds" | "coins-named-otherwise";

const serverWith = (fault?: Fault): Server => {
  const boxes = new Map<string, { coins: number; reads: number }>();
  const calls: string[] = [];
  let sent = 0;
  const answer = async (operationId: string, of: string): Promise<[number, unknown]> => {
    const id = operationId === "make" ? `a-id-${of}` : of;
    const box = boxes.get(id);
    if (operationId === "make") {
      if (fault === "made-twice") await Promise.resolve();
      if (box !== undefined && fault !== "made-twice") return [409, {}];
      boxes.set(id, { coins: 0, reads: 0 });
      return [201, { id }];
    }
    if (box === undefined) return [404, {}];
    if (operationId === "put" && !(fault === "third-coin-lost" && box.coins === 2)) box.coins += 1;
    if (operationId === "read" && fault === "reading-adds" && ++box.reads > 1) box.coins += 1;
    if (operationId === "remove") boxes.delete(id);
    return [200, { id, [fault === "coins-named-otherwise" ? "pieces" : "coins"]: box.coins }];
  };
  return {
    calls,
    boxes,
    shown: new Set(),
    permits: () => true,
    named: () => new Set(["id", "coins"]),
    perform: async () => undefined,
    async send({ operationId, json, raw }) {
      const { of } = (json ?? JSON.parse(String(raw?.body))) as { of: string };
      calls.push(`${operationId} ${of}`);
      const [status, body] = await answer(operationId, of);
      sent += 1;
      return exchangeOf(`t-${sent}`, operationId, { of }, status, body);
    },
  };
};

const exchangeOf = (id: string, operationId: string, sent: object, status: number, json: unknown): Exchange =>
  ({
    id,
    service: "installments",
    operationId,
    request: {
      method: "POST",
      url: `http://127.0.0.1/boxes/${operationId}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(sent),
    },
    response: { status, headers: {}, body: Buffer.from(JSON.stringify(json)), json },
    requestJson: sent,
    startedAt: new Date(0),
    durationMs: 0,
  }) as Exchange;

const EFFORT: Effort = { sequences: 2, steps: 12, queries: 1, shrinking: { calls: 200, seconds: 10 } };

test("a correct server has no failures, and the resources that a sequence created are removed", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const server = serverWith();
    const { failures, held } = await explore(MODEL, server, seed, EFFORT);
    expect(failures).toEqual([]);
    expect([...held.keys()].sort()).toEqual([COUNT, TAKEN]);
    expect(server.boxes.size).toBe(0);
  }
});

test("the same seed gives the same sequences, and another seed gives different sequences", async () => {
  const walked = async (seed: number): Promise<string[]> => {
    const server = serverWith();
    await explore(MODEL, server, seed, EFFORT);
    return server.calls;
  };
  expect(await walked(1)).toEqual(await walked(1));
  expect(await walked(1)).not.toEqual(await walked(2));
});

test("a violation is shrunk to the calls that it needs, and no resources are left", async () => {
  const server = serverWith("third-coin-lost");
  const { failures } = await explore(MODEL, server, 3, EFFORT);
  expect(failures.map(({ broken }) => broken.requirement)).toEqual([COUNT]);
  expect(failures[0]?.taken.map(({ title }) => title)).toEqual([
    "make a box",
    "put a coin in",
    "put a coin in",
    "put a coin in",
    "read a-id-box-0",
  ]);
  expect(failures[0]?.broken).toMatchObject({ expected: "3", actual: "2" });
  expect(server.boxes.size).toBe(0);
});

/** The same model of a server that is not known to use the name `coins`. */
const NAMED: Model<State> = {
  ...MODEL,
  queries: (state) =>
    MODEL.queries(state).map((query) => ({
      ...query,
      call: async () => {
        const action = await query.call();
        if (!("call" in action)) return action;
        const expect: typeof action.expect = (now, exchange, note) =>
          action.expect(now, exchange, (requirement, holds, wording) =>
            note(requirement, holds, { ...wording, named: true, shows: [`coins of ${query.name}`] }),
          );
        return { ...action, expect };
      },
    })),
};

test("a violation that depends on names counts once the server has shown them", async () => {
  const { failures } = await explore(NAMED, serverWith("third-coin-lost"), 3, EFFORT);
  expect(failures[0]?.broken).toMatchObject({ expected: "3", actual: "2", named: false });
});

test("a violation that depends on names does not count on a server that uses another name", async () => {
  const { failures } = await explore(NAMED, serverWith("coins-named-otherwise"), 3, EFFORT);
  expect(failures.map(({ broken }) => [broken.requirement, broken.named])).toEqual([[COUNT, true]]);
});

test("responses to two concurrent calls are a violation if they fit no order of the calls", async () => {
  const { failures } = await explore(MODEL, serverWith("made-twice"), 1, EFFORT);
  const race = failures.find(({ broken }) => broken.requirement === TAKEN);
  expect(race?.taken.map(({ title, beside }) => [title, beside])).toEqual([
    ["make a box", false],
    ["make a box", true],
  ]);
});

test("shrinking keeps to its budget", async () => {
  const calls = async (budget: number): Promise<number> => {
    const server = serverWith("reading-adds");
    await explore(MODEL, server, 1, { ...EFFORT, shrinking: { calls: budget, seconds: 10 } });
    return server.calls.length;
  };
  expect((await calls(0)) < (await calls(40))).toBe(true);
});

test("sequences continue while another one may start", async () => {
  let more = 3;
  const { sequences } = await explore(MODEL, serverWith(), 1, EFFORT, () => more-- > 0);
  expect(sequences).toBe(5);
});
