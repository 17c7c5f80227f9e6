/** Signals to the commands that serve or that notify: they end with what they started, and leave readable results. */
import { mkdir } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { type Command, start, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll, web } from "../support/loopback.ts";
import { below, expectGone } from "../support/processes.ts";
import { GONE_MS, numbersFrom, WAYS } from "./signal-cases.ts";

test.afterEach(closeAll);

interface Started {
  readonly about: string;
  readonly command: Command;
  readonly args: (out: string, issuer: string) => readonly string[];
}

const COMMANDS: readonly Started[] = [
  {
    about: "proxy",
    command: "proxy",
    args: (out) => ["--service", "card-enrollment", "--out", out],
  },
  {
    about: "proxy with a target",
    command: "proxy",
    args: (out) => ["--target", "signals", "--service", "installments", "--out", out],
  },
  { about: "mock", command: "mock", args: () => ["--port", "0"] },
  {
    about: "certify with --issuer",
    command: "certify",
    args: (out, issuer) => ["--service", "installments", "--issuer", issuer, "--out", out],
  },
];

const next = numbersFrom(23);

/** The latest moment of a signal, in milliseconds after the start. */
const LATEST_MS = 5_000;

const CASES = COMMANDS.flatMap((started) =>
  WAYS.map((way) => ({ ...started, ...way, milliseconds: Math.floor(next() * LATEST_MS) })),
);

for (const { about, command, args, signal, toAll, milliseconds } of CASES) {
  const to = toAll ? "all processes" : "the command";
  test(`${about}: ${signal} to ${to} after ${milliseconds} ms`, LONG, async () => {
    const address = await web((request, response) => {
      request.resume().once("end", () => setTimeout(() => response.writeHead(204).end(), 50));
    });
    const out = await temporary();
    await mkdir(out, { recursive: true });
    const environment = { INSTALLMENTS_BASE_URL: `${address}/installments` };
    const child = start(command, args(out, address), about.includes("target") ? environment : {}, {
      leads: true,
    });
    child.stdout.resume();
    child.stderr.resume();
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const pid = child.pid ?? Number.NaN;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const processes = [...below(pid), { pid }];
    try {
      process.kill(toAll ? -pid : pid, signal);
    } catch {
      // The command ended before the signal.
    }
    await ended;
    await expectGone(processes, GONE_MS);
    expect(["incomplete", "certified", "violations", undefined]).toContain(readCertificate(out)?.outcome);
  });
}
