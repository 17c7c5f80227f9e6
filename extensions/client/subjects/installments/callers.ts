/** The clients of installments that prove the caller checks. */
import { hasty, STRICT, TWICE, url, wrongBy } from "../habits.ts";
import { type RightClient, sendInChunks, type WrongClient } from "../setting.ts";
import { RIGHT, runClient } from "./client.ts";
import { rightFlows, wrongFlows } from "./flows.ts";

export const right: readonly RightClient[] = [
  { name: "fetch", run: (setting) => runClient(setting), getsThrough: 4 },
  { name: "bodies in chunks", run: (setting) => runClient({ ...setting, send: sendInChunks }) },
  {
    name: "the last offer",
    run: (setting) => runClient(setting, { ...RIGHT, choose: (offers) => offers.at(-1) ?? "" }),
  },
  ...rightFlows,
];

const client = wrongBy(runClient, RIGHT);

const withPart = (name: string, part: string, value: unknown): WrongClient =>
  client(name, "offers.request-carries-consumer-merchant-transaction", {
    body: (body, path) => (path === "/offers" ? { ...body, [part]: value } : body),
  });

const withoutPart = (part: string): WrongClient =>
  client(`offers without ${part}`, "offers.request-carries-consumer-merchant-transaction", {
    body: (body, path) => {
      const { [part]: _, ...rest } = body;
      return path === "/offers" ? rest : body;
    },
  });

export const wrong: readonly WrongClient[] = [
  withoutPart("consumer"),
  withoutPart("merchant"),
  withoutPart("transaction"),
  withPart("null as transaction", "transaction", null),
  withPart("a merchant without data", "merchant", {}),
  client("an offer of its own", "plans.select-offer", { choose: () => "99999999" }),
  client("no offer", "plans.select-offer", {
    body: (body, path) => (path === "/plans" ? { useCase: "DURING_PURCHASE" } : body),
  }),
  client("an unknown use case", "postOffers.request.shape", {
    body: (body, path) => (path === "/offers" ? { ...body, useCase: "LATER" } : body),
  }),
  client("an unknown path", "caller.documented-operations", {
    request: url((asked) => asked.replace("/offers", "/offer")),
  }),
  client("the key in the URL", "caller.no-secret-in-url", {
    request: url((asked, { authorization }) => `${asked}?access_token=${authorization}`),
  }),
  client("a quick repetition after 429", "caller.retry-after-kept", hasty(0.1), ["rate-limited"]),
  client("a plan asked for twice", "caller.creation-not-repeated-blindly", TWICE, ["creation-lost"]),
  client("unknown fields refused", "caller.additions-accepted", STRICT, ["additions"]),
  ...wrongFlows,
];
