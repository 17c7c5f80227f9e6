/** Short stories of an integration, by plain HTTP with chosen ids. The stories are the YAML files in `stories/`. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { atPointer } from "../../../../helpers/contract/pointer.ts";
import { startSandbox, type TestSandbox } from "../../../../mocks/sandbox.ts";
import { PROVIDER } from "../../support/lanes.ts";
import { api, closeAll } from "../../support/loopback.ts";
import { encryptCard, PAN } from "../../support/sandbox-client.ts";
import { shared } from "../../support/shared.ts";
import { CHOSEN } from "./chosen-data.ts";
import { financialClient } from "./clients.ts";

interface Story {
  readonly story: string;
  readonly service: string;
  readonly steps: readonly Step[];
  /** Why a provider's document does not allow the calls, by the name of its file. */
  readonly notWith?: Readonly<Record<string, string>>;
}

/** A call, or the move of the clock, or what the listener of the story has received. */
interface Step {
  readonly call?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly answer?: unknown;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Variables for the further steps, by JSON pointer, or by `header NAME`. */
  readonly keep?: Readonly<Record<string, string>>;
  readonly admin?: string;
  readonly received?: readonly unknown[];
  /** The expectations that differ with a document of the provider. */
  readonly documented?: Pick<Step, "status" | "answer">;
}

const FOLDER = new URL("./stories/", import.meta.url);
const STORIES = readdirSync(FOLDER).flatMap(
  (file) => parse(readFileSync(new URL(file, FOLDER), "utf8")) as Story[],
);

let sandbox: TestSandbox;
/** The contract of the provider's document, in the stories with one. */
let provided: Contract | undefined;
let listener = "";
let received: unknown[] = [];

test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  listener = await api(({ text }) => {
    received.push(JSON.parse(text || "null"));
    return 200;
  });
});
test.beforeEach(() => {
  received = [];
});
test.afterAll(closeAll);

const tell = (stories: readonly Story[], file = ""): void => {
  for (const { story, service, steps, notWith } of stories) {
    test(story, async () => {
      test.skip(notWith?.[file] !== undefined, notWith?.[file]);
      const variables: Record<string, unknown> = { listener };
      const open = await openTenant();
      const send = await senderOf(service, open);
      if (service === "card-enrollment")
        variables.encryptedCard = await encryptCard(open.credentials, { primaryAccountNumber: PAN });
      for (const [index, step] of steps.entries())
        await test.step(`${index + 1} ${step.call ?? step.admin ?? "received"}`, () =>
          take(file === "" ? step : { ...step, ...step.documented }, variables, send, open.tenant));
    });
  }
};

test.describe("with our contracts", () => {
  test.beforeAll(async () => {
    sandbox = await startSandbox({ data: CHOSEN });
  });
  test.afterAll(() => sandbox.stop());
  tell(STORIES);
});

/** The provider's documents next to the checkout, by service. */
const PROVIDED: readonly (readonly [service: string, file: string])[] = [
  ["financial-data", "financial-data-1.29.0.yaml"],
  ["financial-data", "financial-data-1.30.0.yaml"],
  ["financial-data", "financial-data-1.35.0.yaml"],
  ["installments", "installments-2.0.0.yaml"],
];

for (const [service, file] of PROVIDED) {
  test.describe(`with the provider's document ${file}`, PROVIDER, () => {
    test.beforeAll(async () => {
      provided = await loadContract(service, { providerFile: shared(`provider/${file}`) });
      const { [service]: data = {} } = CHOSEN;
      sandbox = await startSandbox({ services: [service], contracts: [provided], data: { [service]: data } });
    });
    test.afterAll(() => {
      provided = undefined;
      return sandbox?.stop();
    });
    tell(
      STORIES.filter((story) => story.service === service),
      file,
    );
  });
}

interface Open {
  readonly tenant: string;
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
}

const origin = () => new URL(Object.values(sandbox.baseUrls)[0] ?? "").origin;

const administer = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
  const response = await fetch(`${origin()}/__sandbox/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const json = (await response.json()) as Record<string, unknown>;
  expect(response.status, JSON.stringify(json)).toBe(201);
  return json;
};

const openTenant = async (): Promise<Open> => {
  const { tenant, baseUrls, environment } = await administer("tenants", {});
  return {
    tenant: String(tenant),
    baseUrls: baseUrls as Open["baseUrls"],
    credentials: environment as Open["credentials"],
  };
};

type Sender = (
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly json: unknown; readonly headers?: Headers }>;

const senderOf = async (service: string, open: Open): Promise<Sender> => {
  if (service === "financial-data") return financialClient(open, provided);
  const own: Record<string, string> =
    service === "installments"
      ? { authorization: open.credentials.INSTALLMENTS_AUTHORIZATION ?? "" }
      : { "x-openapi-clientid": open.credentials.CARD_ENROLLMENT_API_KEY ?? "" };
  return async (method, path, body, headers) => {
    const response = await fetch(`${open.baseUrls[service]}${path}`, {
      method,
      headers: { ...own, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? {} : JSON.parse(text), headers: response.headers };
  };
};

const take = async (
  step: Step,
  variables: Record<string, unknown>,
  send: Sender,
  tenant: string,
): Promise<void> => {
  const filled = replaced(step, variables) as Step;
  if (filled.admin !== undefined) {
    const made = await administer(filled.admin, { ...(filled.body as object), tenant });
    for (const [name, pointer] of Object.entries(filled.keep ?? {}))
      variables[name] = atPointer(made, pointer);
  }
  if (filled.call !== undefined) {
    const [method = "", path = ""] = filled.call.split(" ");
    const { status, json, headers } = await send(method, path, filled.body, filled.headers ?? {});
    expect(status, JSON.stringify(json)).toBe(filled.status ?? 200);
    if (filled.answer !== undefined) expect({ json }).toMatchObject({ json: filled.answer });
    for (const [name, value] of Object.entries(filled.answerHeaders ?? {}))
      expect(headers?.get(name), name).toBe(value);
    for (const [name, from] of Object.entries(filled.keep ?? {})) {
      const [, header] = /^header (.+)$/.exec(from) ?? [];
      variables[name] = header === undefined ? atPointer(json, from) : headers?.get(header);
      expect(variables[name], `${name} in ${JSON.stringify(json)}`).toBeDefined();
    }
  }
  if (filled.received !== undefined) {
    await administer("settlement", { tenant });
    expect(received).toMatchObject([...filled.received]);
    expect(received).toHaveLength(filled.received.length);
  }
};

/** Replaces `{name}` in texts. A text that consists of one name becomes the value itself. */
const replaced = (value: unknown, variables: Readonly<Record<string, unknown>>): unknown => {
  if (typeof value === "string") {
    const [, whole] = /^\{(\w+)\}$/.exec(value) ?? [];
    if (whole !== undefined) return variables[whole] ?? value;
    return value.replaceAll(/\{(\w+)\}/g, (text, name: string) => String(variables[name] ?? text));
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, variables)]));
};
