/** The output of a run contains no secret, also of its own making, and data that the run invented only in commands. */
import { expect, test } from "@playwright/test";
import { openJwe } from "../../../helpers/contract/compact-jwe.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { cardKeys } from "../../../mocks/card-enrollment/keys.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { written } from "../hostile/canary-secrets.ts";
import { hostileServer } from "../hostile/hostile-server.ts";
import type { Artifact } from "../support/artifacts.ts";
import { type Certified, certify } from "../support/command.ts";
import { LONG, PROOF, type Sizes, sizeInLane } from "../support/lanes.ts";
import { closeAll, fieldsIn } from "../support/loopback.ts";
import { holdingProxy, type Passing } from "./holding-proxy.ts";

const contract = await loadContract("card-enrollment");

const PASSWORD = "canary-password-in-the-address";

test.afterEach(closeAll);

/** Faults that make the server repeat request data, so that findings contain it. */
const TALKATIVE = [
  "card-enrollment.response.card-and-consumer-records-masked.pan-in-clear",
  "card-enrollment.response.maskedConsumer.maskedEmailAddress.string.in-clear",
  "card-enrollment.auth.api-key-in-header.unknown-key-accepted",
  "card-enrollment.request.card.primaryAccountNumber.max-length.not-enforced",
  "card-enrollment.response.json-body.success-as-html",
];

/** The requirements of a run. A run with violations also writes findings, so the default lane tries only that. */
const SELECTION: Sizes<readonly string[]> = {
  sample: ["--requirement", TALKATIVE.map((fault) => fault.replace(/\.[^.]+$/, "")).join(",")],
  full: [],
};
const LEAST_SENT: Sizes<number> = { sample: 5, full: 50 };

for (const { name, faults, code, lane } of [
  { name: "certified", faults: [], code: 0, lane: LONG },
  { name: "violations", faults: TALKATIVE, code: 1, lane: PROOF },
]) {
  test(`the output of a run that ends with ${name} contains no secret`, lane, async () => {
    const { ended, passed } = await certifyThroughProxy(faults, sizeInLane(SELECTION));
    expect(ended.code).toBe(code);
    const least = sizeInLane(LEAST_SENT);
    expect(passed.cardNumbers.size).toBeGreaterThan(least);
    expect(passed.emails.size).toBeGreaterThan(least);
    const artifacts = await written(ended.out, ended);
    expect(artifacts.some(({ path }) => path.includes(".zip!"))).toBe(true);
    expect(artifacts.flatMap((artifact) => leaksIn(artifact, passed))).toEqual([]);
  });
}

test("the search finds each kind of secret", () => {
  const [number, email, token] = ["5555341244441115", "robin@example.com", "eyJhbGciOi.AA.BB.CC.DD"];
  const passed = {
    cardNumbers: new Set([number]),
    emails: new Set([email]),
    encryptedCards: new Set([token]),
  };
  for (const text of [PASSWORD, btoa(`somebody:${PASSWORD}`), `0${number}`, "Robin@Example.com", token])
    expect(leaksIn({ path: "file", text: `<p>${text}</p>` }, passed)).not.toEqual([]);
  expect(leaksIn({ path: "file", text: "5555340000001115 kim@example.com" }, passed)).toEqual([]);
});

/** Runs certify through the proxy, as shard 1 of 1, since a shard also writes a blob. */
const certifyThroughProxy = async (
  faults: readonly string[],
  selection: readonly string[],
): Promise<{ ended: Certified; passed: Passed }> => {
  const sandbox = await startSandbox({ seed: 1, contracts: [contract], plain: true, faults });
  try {
    const { origin, passed } = await recordingProxy(`http://127.0.0.1:${sandbox.port}`);
    const address = new URL(`${origin}${contract.basePath}`);
    address.username = "somebody";
    address.password = PASSWORD;
    const target = ["--target", "canary", "--service", contract.service];
    const ended = await certify([...target, "--shard", "1/1", ...selection], {
      ...sandbox.environment,
      CARD_ENROLLMENT_BASE_URL: address.href,
    });
    return { ended, passed };
  } finally {
    await sandbox.close();
  }
};

/** A command that shows a violation again: to the end of a text in JSON, and of the line elsewhere. */
const COMMANDS = { json: /curl -sS(?:[^"\\]|\\.)*/g, other: /curl -sS.*/g };

const leaksIn = ({ path, text: whole }: Artifact, passed: Passed): string[] => {
  const text = whole.replaceAll(/json|blob|zip/.test(path) ? COMMANDS.json : COMMANDS.other, "");
  const sent = (known: ReadonlySet<string>, found: readonly string[] | null): string[] =>
    (found ?? []).filter((one) => known.has(one));
  const digits = (text.match(/\d{13,}/g) ?? []).flatMap((run) =>
    [...passed.cardNumbers].filter((number) => run.includes(number)),
  );
  const leaks = [
    ...CANARIES.filter((canary) => whole.includes(canary)),
    ...sent(passed.encryptedCards, text.match(COMPACT_JWE)),
    ...sent(passed.emails, text.toLowerCase().match(EMAIL)),
    ...digits,
  ];
  return [...new Set(leaks)].map((leak) => `${path}: ${leak}`);
};

/** The password as it is, and as encoded in base64. The tests of hostile servers have keys in every encoding. */
const CANARIES = [PASSWORD, ...[0, 1, 2].map((shift) => inBase64(PASSWORD, shift))];

function notationsOf(secret: string): string[] {
  const inHtml = secret.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), inHtml];
}

/** Returns the part of a secret's base64 text that does not depend on its neighbours, for one of three alignments. */
function inBase64(secret: string, shift: number): string {
  const bytes = Buffer.from(secret).subarray(shift);
  return bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
}

interface Passed {
  /** The full card numbers that were sent encrypted. */
  readonly cardNumbers: Set<string>;
  readonly emails: Set<string>;
  readonly encryptedCards: Set<string>;
}

/** Starts a proxy that records every secret in the requests. */
const recordingProxy = async (
  target: string,
): Promise<{ readonly origin: string; readonly passed: Passed }> => {
  const passed: Passed = { cardNumbers: new Set(), emails: new Set(), encryptedCards: new Set() };
  const { privateKey } = await cardKeys();
  const origin = await hostileServer(target, async ({ body }, correct) => {
    const text = body.toString();
    for (const email of text.match(EMAIL) ?? []) passed.emails.add(email.toLowerCase());
    for (const token of text.match(COMPACT_JWE) ?? []) {
      passed.encryptedCards.add(token);
      const number = await cardNumberIn(token, privateKey);
      if (number !== undefined) passed.cardNumbers.add(number);
    }
    return correct();
  });
  return { origin, passed };
};

const EMAIL = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g;
const COMPACT_JWE = /eyJ[\w-]+(\.[\w-]+){4}/g;

/** A possible card number: probes of its length are a little shorter or longer. */
const CARD_NUMBER = /^\d{13,}$/;

const cardNumberIn = async (
  token: string,
  key: Awaited<ReturnType<typeof cardKeys>>["privateKey"],
): Promise<string | undefined> => {
  try {
    const { plain } = await openJwe(token, key);
    const { primaryAccountNumber } = JSON.parse(plain.toString());
    return CARD_NUMBER.test(primaryAccountNumber) ? primaryAccountNumber : undefined;
  } catch {
    return undefined;
  }
};

const partners = await loadContract("financial-data");

/** The requirements whose violation is shown by a request with a new secret. */
const SECRET_RULES = partners.requirements
  .map(({ id }) => id)
  .filter((id) => /\.auth\.secret\.(max-length-255|min-length-12|at-least-one-digit)$/.test(id));

test("no output contains a new partner secret", LONG, async () => {
  const faults = SECRET_RULES.map((id) => `${id}.not-enforced`);
  const sandbox = await startSandbox({ seed: 1, contracts: [partners], plain: true, faults });
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`);
  try {
    const { pathname } = new URL(sandbox.environment.FINANCIAL_DATA_BASE_URL ?? "");
    const args = ["--service", partners.service, "--operation", "ModifyPartnerSecret", "--shard", "1/1"];
    const ended = await certify(["--target", "canary", ...args], {
      ...sandbox.environment,
      FINANCIAL_DATA_BASE_URL: `${proxy.origin}${pathname}`,
      ALLOW_DESTRUCTIVE: "true",
      ALLOW_LOCKING: "true",
    });
    expect(ended.code).toBe(1);
    const secrets = [...new Set(proxy.passed.flatMap(secretsIn))];
    expect(secrets.length).toBeGreaterThan(10);
    const artifacts = await written(ended.out, ended);
    expect(artifacts.some(({ text }) => text.includes("NEW_PARTNER_SECRET"))).toBe(true);
    const leaks = artifacts.flatMap(({ path, text }) =>
      secrets.filter((secret) => notationsOf(secret).some((one) => text.includes(one))).map(() => path),
    );
    expect(leaks).toEqual([]);
  } finally {
    await sandbox.close();
  }
});

const secretsIn = ({ path, body }: Passing): string[] => {
  if (!path.endsWith("/partners/authentication")) return [];
  const { partnerSecret, newPartnerSecret } = fieldsIn(body);
  return [partnerSecret, newPartnerSecret].filter((one): one is string => typeof one === "string");
};
