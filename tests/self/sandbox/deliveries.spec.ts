/** The deliveries that the sandbox sends, and the clock that schedules their retries. */
import { expect, test } from "@playwright/test";
import { type MovableClock, tenantClock } from "../../../mocks/engine/clock.ts";
import { deliveriesOf } from "../../../mocks/engine/deliveries/deliveries.ts";
import { resolutionOf, routeTo } from "../../../mocks/engine/deliveries/destinations.ts";
import { api, closeAll } from "../support/loopback.ts";

let clock: MovableClock;
test.beforeEach(() => {
  clock = tenantClock();
});
test.afterEach(() => clock.stop());
test.afterEach(closeAll);

const HOUR = 3_600_000;

test("work runs when it is due, in order, and sees the due time", async () => {
  const ran: [string, number][] = [];
  const start = clock.now().getTime();
  const note = (name: string) => () =>
    void ran.push([name, Math.round((clock.now().getTime() - start) / HOUR)]);
  clock.at(start + 2 * HOUR, note("second"));
  clock.at(start + HOUR, () => {
    note("first")();
    clock.at(clock.now().getTime() + HOUR / 2, note("made on the way"));
  });
  clock.at(start + 5 * HOUR, note("later"));
  clock.at(start + HOUR, note("taken back"))();
  await clock.moveTo(new Date(start + 3 * HOUR));
  expect(ran).toEqual([
    ["first", 1],
    ["made on the way", 2],
    ["second", 2],
  ]);
  expect(Math.round((clock.now().getTime() - start) / HOUR)).toBe(3);
});

test("due work also runs in real time", async () => {
  await new Promise<void>((resolve) => void clock.at(clock.now().getTime() + 5, resolve));
});

/** Starts a server that notes what it receives. */
const listener = async () => {
  const received: { host: string | undefined; body: unknown }[] = [];
  const url = await api(({ headers: { host }, fields }) => {
    received.push({ host, body: fields });
    return 200;
  });
  return { received, url: `${url}/` };
};

test("a delivery that never succeeds ends as failed", async () => {
  const { url } = await listener();
  await closeAll();
  const deliveries = deliveriesOf(clock);
  await deliveries.send({ kind: "webhook", url, body: {} });
  await clock.moveTo(new Date(clock.now().getTime() + 30 * HOUR));
  expect([deliveries.log[0]?.status, deliveries.log[0]?.attempts.length]).toEqual(["failed", 4]);
});

test("deliveries are settled after pending ones and those that follow have arrived", async () => {
  const { received, url } = await listener();
  const deliveries = deliveriesOf(clock);
  const send = (event: number) => deliveries.send({ kind: "webhook", url, body: { event } });
  void send(1).then(() => send(2));
  await deliveries.settled();
  expect(received.map(({ body }) => body)).toEqual([{ event: 1 }, { event: 2 }]);
});

test("only allowed hosts are reached outside this machine, and mapped hosts at their mapped address", async () => {
  const { received, url } = await listener();
  const deliveries = deliveriesOf(clock);
  const refused = await deliveries.send({ kind: "webhook", url: "http://receiver.test/in", body: {} });
  expect([refused.status, refused.attempts[0]?.problem]).toEqual([
    "refused",
    expect.stringContaining("--allow-host"),
  ]);
  const resolution = resolutionOf(`receiver.test:80=${new URL(url).host}`);
  if (resolution !== undefined) deliveries.resolve(resolution);
  const sent = await deliveries.send({ kind: "webhook", url: "http://receiver.test/in", body: {} });
  expect([sent.status, received[0]?.host]).toEqual(["delivered", "receiver.test"]);
});

test("mappings in curl's notation are also accepted, and other texts are refused", () => {
  const wanted = { host: "receiver.test", port: 443, address: "127.0.0.1", addressPort: 5005 };
  expect(resolutionOf("receiver.test:443=127.0.0.1:5005")).toEqual(wanted);
  expect(resolutionOf("receiver.test:443:127.0.0.1:5005")).toEqual(wanted);
  expect(resolutionOf("Receiver.test:443:[::1]")).toEqual({ ...wanted, address: "::1", addressPort: 443 });
  for (const text of [
    "receiver.test",
    "receiver.test:443",
    "receiver.test:443=elsewhere",
    "receiver.test:0=127.0.0.1",
  ]) {
    expect([text, resolutionOf(text)]).toEqual([text, undefined]);
  }
});

test("a host is reached only if it is loopback, allowed, or mapped to such an address", () => {
  const away = {
    allowed: ["partner.test"],
    resolutions: [{ host: "mapped.test", port: 443, address: "10.0.0.1", addressPort: 443 }],
  };
  const reached = (url: string) => !("refused" in routeTo(new URL(url), away));
  const urls = [
    "http://127.0.0.1:5000",
    "http://localhost",
    "http://[::1]:8",
    "https://partner.test",
    "https://mapped.test",
    "http://10.0.0.1",
    "http://127.example.com",
  ];
  expect(urls.map(reached)).toEqual([true, true, true, true, false, false, false]);
});
