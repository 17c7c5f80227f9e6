/** A command has a new identifier where the request has one of the resource, and in no other place. */
import { expect, test } from "@playwright/test";
import { createCommands } from "../../../helpers/exchange/commands.ts";
import type { Exchange, PlacedId } from "../../../helpers/exchange/exchange.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";

const ORIGIN = "http://127.0.0.1";
const TICKET = { resource: "ticket", value: "4" };
const BODY = { priority: 4, ticket: 4, other: "4", list: ["4", "5"] };

const exchangeOf = (path: string, more: Partial<Exchange["request"]> = {}, ids: readonly PlacedId[] = []) =>
  ({
    operationId: path,
    request: { method: "POST", url: ORIGIN + path, headers: {}, ...more },
    ids,
    response: {
      status: 201,
      headers: {},
      body: Buffer.from('{"id":4,"priority":4}'),
      json: { id: 4, priority: 4 },
    },
  }) as unknown as Exchange;

/** The command of a call after one that made the ticket 4 and one that made the comment 4. */
const commandOf = (sent: Exchange): string => {
  const commands = createCommands(createRedactor({}, []), []);
  const [made, comment] = [exchangeOf("/tickets"), exchangeOf("/comments")];
  for (const one of [made, comment, sent]) commands.see(one);
  commands.seeId({ ...TICKET, pointer: "/id", isChosen: false }, made);
  commands.seeId({ resource: "comment", value: "4", pointer: "/id", isChosen: false }, comment);
  return commands.curl(sent).curl;
};

const body = JSON.stringify(BODY);
const PLACES: readonly (readonly [place: PlacedId, sent: Exchange, written: string])[] = (
  [
    [{ in: "path", name: "ticketId", after: 1 }, ["/4/tickets/4/4?page=4"], `/4/tickets/"$ID_1"'/4?page=4'`],
    [{ in: "query", name: "ticket" }, ["/a?page=4&ticket=4&x=4"], `/a?page=4&ticket='"$ID_1"'&x=4'`],
    [
      { in: "header", name: "X-Ticket" },
      ["/4", { headers: { "x-ticket": "4", "x-a": "4" } }],
      `'x-ticket: '"$ID_1"`,
    ],
    [
      { in: "body", name: "/ticket" },
      ["/4", { body }],
      `{"priority":4,"ticket":'"$ID_1"',"other":"4","list"`,
    ],
    [{ in: "body", name: "/list/0" }, ["/4", { body }], `"ticket":4,"other":"4","list":["'"$ID_1"'","5"]}`],
  ] as const
).map(([place, [path, more = {}], written]) => {
  const id = { ...place, ...TICKET };
  return [id, exchangeOf(path, more, [id]), written];
});

for (const [place, sent, written] of PLACES)
  test(`an identifier in the ${place.in} at ${place.name} is put in there only`, () => {
    const command = commandOf(sent);
    expect(command).toContain(written);
    expect(command).toMatch(/^ID_1=/);
    expect(command.match(/\$ID_/g)).toHaveLength(1);
  });

test("a call that names no identifier needs no earlier call", () => {
  expect(commandOf(exchangeOf("/4", { body }))).toMatch(/^curl [^;]*"priority":4,"ticket":4[^;]*$/);
});

test("an identifier that is not where it was put has no command", () => {
  const sent = exchangeOf("/tickets/5", {}, [{ ...TICKET, in: "path", name: "ticketId", after: 0 }]);
  expect(commandOf(sent)).toBe("");
});

test("a call that needs each of 40 calls, of which each needs all before it, has no command", () => {
  const commands = createCommands(createRedactor({}, []), []);
  const ids: PlacedId[] = [];
  for (let count = 0; count < 40; count += 1) {
    const made = exchangeOf(`/${count}`, { body: JSON.stringify(ids.map(({ value }) => value)) }, [...ids]);
    commands.see(made);
    commands.seeId({ resource: `r${count}`, value: "4", pointer: "/id", isChosen: false }, made);
    ids.push({ in: "body", name: `/${count}`, resource: `r${count}`, value: "4" });
  }
  const last = exchangeOf("/last", { body: JSON.stringify(ids.map(({ value }) => value)) }, ids);
  expect(commands.curl(last)).toEqual({ curl: "", noCurl: "calls" });
});
