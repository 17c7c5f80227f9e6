/** Reads everything that a client can read, with identifiers of chosen data. */
import type { Contract } from "../../../../helpers/contract/contract.ts";
import type { SandboxData } from "../../../../mocks/engine/data/data.ts";
import type { TestSandbox } from "../../../../mocks/sandbox.ts";
import { knownIds } from "../known-ids.ts";
import { financialClient } from "./clients.ts";

/** Returns the answers to each operation that reads. */
export const answersOf = async (
  { baseUrls, credentials }: Pick<TestSandbox, "baseUrls" | "credentials">,
  contract: Contract,
  now: number,
  chosen: SandboxData,
): Promise<unknown> => {
  const { service } = contract;
  const known = knownIds();
  known.learn(chosen[service]);
  const isPartners = service === "financial-data";
  const client = isPartners ? await financialClient({ baseUrls, credentials }, contract) : plain;
  const answers: unknown[] = [];
  for (const { method, path, operationId } of contract.operations) {
    if (method !== "GET") continue;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => known.of(name)[0] ?? "1");
    const answer = await client(method, isPartners ? filled : `${baseUrls[service]}${filled}`).catch(String);
    answers.push([operationId, filled, withoutNow(answer, now)]);
  }
  return answers;
};

const plain = async (method: string, url: string) => {
  const response = await fetch(url, { method });
  return { status: response.status, text: await response.text() };
};

/** Times within a minute of the present differ between two sandboxes that are asked one after the other. */
const withoutNow = (answer: unknown, now: number): string =>
  JSON.stringify(answer)
    .replaceAll(/127\.0\.0\.1:\d+/g, "here")
    .replace(/\b\d{10}\b/g, (digits) => (Math.abs(Number(digits) * 1000 - now) < 60_000 ? "now" : digits))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (text) =>
      Math.abs(Date.parse(text) - now) < 60_000 ? "now" : text,
    );
