/** One client in all forms of traffic: live, as a log, and as archives of other tools. The verdicts are the same. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { strongestOf } from "../../../helpers/trials/ledger.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { startBrowser } from "../../../tests/self/reports/browser.ts";
import { temporary } from "../../../tests/self/support/command.ts";
import { isInSample, PROOF, sizeInLane } from "../../../tests/self/support/lanes.ts";
import { judgeFiles } from "../certifying/judge-files.ts";
import { callersOf, openCallerBench } from "../matrix/callers.ts";
import { CLOCK_PATH } from "../proxy/control.ts";
import { type Send, sendByFetch } from "../subjects/setting.ts";

interface Entry {
  readonly startedDateTime: string;
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** Sends requests as another function does, and records them as an archive of some tool has them. */
const recordedBy =
  (entries: Entry[], now: () => Promise<number>, send: Send): Send =>
  async (sending) => {
    const started = await now();
    const answered = await send(sending);
    entries.push({
      startedDateTime: new Date(started).toISOString(),
      ...{ time: Math.max(0, (await now()) - started) },
      request: {
        ...{ method: sending.method, url: sending.url, headers: pairs(sending.headers) },
        ...(sending.body !== undefined && {
          postData: { mimeType: "application/json", text: String(sending.body) },
        }),
      },
      response: {
        ...{ status: answered.status, headers: pairs(answered.headers) },
        content: { mimeType: answered.headers["content-type"] ?? "", text: answered.text },
      },
    } as Entry);
    return answered;
  };

/** The number of clients of a service in the sample. */
const SAMPLED = 2;

/** The requirements that an archive does not show, by the reason. */
const UNSHOWN: Readonly<Record<string, RegExp>> = {
  "an archive has the encrypted card only": /request\.card\.|encryptedCard\.is-encrypted-card/,
  "an archive does not say how its client ended": /poll-while-inProgress|further-pages-read/,
  "fetch adds these headers itself": /call\.server-to-server/,
};

/** The requirements of a header that no request in an archive has: a tool may have left it out, and the notes say so. */
const LEFT_OUT = /token-needed-on-all-other-calls|authenticate-then-enroll|Partner-App-Key|clientid/;

const WITHOUT_NUMBERS = "card numbers are removed from an archive before it is judged";
const WITHOUT_HOST = "no request in the archive shows which host is the service";

/** Clients whose violation an archive does not show, by the reason. */
const SILENT: Readonly<Record<string, string>> = {
  "card-enrollment: text in place of a card": WITHOUT_NUMBERS,
  "card-enrollment: the card number under another name": WITHOUT_NUMBERS,
  "card-enrollment: an unknown path": WITHOUT_HOST,
  "card-enrollment: an unknown method": WITHOUT_HOST,
  "financial-data: bodies in Latin-1": "an archive has the text of a body, and not its bytes",
};

/** What depends on the form of the traffic, by the client. */
const BY_FORM: Readonly<Record<string, { readonly reason: string; readonly requirement: RegExp }>> = {
  "financial-data: parallel calls": {
    reason: "whether equal calls overlap depends on who records them",
    requirement: /billable-call-not-repeated/,
  },
  "financial-data: workers with a token each": {
    reason: "a log-in of each worker looks like one for each call, until the tokens are used again",
    requirement: /single-token-reused/,
  },
};

/** The requirement that compares card numbers, which neither a log nor a judged archive contains. */
const WITHOUT_CARDS = /pans-registered-first/;

const without = (reasons: readonly RegExp[]) => (ids: readonly string[]) =>
  ids.filter((id) => !reasons.some((reason) => reason.test(id)));

interface Judged {
  readonly violated: readonly string[];
  readonly notes: readonly string[];
}

const violatedIn = (verdicts: readonly { readonly id: string; readonly verdict: string }[]): string[] =>
  verdicts.flatMap(({ id, verdict }) => (["failed", "advisory"].includes(verdict) ? [id] : [])).sort();

const judged = async (contract: Contract, file: string): Promise<Judged> => {
  const out = await temporary();
  const options = { contracts: [contract], target: undefined, baseline: { failOn: "violation" } as const };
  await judgeFiles({ ...options, files: [file], out });
  const { requirements = [], traffic } = readCertificate(out) ?? {};
  return { violated: violatedIn(requirements), notes: traffic?.notes ?? [] };
};

const archiveOf = async (entries: readonly Entry[]): Promise<string> => {
  const path = join(await temporary(), "traffic.har");
  await writeFile(path, JSON.stringify({ log: { version: "1.2", entries } }));
  return path;
};

for (const service of services()) {
  test(`clients of ${service} get the same verdicts in all forms of their traffic`, PROOF, async () => {
    const contract = await loadContract(service);
    const { wrong, right } = await callersOf(service);
    const bench = await openCallerBench(contract);
    const plain = [...right, ...wrong].filter(({ exercises = [] }) => exercises.length === 0);
    const step = Math.ceil(plain.length / sizeInLane({ sample: SAMPLED, full: plain.length }));
    for (const client of plain.filter((_, index) => isInSample(index, step))) {
      const entries: Entry[] = [];
      const run: typeof client.run = (setting) =>
        client.run({ ...setting, send: recordedBy(entries, setting.clock.now, sendByFetch) });
      const { results, log = "" } = await bench.run({ run }, [], await temporary());
      const strongest = strongestOf(results.flatMap(({ entries: all }) => all));
      const live = violatedIn([...strongest].map(([id, { verdict }]) => ({ id, verdict })));
      const inLog = without([WITHOUT_CARDS]);
      const byLog = await judged(contract, log);
      expect.soft(inLog(byLog.violated), `${client.name}, as a log`).toEqual(inLog(live));
      const { violated, notes } = await judged(contract, await archiveOf(entries));
      const named = `${service}: ${client.name}`;
      const byForm = BY_FORM[named] === undefined ? [] : [BY_FORM[named].requirement];
      const shown = without([
        WITHOUT_CARDS,
        ...Object.values(UNSHOWN),
        ...byForm,
        ...(notes.some((note) => note.startsWith("No request in the archive has")) ? [LEFT_OUT] : []),
      ]);
      const expected = SILENT[named] === undefined ? shown(live) : [];
      expect.soft(shown(violated), `${client.name}, as an archive`).toEqual(expected);
      const newestFirst = await judged(contract, await archiveOf(entries.toReversed()));
      expect.soft(newestFirst.violated, `${client.name}, newest first`).toEqual(violated);
      // A part of the traffic convicts nobody whom the whole acquits.
      const part = await judged(contract, await archiveOf(entries.slice(0, Math.ceil(entries.length / 2))));
      if (violated.length === 0)
        expect.soft(without(byForm)(part.violated), `${client.name}, cut`).toEqual([]);
    }
    await bench.close();
  });
}

test("clients get the same verdicts in an archive that Playwright recorded", PROOF, async () => {
  const contract = await loadContract("installments");
  const { wrong, right } = await callersOf("installments");
  const bench = await openCallerBench(contract);
  const browser = await startBrowser();
  const plain = [...right, ...wrong].filter(({ exercises = [] }) => exercises.length === 0);
  const step = Math.ceil(plain.length / sizeInLane({ sample: SAMPLED, full: plain.length }));
  for (const client of plain.filter((_, index) => isInSample(index, step))) {
    const path = join(await temporary(), "recorded.har");
    const context = await browser.newContext({ recordHar: { path, content: "embed" } });
    const page = await context.newPage();
    const send: Send = async ({ url, method, headers, body }) => {
      // A page of the proxy, so that the browser sends no preflights.
      if (!page.url().startsWith(new URL(url).origin)) await page.goto(new URL(CLOCK_PATH, url).href);
      return page.evaluate(
        async ({ address, init }) => {
          const answer = await fetch(address, init);
          const answered = Object.fromEntries(answer.headers);
          return { status: answer.status, headers: answered, text: await answer.text() };
        },
        { address: url, init: { method, headers, ...(body !== undefined && { body }) } },
      );
    };
    const { results } = await bench.run({ run: (setting) => client.run({ ...setting, send }) }, []);
    await context.close();
    const strongest = strongestOf(results.flatMap(({ entries }) => entries));
    const live = violatedIn([...strongest].map(([id, { verdict }]) => ({ id, verdict })));
    const shown = without([WITHOUT_CARDS]);
    expect.soft(shown((await judged(contract, path)).violated), client.name).toEqual(shown(live));
  }
  await browser.close();
  await bench.close();
});
