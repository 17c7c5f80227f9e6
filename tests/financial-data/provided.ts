/** What generated calls of some operations need beyond ids: a listener, an address to deliver to, amounts that arrived. */
import { situation } from "../../fixtures/financial-data-calls.ts";
import type { Exchange } from "../../helpers/exchange/exchange.ts";
import type { Arranger } from "../../helpers/trials/arrange.ts";
import {
  type Call,
  NotTried,
  TargetLost,
  type Trial,
  type TrialContext,
} from "../../helpers/trials/trial.ts";
import { having, identifierIn, taken, validCall, withFields } from "./asking.ts";
import { listening } from "./listening.ts";
import { PURPOSE } from "./reporting.ts";
import { recordId, SUBSCRIBE, standardAddress, subscribing } from "./txpush-calls.ts";
import { CREATE, eventsIn } from "./webhook-calls.ts";

/** The trial of one operation, with what its calls need; any other trial as it is. */
export const provided = (trial: Trial): Trial => {
  const [operationId = "", ...others] = trial.operations;
  const provide = others.length === 0 ? PROVIDERS[operationId] : undefined;
  return provide === undefined ? trial : { ...trial, run: (context) => provide(context, trial) };
};

type Given = Readonly<Record<string, string>>;

const withListener = (
  context: TrialContext,
  trial: Trial,
  give: (arrange: Arranger, address: () => string) => Promise<Given>,
): Promise<void> =>
  listening(context, (listener) => {
    const arrange = giving(context.arrange, (from) => give(from, () => standardAddress(listener)));
    return trial.run({ ...context, arrange });
  });

const withAddressedWebhook = (context: TrialContext, trial: Trial): Promise<void> =>
  trial.run({
    ...context,
    arrange: giving(context.arrange, async (arrange) => {
      const call = withFields(await validCall(context, CREATE, arrange), { url: NOWHERE });
      const exchange = await taken(context, call);
      const [event] = eventsIn(context, exchange);
      const subscription = identifierIn(context, exchange, "webhook-subscription");
      return {
        "webhook-subscription": subscription,
        ...(event !== undefined && { "webhook-event": event.id }),
      };
    }),
  });

/** Nobody is to be found there, and a delivery may be tried all the same. */
const NOWHERE = "https://listener.example.com/webhooks";

const withArrivedAmounts = (context: TrialContext, trial: Trial): Promise<void> => {
  const amounts = new Map<string, number[]>();
  const arrange = giving(context.arrange, async () => {
    const need = "deposits that have arrived, and their amounts";
    const given = await situation(context, "micro-deposits-arrived", need);
    amounts.set(given["micro-deposit-account"] ?? "", (given["micro-amounts"] ?? "").split(",").map(Number));
    return given;
  });
  const send = (call: Call): Promise<Exchange> => {
    const known = Object.values(call.path ?? {}).flatMap((value) => amounts.get(value) ?? []);
    const told = (call.json as { readonly amounts?: unknown } | undefined)?.amounts;
    const isGuess = Array.isArray(told) && told.length === 2 && told.every((one) => typeof one === "number");
    return context.send(isGuess && known.length > 0 ? withFields(call, { amounts: known }) : call);
  };
  return trial.run({ ...context, arrange, send });
};

/** Where no legacy connection can be had, the call goes out all the same: another server may migrate any login. */
const withLegacyConnection = (context: TrialContext, trial: Trial): Promise<void> => {
  if (!context.capabilities.offers(LEGACY)) return trial.run(context);
  const give = () => situation(context, LEGACY, "a login on a legacy connection");
  return trial.run({ ...context, arrange: giving(context.arrange, give) });
};

const LEGACY = "legacy-connection";

/** Accepted before the code is required, and needed from then on. */
const withPurpose = (context: TrialContext, trial: Trial): Promise<void> => {
  const lacks = ({ json }: Call): boolean =>
    typeof json === "object" && json !== null && !Array.isArray(json) && !("purpose" in json);
  const send = (call: Call): Promise<Exchange> =>
    context.send(lacks(call) ? withFields(call, { purpose: PURPOSE }) : call);
  return trial.run({ ...context, send });
};

const PROVIDERS: Readonly<Record<string, (context: TrialContext, trial: Trial) => Promise<void>>> = {
  [SUBSCRIBE]: (context, trial) =>
    withListener(context, trial, async (_, address) => ({ "listener-url": address() })),
  DeleteTxPushSubscription: (context, trial) =>
    withListener(context, trial, async (arrange, address) => {
      const exchange = await taken(context, await subscribing(context, arrange, address()));
      return { "txpush-subscription": recordId(context, exchange) };
    }),
  testWebhookSubscription: withAddressedWebhook,
  testWebhookSubscriptionBasedOnEventId: withAddressedWebhook,
  VerifyMicroAmountDeposits: withArrivedAmounts,
  MigrateInstitutionLoginAccounts: withLegacyConnection,
  ReportReissue: withPurpose,
};

/** The arranger, with some resources given, anew for each that is set apart. */
const giving = (arrange: Arranger, give: (arrange: Arranger) => Promise<Given>): Arranger => {
  let given: Promise<Given> | undefined;
  const provider = async (): Promise<Arranger> => {
    given ??= give(arrange);
    return having(arrange, await given);
  };
  return {
    async get(resource) {
      try {
        return await (await provider()).get(resource);
      } catch (error) {
        if (error instanceof NotTried) return { missing: error.message };
        if (error instanceof TargetLost) return { failed: error.message };
        throw error;
      }
    },
    need: async (resource) => (await provider()).need(resource),
    apart: () => giving(arrange.apart(), give),
    changeable: () => giving(arrange.changeable(), give),
  };
};
