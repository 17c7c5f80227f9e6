/** The receiver: which deliveries it accepts, who gets them, and how they compare with the expected ones. */
import net from "node:net";
import { expect, test } from "@playwright/test";
import { request } from "undici";
import { type Delivery, deliveryProblems } from "../../../helpers/flows/delivery.ts";
import { openReceiver, type Receiver, type ReceiverOptions } from "../../../helpers/flows/receiver.ts";

let receivers: Receiver[] = [];

const open = async (options: ReceiverOptions = {}): Promise<Receiver> => {
  const receiver = await openReceiver(options);
  receivers.push(receiver);
  return receiver;
};

test.afterEach(async () => {
  for (const receiver of receivers) await receiver.close();
  receivers = [];
});

const post = async (url: string, body: unknown): Promise<number> => {
  const json = typeof body === "string" ? body : JSON.stringify(body);
  const response = await request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: json,
  });
  await response.body.dump();
  return response.statusCode;
};

test("a number in a delivery that a parser can't hold stays a number for schemas", async () => {
  const receiver = await open();
  await post(receiver.url, `{"amount":${"9".repeat(400)},"id":9007199254740993}`);
  const [delivery] = receiver.deliveries;
  expect(delivery?.json).toEqual({ amount: "9".repeat(400), id: "9007199254740993" });
  expect(delivery?.numeric).toEqual({ amount: Number.MAX_VALUE, id: 9007199254740992 });
});

test("a delivery is found by an identifier in its body or its path", async () => {
  const receiver = await open();
  expect(await post(receiver.url, { plan: { id: "p-1" }, amounts: [7] })).toBe(204);
  expect(await post(`${receiver.address()}?report=r-1`, {})).toBe(204);
  expect(receiver.about("p-1")).toHaveLength(1);
  expect(receiver.about("7")).toHaveLength(1);
  expect(receiver.about("r-1")).toHaveLength(1);
  expect(receiver.about("p-")).toHaveLength(0);
});

test("a wait ends when the expected number of deliveries has arrived", async () => {
  const receiver = await open();
  const first = receiver.wait("p-1", 10_000);
  const both = receiver.wait("p-1", 10_000, 2);
  await post(receiver.url, { id: "p-2" });
  await post(receiver.url, { id: "p-1" });
  expect(await first).toHaveLength(1);
  await post(receiver.url, { id: "p-1" });
  expect(await both).toHaveLength(2);
  expect(await receiver.wait("p-3", 1)).toEqual([]);
});

test("a body beyond the limit is refused and not stored", async () => {
  const receiver = await open({ bodyLimitBytes: 100 });
  expect(await post(receiver.url, { id: "p-1", padding: "x".repeat(200) })).toBe(413);
  expect(receiver.deliveries.map(({ body, answered }) => [body.length, answered])).toEqual([[0, 413]]);
});

test("a sender that disconnects leaves no delivery, and the next delivery is accepted", async () => {
  const receiver = await open();
  const { port, pathname } = new URL(receiver.url);
  await new Promise<void>((done) => {
    const socket = net.connect(Number(port), "127.0.0.1", () => {
      socket.write(`POST ${pathname} HTTP/1.1\r\nhost: receiver\r\ncontent-length: 100\r\n\r\n{"id"`);
      socket.end();
    });
    socket
      .on("error", () => {})
      .on("close", () => done())
      .resume();
  });
  expect(await post(receiver.url, { id: "p-1" })).toBe(204);
  expect(receiver.deliveries).toHaveLength(1);
});

const delivery = (id: string, at: number, more: object = {}): Delivery => {
  const json = { id, ...more };
  const body = Buffer.from(JSON.stringify(json));
  return { receivedAt: new Date(at), method: "POST", path: "/", headers: {}, body, json, answered: 204 };
};

test("missing, duplicate, late, reordered and altered deliveries are distinguished", () => {
  const due = new Date(100);
  const expected = ["a", "b", "c"].map((identifier) => ({ identifier, due }));
  const [a, b, c] = [delivery("a", 1), delivery("b", 2), delivery("c", 3)];
  expect(deliveryProblems(expected, [a, b, c])).toEqual([[], [], []]);
  expect(deliveryProblems(expected, [a, c])).toEqual([[], ["never"], []]);
  expect(deliveryProblems(expected, [a, b, c, b])).toEqual([[], ["twice"], []]);
  expect(deliveryProblems(expected, [a, b, delivery("c", 101)])).toEqual([[], [], ["late"]]);
  expect(deliveryProblems(expected, [b, a, c])).toEqual([[], ["out-of-order"], []]);
  const fits = (json: unknown) => (json as { ok?: boolean }).ok === true;
  expect(deliveryProblems([{ identifier: "a", fits }], [delivery("a", 1, { ok: false })])).toEqual([
    ["other-body"],
  ]);
  expect(deliveryProblems([{ identifier: "a", fits }], [delivery("a", 1, { ok: true })])).toEqual([[]]);
});
