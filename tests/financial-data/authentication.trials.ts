/** Each operation without its credentials, or with wrong ones (financial-data.md, Authentication). */

import { id, operationTrial } from "../../fixtures/financial-data/trial.ts";
import { checkRefused } from "../../helpers/checks/refusal.ts";
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { isAccepted } from "../../helpers/exchange/exchange.ts";
import type { Call } from "../../helpers/trials/call.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { consumes, sampleCalls } from "./success.trials.ts";

interface Variant {
  readonly what: string;
  readonly headers: NonNullable<Call["headers"]>;
  /** Statuses of the refusal. */
  readonly statuses: readonly number[];
  /** Whether only one of the two headers is given. */
  readonly single: boolean;
  /** Requirements of the whole interface that it belongs to. */
  readonly requirements: readonly string[];
}

const KEY = "partner-app-key";
const TOKEN = "partner-app-token";
/** What a call without the app key gets is not said beyond that it is refused. */
const REFUSED = [400, 401, 403];

const VARIANTS: readonly Variant[] = [
  {
    what: "a call without credentials",
    headers: { [KEY]: null, [TOKEN]: null },
    statuses: [401],
    single: false,
    requirements: ["auth.token-needed-on-all-other-calls"],
  },
  {
    what: "a call without a token",
    headers: { [TOKEN]: null },
    statuses: [401],
    single: true,
    requirements: ["auth.token-needed-on-all-other-calls", "auth.both-headers-by-default"],
  },
  {
    what: "a call without the app key",
    headers: { [KEY]: null },
    statuses: REFUSED,
    single: true,
    requirements: ["auth.both-headers-by-default"],
  },
  {
    what: "a call with an unknown token",
    headers: { [TOKEN]: "unknown-token-0000" },
    statuses: [401],
    single: false,
    requirements: ["auth.header.Partner-App-Token"],
  },
  {
    what: "a call with an unknown app key",
    headers: { [KEY]: "unknown-app-key-0000" },
    statuses: REFUSED,
    single: false,
    requirements: ["auth.header.Partner-App-Key"],
  },
];

export const authenticationTrials = (contract: Contract): Trial[] => {
  const headers = new Map(
    contract.securitySchemes.map(({ name, header }) => [name.toLowerCase(), header.toLowerCase()]),
  );
  return contract.operations
    .filter(({ security }) => security.length > 1)
    .map((operation) =>
      operationTrial(
        operation,
        "authentication",
        "calls without proper credentials are refused",
        [
          `${operation.operationId}.unauthenticated`,
          "auth.token-needed-on-all-other-calls",
          "auth.both-headers-by-default",
          "auth.header.Partner-App-Key",
          "auth.header.Partner-App-Token",
          "errors.401-unauthorized",
        ],
        (context) => tryVariants(context, operation, headers),
      ),
    );
};

const tryVariants = async (
  context: TrialContext,
  operation: Operation,
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  let [call] = await sampleCalls(context, operation, 1);
  if (call === undefined) return;
  const probes = [];
  for (const variant of VARIANTS.filter(({ single }) => !single || operation.singleHeader !== "unjudged")) {
    // The provider's own document may name the headers otherwise.
    const headers = Object.fromEntries(
      Object.entries(variant.headers).map(([name, value]) => [names.get(name) ?? name, value]),
    );
    const exchange = await context.send({ ...call, headers: { ...call.headers, ...headers } });
    probes.push({ variant, exchange });
    // What should have been refused has used up what it names.
    if (isAccepted(exchange) && consumes(operation)) {
      call = (await sampleCalls(context, operation, probes.length + 1)).at(-1) ?? call;
    }
  }
  const twin = await context.send(call);
  const { judge } = context;
  for (const { variant, exchange } of probes) {
    const result = checkRefused({ what: variant.what, pointer: "" }, exchange, twin, variant.statuses);
    if (result === undefined) continue;
    for (const requirement of variant.requirements) judge.record(id(requirement), result, [exchange, twin]);
    if (variant === VARIANTS[0])
      judge.record(id(`${operation.operationId}.unauthenticated`), result, [exchange, twin]);
    // What nothing but a 401 is documented for shows what the service means by unauthorized.
    if (variant.statuses.every((status) => status === 401))
      judge.record(id("errors.401-unauthorized"), result, [exchange, twin]);
  }
  sayWhatWasNotShown(context, operation);
};

/** A target whose call with proper credentials is refused as well has shown nothing. */
const sayWhatWasNotShown = ({ judge }: TrialContext, operation: Operation): void => {
  const own = id(`${operation.operationId}.unauthenticated`);
  const reason = "the call with proper credentials was refused too, so that no refusal proves anything";
  const all = [
    own,
    ...VARIANTS.flatMap(({ requirements }) => requirements.map(id)),
    id("errors.401-unauthorized"),
  ];
  for (const requirement of all) {
    if (!judge.hasVerdict(requirement)) judge.notTried(requirement, reason);
  }
};
