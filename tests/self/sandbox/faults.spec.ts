/** The faults of the sandbox: each requirement has one, and a client can observe each. */
import { expect, test } from "@playwright/test";
import type { Contract, Rule } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { atPointer as readAt } from "../../../helpers/contract/pointer.ts";
import { faultsIn } from "../../../mocks/engine/deviations/catalogue.ts";
import type { Fault } from "../../../mocks/engine/deviations/deviation.ts";
import { faultsNamed, UnknownDeviationError } from "../../../mocks/engine/deviations/named.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { editAt } from "../../../mocks/engine/values/pointer.ts";
import {
  admin,
  byCard,
  byReceipt,
  type Environment,
  encryptCard,
  enroll,
  PAN,
  type Received,
} from "../support/sandbox-client.ts";

let contract: Contract;
let faults: Fault[];
let sandbox: Sandbox;

test.beforeAll(async () => {
  contract = await loadContract("card-enrollment");
  faults = faultsIn(await listDeviations([contract]));
  const options = { services: ["card-enrollment"], port: 0, seed: 7, faults: [] } as const;
  sandbox = await startSandbox({ ...options, contracts: [contract] });
});

test.afterAll(() => sandbox.close());

test("every observable requirement on the service has a fault", () => {
  const violated = new Set(faults.map(({ violates }) => violates));
  const tried = contract.requirements.filter(
    ({ subject, observable }) => subject === "service" && observable !== "not-observable",
  );
  expect(tried.length).toBeGreaterThan(100);
  expect(tried.map(({ id }) => id).filter((id) => !violated.has(id))).toEqual([]);
});

test("a fault's id is unique: the id of a known requirement plus one segment", () => {
  const known = new Set(contract.requirements.map(({ id }) => id));
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  const odd = faults.filter(({ id, violates }) => {
    return !known.has(violates) || !/^\.[\w-]+$/.test(id.slice(violates.length));
  });
  expect(odd.map(({ id }) => id)).toEqual([]);
});

test("an unknown fault id is an error that names similar ids", () => {
  expect(() => faultsNamed(faults, ["card-enrollment.auth.whole-interface.absent"])).toThrow(
    UnknownDeviationError,
  );
  expect(() => faultsNamed(faults, ["card-enrollment.auth.whole-interface.absent"])).toThrow(
    /absent-key-accepted/,
  );
});

test("a faulty request rule accepts a request that it refused, or refuses one that it accepted", async () => {
  const unseen: string[] = [];
  for (const fault of faults.filter(({ effects }) => effects.some(({ kind }) => kind === "request"))) {
    const refuses = /(boundary-refused|demanded|refused)$/.test(fault.id);
    const clean = await openTenant([]);
    const faulty = await openTenant([fault.id]);
    const statuses = [];
    for (const rule of contract.rules.filter(({ requirement }) => requirement === fault.violates)) {
      for (const probe of probesOf(rule)) {
        const [before, after] = [
          await send(clean.environment, rule, probe),
          await send(faulty.environment, rule, probe),
        ];
        statuses.push(`${before.status} ${after.status}`);
      }
    }
    if (!statuses.includes(refuses ? "200 400" : "400 200")) unseen.push(`${fault.id}: ${statuses}`);
  }
  expect(unseen).toEqual([]);
});

test("every other fault changes the responses to a client", async () => {
  const clean = await story(await openTenant([]));
  expect(await story(await openTenant([]))).toEqual(clean);
  const unseen: string[] = [];
  for (const { id } of faults.filter(({ effects }) => effects.every(({ kind }) => kind !== "request"))) {
    const faulty = await story(await openTenant([id]));
    if (JSON.stringify(faulty) === JSON.stringify(clean)) unseen.push(id);
  }
  expect(unseen).toEqual([]);
});

interface OpenTenant {
  readonly tenant: string;
  readonly environment: Environment;
}

const openTenant = async (ids: readonly string[]): Promise<OpenTenant> => {
  const { json } = await admin(sandbox.port, "POST", "/__sandbox/tenants", { seed: 7, faults: ids });
  return json as OpenTenant;
};

type Probe =
  | { readonly set: unknown }
  | { readonly remove: true }
  /** Changes the valid text. */
  | { readonly slip: (text: string) => string };

const probesOf = ({ keyword, value }: Rule): Probe[] => {
  if (keyword === "required") return [{ remove: true }, { set: null }];
  if (keyword === "optional") return [{ remove: true }];
  if (keyword === "pattern") return [{ set: "no such thing!" }, ...SLIPS];
  if (keyword === "enum") {
    const choices = ([value].flat() as string[]).flatMap((choice) => [choice.toLowerCase(), ` ${choice} `]);
    return ["no such thing!", ...choices].map((set) => ({ set }));
  }
  if (keyword === "format") return ["no such thing!", "USA", "U1", "en-US"].map((set) => ({ set }));
  if (keyword === "enum-value") return [{ set: value }];
  if (keyword === "type") return [{ set: value === "string" ? 7 : "seven" }];
  if (keyword === "maxLength" || keyword === "minLength") {
    return [-1, 0, 1].map((step) => ({ set: "1".repeat((value as number) + step) }));
  }
  return [{ set: "no such thing!" }];
};

const SLIPS: readonly Probe[] = [{ slip: (text) => `!${text}` }, { slip: (text) => `${text}!` }];

const CARD = {
  primaryAccountNumber: PAN,
  panExpirationMonth: "01",
  panExpirationYear: "2030",
  cardSecurityCode: "123",
};

const send = async (environment: Environment, { within, pointer }: Rule, probe: Probe): Promise<Received> => {
  const editOf = (control: unknown) =>
    "slip" in probe ? { set: probe.slip(String(readAt(control, pointer))) } : probe;
  if (within !== undefined) {
    return enroll(environment, { body: await byCard(environment, editAt(CARD, pointer, editOf(CARD))) });
  }
  const receipt = { ...byReceipt(environment), srcCorrelationId: environment.CARD_ENROLLMENT_SRC_CLIENT_ID };
  const control = pointer === "/encryptedCard" ? await byCard(environment) : receipt;
  return enroll(environment, { body: editAt(control, pointer, editOf(control)) });
};

/** Sends one call of each kind and returns the observable parts of the responses. */
const story = async ({ tenant, environment }: OpenTenant): Promise<unknown[]> => {
  const answers: Received[] = [];
  for (const situation of ["internal-failure", "temporarily-unavailable"]) {
    const { json } = await admin(sandbox.port, "POST", "/__sandbox/situations", { tenant, situation });
    const srcClientId = readAt(json, "/environment/CARD_ENROLLMENT_SRC_CLIENT_ID");
    answers.push(await enroll(environment, { body: { ...byReceipt(environment), srcClientId } }));
  }
  for (const call of await callsOf(environment)) answers.push(await enroll(environment, call));
  const seen = answers.map(({ status, contentType, retryAfter, text }) => [
    status,
    contentType,
    retryAfter,
    text.replaceAll(/(\d{4})-\d\d-\d\dT[\d:.]+Z/g, "$1"),
  ]);
  return [new URL(environment.CARD_ENROLLMENT_BASE_URL ?? "").pathname.replace(`/t/${tenant}`, ""), ...seen];
};

const callsOf = async (environment: Environment): Promise<Parameters<typeof enroll>[1][]> => {
  const receipt = byReceipt(environment);
  const elsewhere = { identityType: "EMAIL_ADDRESS", identityValue: "kim.meadow@example.com" };
  const emptyCard = await encryptCard(environment, {});
  return [
    { body: receipt },
    { body: { ...receipt, srcCorrelationId: environment.CARD_ENROLLMENT_SRC_CLIENT_ID } },
    { body: { ...receipt, consumer: { ...receipt.consumer, consumerIdentity: elsewhere } } },
    { body: await byCard(environment) },
    { body: receipt },
    { body: receipt, key: null },
    { body: receipt, key: "unknown" },
    { body: receipt, key: environment.CARD_ENROLLMENT_UNVALIDATED_API_KEY ?? "" },
    { body: { ...receipt, srcClientId: "00000000-0000-4000-8000-000000000000" } },
    { body: { ...receipt, serviceId: "UNKNOWN" } },
    { body: { ...receipt, cardSource: "OTHER" } },
    { body: { ...receipt, cardSource: 7 } },
    { body: { ...receipt, srcClientId: "no-uuid" } },
    { body: { ...receipt, consumer: undefined } },
    { body: { ...receipt, enrolmentReferenceData: undefined, encryptedCard: emptyCard } },
    {},
    { raw: "{" },
  ];
};
