/** Checks whether the paths of the document are served below the base address. */
import { scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import type { Operation } from "../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { NotTried, TargetLost } from "../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("What the service does");

const BASE = "base-address";

/** The two product groups (What the service does); a target may offer only one of them. */
const GROUPS = {
  credential: [
    "postMerchantParticipations",
    "getMerchantParticipations",
    "postMerchantSearches",
    "postMerchantMidSearches",
    "planApproval",
  ],
  services: ["postConsumerPanRegistrations", "postConsumerPanDeregistrations", "postOffers", "postPlans"],
} as const;

export const servedScenarios = [
  scenario("served/paths", {
    title: "the documented paths are served below the base address",
    operations: Object.values(GROUPS).flat(),
    requirements: [BASE],
    async run(t) {
      const unknown = await unknownPaths(t);
      const groups: Served[][] = [];
      for (const operationIds of Object.values(GROUPS)) {
        const served: Served[] = [];
        for (const operationId of operationIds) served.push(await ask(t, operationId, unknown));
        groups.push(served);
      }
      const seen = groups.flat().filter(({ state }) => state !== "unclear");
      if (seen.length === 0)
        throw new NotTried("accepts-anything", "the target answers every path alike, served or not");
      if (!seen.some(({ state }) => state === "served")) {
        throw new TargetLost("accepts-anything", "no path is known: is INSTALLMENTS_BASE_URL right?");
      }
      for (const group of groups) {
        if (!group.some(({ state }) => state === "served")) continue;
        for (const one of group) judge(t, one);
      }
    },
  }),
];

interface Served {
  /** `unclear`: the answer equals the answer to an unknown path, but its status (such as 401) is not about paths. */
  readonly state: "served" | "unserved" | "unclear";
  readonly exchange: Exchange;
}

/** @throws NotTried when the target accepts calls at any path */
const unknownPaths = async (t: T): Promise<Record<"GET" | "POST", Exchange>> => {
  const at = `/unheard-of-${t.runSeed}`;
  const common = { at, judged: false } as const;
  const unknown = {
    GET: await t.answerTo({ ...common, operationId: "getMerchantParticipations" }),
    POST: await t.answerTo({ ...common, operationId: "postOffers", json: {} }),
  };
  if (Object.values(unknown).some(isAccepted)) {
    throw new NotTried("accepts-anything", "the target accepts calls at any path");
  }
  if (Object.values(unknown).every((exchange) => statusOf(exchange) >= 500)) {
    throw new TargetLost("accepts-anything", `the target answers ${statusOf(unknown.POST)} at any path`);
  }
  return unknown;
};

/** Sends a call without content. If the path is served, the answer differs from the answer to an unknown path. */
const ask = async (
  t: T,
  operationId: string,
  unknown: Readonly<Record<"GET" | "POST", Exchange>>,
): Promise<Served> => {
  const operation = t.contract.operations.find((one) => one.operationId === operationId) as Operation;
  const json = operation.method === "POST" ? { json: {} } : {};
  const exchange = await t.answerTo({ operationId, ...json, judged: false });
  return { exchange, state: stateOf(exchange, unknown[operation.method as "GET" | "POST"]) };
};

/** Statuses for a method that is not supported (RFC 9110, 15.5.6 and 15.6.2). */
const UNTAKEN = [405, 501];

/**
 * Returns whether the path is served. A 404 may also be about a named resource: it shows an unserved path only if its
 * body equals the body for an unknown path.
 */
const stateOf = (exchange: Exchange, unknown: Exchange): Served["state"] => {
  if (UNTAKEN.includes(statusOf(exchange))) return "unserved";
  if (statusOf(exchange) !== statusOf(unknown) || !isLike(exchange, unknown)) return "served";
  return statusOf(exchange) === 404 ? "unserved" : "unclear";
};

/** Whether an answer says the same as the answer to an unknown path. It may also suggest a path that is served. */
const isLike = (exchange: Exchange, unknown: Exchange): boolean => {
  const [said, expected] = [sentencesOf(exchange), sentencesOf(unknown)];
  const further = said.filter((sentence) => !expected.includes(sentence));
  return (
    expected.every((sentence) => said.includes(sentence)) &&
    further.every((sentence) => sentence.includes(PATH))
  );
};

/** Stands for a path in a sentence. */
const PATH = "{path}";

/** Returns the sentences and values of an answer without paths, ids and numbers. */
const sentencesOf = ({ request, response }: Exchange): string[] => {
  const [own = ""] = new URL(request.url).pathname.split("/").slice(-1);
  return (response?.body.toString("utf8") ?? "")
    .replaceAll('\\"', "")
    .replaceAll(/\/\w[\w/{}-]*/g, PATH)
    .replaceAll(own, "")
    .replaceAll(/[0-9a-f-]{8,}|\d+/gi, "")
    .split(/[."]/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
};

const judge = (t: T, { state, exchange }: Served): void => {
  if (state === "served") t.pass(BASE, [exchange]);
  if (state !== "unserved") return;
  const { method, url } = exchange.request;
  t.judgeThat(BASE, false, [exchange], {
    message: `${exchange.operationId} is answered like an unknown path`,
    expected: `${method} ${new URL(url).pathname} is served`,
  });
};
