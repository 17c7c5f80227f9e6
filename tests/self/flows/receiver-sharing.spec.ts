/** One receiver serves a configured port for all processes. Only the process that issued an address gets its deliveries. */
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { request } from "undici";
import { loadContract } from "../../../helpers/contract/load.ts";
import { createAllowance } from "../../../helpers/exchange/allowance.ts";
import type { Receiver } from "../../../helpers/flows/receiver.ts";
import {
  openSharedReceiver,
  receiverOf,
  type SharedReceiver,
} from "../../../helpers/flows/shared-receiver.ts";
import { connectToCoordinator } from "../../../helpers/run/coordinator-client.ts";
import { NOTHING } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { trackCreatedResources } from "../../../helpers/trials/created-resources.ts";
import { openSession, type Session } from "../../../helpers/trials/session.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { openCoordinator } from "../../../runner/coordinator.ts";
import { type HoldingProxy, holdingProxy, type Passing } from "../runs/holding-proxy.ts";
import { run, start, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";

const contract = await loadContract("financial-data");
const TIMEOUT_MS = 10_000;

test.afterEach(closeAll);

const listenOn = async (port: number): Promise<net.Server> => {
  const server = net.createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
};

const closed = (server: net.Server): Promise<unknown> => new Promise((done) => server.close(done));

const freePort = async (): Promise<number> => {
  const server = await listenOn(0);
  const { port } = server.address() as AddressInfo;
  await closed(server);
  return port;
};

/** Expects a free port. @throws when another process listens there */
const expectFree = async (port: number): Promise<unknown> => closed(await listenOn(port));

const post = async (url: string, body: string | Buffer): Promise<number> => {
  const response = await request(url, { method: "POST", body });
  await response.body.dump();
  return response.statusCode;
};

const arrived = async (receiver: Receiver, identifier: string): Promise<string[]> => {
  await receiver.wait(identifier, TIMEOUT_MS);
  return receiver.deliveries.map(({ body }) => body.toString());
};

const idOf = (address: string): string => new URL(address).pathname.split("/").at(-1) ?? "";

/** Opens the connections of two processes of a run to one coordinator. */
const onTwoLines = async (
  use: (receivers: readonly [SharedReceiver, SharedReceiver], port: number) => Promise<void>,
  publicPath?: string,
): Promise<void> => {
  const port = await freePort();
  const at = publicPath === undefined ? {} : { publicUrl: `http://127.0.0.1:${port}${publicPath}` };
  const receiver = await openSharedReceiver({ port, ...at });
  const allowance = createAllowance({ billableCalls: 0 });
  const coordinator = await openCoordinator({ allowance, made: trackCreatedResources(), receiver });
  const lines = [0, 1].map(() => connectToCoordinator(coordinator.address, () => {}));
  try {
    const [one, other] = await Promise.all(lines.map((line) => line.receiver()));
    if (one === undefined || other === undefined) throw new Error("The lines know no receiver.");
    await use([one, other], port);
  } finally {
    for (const line of lines) await line.close();
    coordinator.close();
    await receiver.close();
  }
  await expectFree(port);
};

test("two processes of a run share the port, and each gets the deliveries to its own addresses", async () => {
  await onTwoLines(async ([one, other], port) => {
    const [mine, theirs] = [receiverOf(one), receiverOf(other)];
    const [here, there] = [mine.address(), theirs.address()];
    expect([here, there, mine.url].map((url) => new URL(url).port)).toEqual(Array(3).fill(String(port)));
    expect(await post(here, "for me")).toBe(204);
    expect(await post(`${there}?report=r-1`, "for them")).toBe(204);
    expect(await arrived(mine, idOf(here))).toEqual(["for me"]);
    expect(await arrived(theirs, "r-1")).toEqual(["for them"]);
  });
});

test("a delivery arrives unchanged in another process", async () => {
  await onTwoLines(async ([one]) => {
    const receiver = receiverOf(one);
    const body = Buffer.from([0, 255, 128, 10, 13]);
    const before = new Date();
    await post(`${receiver.url}?a=b`, body);
    await post(receiver.url, `{"id":"p-1"}`);
    expect(await receiver.wait("p-1", TIMEOUT_MS)).toMatchObject([{ json: { id: "p-1" } }]);
    const [first] = receiver.deliveries;
    expect(first).toMatchObject({ method: "POST", path: expect.stringMatching(/\?a=b$/), answered: 204 });
    expect(first?.body).toEqual(body);
    expect(first?.json).toBeUndefined();
    expect(first?.headers["content-length"]).toBe("5");
    expect(first?.receivedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
  });
});

test("without a public URL, unknown addresses answer 404, and addresses can't be guessed", async () => {
  await onTwoLines(async ([one], port) => {
    const receiver = receiverOf(one);
    for (const path of ["", "notifications", "0".repeat(32), `${idOf(receiver.url)}/more`]) {
      expect(await post(`http://127.0.0.1:${port}/${path}`, path)).toBe(404);
    }
    await post(receiver.url, "mine");
    expect(await arrived(receiver, idOf(receiver.url))).toEqual(["mine"]);
    expect(new Set([receiver.url, receiver.address(), receiver.address()]).size).toBe(3);
  });
});

test("deliveries to a registered public URL go to every subscriber, and deliveries to an issued address to only one", async () => {
  await onTwoLines(async ([one, other], port) => {
    const publicUrl = `http://127.0.0.1:${port}/issuer/`;
    const [mine, theirs, more] = [receiverOf(one), receiverOf(other), receiverOf(one)];
    expect([mine.url, theirs.url]).toEqual([publicUrl, publicUrl]);
    const address = theirs.address();
    expect(address).toMatch(/\/issuer\/[0-9a-f]{32}$/);
    expect(await post(`${publicUrl}notifications`, "{}")).toBe(204);
    expect(await post(`${address}/more`, "for them")).toBe(204);
    expect(await post(`http://127.0.0.1:${port}/last`, "[]")).toBe(204);
    expect(await arrived(mine, "last")).toEqual(["{}", "[]"]);
    expect(await arrived(theirs, "last")).toEqual(["{}", "for them", "[]"]);
    await mine.close();
    await post(`${publicUrl}later`, "{}");
    expect(await arrived(more, "later")).toHaveLength(3);
    expect(mine.deliveries).toHaveLength(2);
  }, "/issuer/");
});

const trialOf = (id: string, show: (receiver: Receiver) => Promise<void>): Trial => ({
  id,
  service: contract.service,
  title: id,
  section: "",
  operations: [],
  requirements: ["financial-data.reports.callback-on-completion"],
  hazards: [],
  async run(context) {
    await show(await context.receiver());
    throw new NotTried("not-shown", "it came to its end");
  },
  observe: () => undefined,
});

const sessionAt = (port: number, shared?: SharedReceiver): Session => {
  const values = { RECEIVER_PUBLIC_URL: `http://127.0.0.1:${port}`, RECEIVER_PORT: String(port) };
  const target = targetOf("external", values, false);
  const options = { target, contracts: [contract], capabilities: NOTHING } as const;
  const receiver = shared && { receiver: async () => shared };
  return openSession({ ...options, depth: "quick", seed: 1, prefix: "t0", ...receiver });
};

/** Runs three trials, the last two in the second session. All open a receiver before any delivery is sent. */
const expectSharing = async (sessions: readonly [Session, Session]): Promise<void> => {
  const ids = ["first", "second", "third"];
  const receivers = new Map<string, Receiver>();
  let meet = (): void => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const got = new Map<string, string[]>();
  const trials = ids.map((id) =>
    trialOf(id, async (receiver) => {
      receivers.set(id, receiver);
      if (receivers.size === ids.length) meet();
      await met;
      const address = receiver.address();
      await post(address, id);
      got.set(id, await arrived(receiver, idOf(address)));
    }),
  );
  const pages = await Promise.all(trials.map((trial, index) => sessions[index === 0 ? 0 : 1].run(trial)));
  const reasons = pages.flatMap(({ entries }) => entries.map(({ reason }) => reason?.parameters.seen));
  expect(reasons).toEqual(ids.map(() => "it came to its end"));
  expect([...got].sort()).toEqual(ids.map((id) => [id, [id]]));
};

test("trials of one session share the port, until the session ends", async () => {
  const port = await freePort();
  const session = sessionAt(port);
  await expectSharing([session, session]);
  await expect(expectFree(port)).rejects.toThrow("EADDRINUSE");
  await session.close();
  await expectFree(port);
});

test("trials of two sessions share the port, until their shared receiver closes", async () => {
  const port = await freePort();
  const shared = await openSharedReceiver({ port, publicUrl: `http://127.0.0.1:${port}` });
  const sessions = [sessionAt(port, shared), sessionAt(port, shared)] as const;
  await expectSharing(sessions);
  for (const session of sessions) await session.close();
  await expect(expectFree(port)).rejects.toThrow("EADDRINUSE");
  await shared.close();
  await expectFree(port);
});

const CHECKED = ["--target", "external", "--service", "financial-data", "--operation", "GetInstitutions"];

const NONE = (): boolean => false;
const EACH = (): boolean => true;

/** Starts an external server and a proxy, and returns the environment that certifies the server through the proxy. */
const onExternal = async (
  port: number,
  hold: (request: Passing) => boolean,
  use: (proxy: HoldingProxy, environment: Record<string, string>) => Promise<void>,
): Promise<void> => {
  const sandbox = await startSandbox({ contracts: [contract], plain: true });
  try {
    const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold });
    const { pathname } = new URL(sandbox.environment.FINANCIAL_DATA_BASE_URL ?? "");
    await use(proxy, {
      ...sandbox.environment,
      FINANCIAL_DATA_BASE_URL: `${proxy.origin}${pathname}`,
      RECEIVER_PORT: String(port),
    });
  } finally {
    await sandbox.close();
  }
};

test("a port in use ends the run before it sends a request, but does not prevent a plan", LONG, async () => {
  const external = await listenOn(0);
  const { port } = external.address() as AddressInfo;
  try {
    await onExternal(port, NONE, async (proxy, environment) => {
      const ended = await run("certify", [...CHECKED, "--out", await temporary()], environment);
      expect(ended.code).toBe(2);
      expect(ended.stderr.trim()).toMatch(/^RECEIVER_PORT: port \d+ is in use .*set another port.*$/);
      const planned = await run("certify", [...CHECKED, "--plan", "--depth", "quick"], environment);
      expect([planned.code, planned.stderr]).toEqual([
        0,
        "Counting the requests of financial-data, quick depth …\n",
      ]);
      expect(proxy.passed).toEqual([]);
    });
  } finally {
    await closed(external);
  }
});

test("a run listens from its start, and frees the port when it is stopped", async () => {
  const port = await freePort();
  await onExternal(port, EACH, async (proxy, environment) => {
    const child = start("certify", [...CHECKED, "--out", await temporary()], environment);
    child.stdout.resume();
    child.stderr.resume();
    await proxy.held;
    await expect(expectFree(port)).rejects.toThrow("EADDRINUSE");
    child.kill("SIGINT");
    proxy.release();
    await once(child, "close");
    await expectFree(port);
  });
});
