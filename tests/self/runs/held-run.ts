/** A run of one trial against an external server, through a proxy that shows the progress of the run. */
import type { ChildProcess } from "node:child_process";
import { expect } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { financialClient } from "../sandbox/daily/clients.ts";
import { start, temporary } from "../support/command.ts";
import type { HoldingProxy, Passing } from "./holding-proxy.ts";

const contract = await loadContract("financial-data");
export const INCOMPLETE = 3;

/** Starts a sandbox without an admin interface. It has one customer, which belongs to the user. */
export const externalServer = (): Promise<Sandbox> => startSandbox({ plain: true, contracts: [contract] });

export const MAKING = (request: Passing): boolean => request.path.endsWith("/customers/testing");
/** Whether the request changes a customer that the run created and knows by its id. */
export const CHANGING = (request: Passing): boolean =>
  request.method === "PUT" && /\/customers\/\d+$/.test(request.path);

export interface Run {
  readonly child: ChildProcess;
  readonly out: string;
  /** Waits until the run has written this text to stderr. */
  said(text: string): Promise<void>;
  stderr(): string;
  /** The exit code, or the signal that ended the run. */
  readonly ended: Promise<number | string | null>;
}

export interface RunOptions {
  /** The default is a requirement whose trial creates a customer and changes it. */
  readonly requirement?: string;
  readonly args?: readonly string[];
  readonly environment?: Record<string, string>;
  /** Whether the command leads its own process group, as in a terminal. */
  readonly leads?: boolean;
  readonly out?: string;
}

export const runThrough = async (
  proxy: HoldingProxy,
  sandbox: Sandbox,
  {
    requirement = "financial-data.ModifyCustomer.success",
    args = [],
    environment,
    leads,
    ...options
  }: RunOptions = {},
): Promise<Run> => {
  const out = options.out ?? (await temporary());
  const address = new URL(sandbox.environment.FINANCIAL_DATA_BASE_URL ?? "");
  const selection = ["--service", contract.service, "--requirement", requirement];
  const child = start(
    "certify",
    ["--target", "external", "--depth", "standard", ...selection, "--out", out, ...args],
    {
      ...sandbox.environment,
      FINANCIAL_DATA_BASE_URL: `${proxy.origin}${address.pathname}`,
      ...environment,
    },
    { leads: leads === true },
  );
  let stderr = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | string | null>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal)),
  );
  const said = async (text: string): Promise<void> => {
    while (!stderr.includes(text)) {
      await new Promise((resolve) => child.stderr.once("data", resolve).once("end", resolve));
      if (child.stderr.readableEnded && !stderr.includes(text)) throw new Error(`It ended with: ${stderr}`);
    }
  };
  return { child, out, said, stderr: () => stderr, ended };
};

export const customersOf = async ({ baseUrls, environment }: Sandbox): Promise<{ readonly id: string }[]> => {
  const client = await financialClient({ baseUrls, credentials: environment }, contract);
  const { json } = await client("GET", "/aggregation/v1/customers?limit=1000");
  return (json as { customers: { id: string }[] }).customers;
};

/** Returns the customers that were made after a list was read. */
export const madeAfter = async (
  before: readonly { readonly id: string }[],
  sandbox: Sandbox,
): Promise<{ readonly id: string }[]> =>
  (await customersOf(sandbox)).filter(({ id }) => before.every((one) => one.id !== id));

export const expectIncomplete = ({ out }: Run): void => {
  const certificate = readCertificate(out);
  expect(certificate?.outcome).toBe("incomplete");
  expect(certificate?.requirements).toHaveLength(contract.requirements.length);
};
