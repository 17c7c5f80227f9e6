/** Rules of the whole interface: JSON bodies, the meaning of statuses, and versions in paths. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { mayHaveEnded } from "../../../helpers/contract/lookups.ts";
import { groupBy } from "../../../helpers/contract/memoize.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried, TargetLost } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Errors");
const SEGMENT = "version.segment-per-operation";

/** One operation whose body has required fields, and one whose body may be empty. */
const POSTS = ["GenerateConnectUrl", "post-configurations"];

export const generalScenarios = [
  scenario("general/json", {
    title: "request and response bodies are JSON",
    section: "Endpoints",
    operations: ["CreateToken", "GetInstitutions"],
    requirements: ["bodies.json"],
    async run(t) {
      const { exchange } = await t.signIn();
      const isEmpty = isAccepted(exchange) && contentOf(exchange) === undefined;
      if (!isEmpty && (isAccepted(exchange) || t.target.embedded)) {
        t.judgeThat("bodies.json", isAccepted(exchange), [exchange], {
          message: "a JSON body was refused",
          expected: "accepted",
        });
      }
      // The response body is judged with every exchange.
      await t.answered("GetInstitutions");
    },
  }),

  scenario("general/bad-request", {
    title: "a body that is not JSON is a bad request",
    operations: POSTS,
    requirements: ["errors.400-bad-request"],
    async run(t) {
      for (const operationId of POSTS) {
        const { json, ...call } = await t.validCall(operationId);
        const text = JSON.stringify(json);
        const control = await t.answerTo({ ...call, json });
        for (const body of [text.slice(0, -1), `${text}}`]) {
          const raw = { body, contentType: "application/json" };
          const refusal = await t.answerTo({ ...call, raw });
          t.judgeRefused("errors.400-bad-request", "a body that is not JSON", [refusal, control], [400]);
        }
      }
    },
  }),

  scenario("general/versions", {
    title: "each operation is served at the version in its path",
    section: "Versioning",
    operations: [],
    requirements: [SEGMENT],
    async run(t) {
      for (const operations of readsOfEachVersion(t)) {
        const [served, unserved] = await firstServed(t, operations);
        if (served !== undefined) t.pass(SEGMENT, [served]);
        else if (unserved !== undefined) {
          t.judgeThat(SEGMENT, false, [unserved], {
            message: `${unserved.operationId} is not served at the version in its path`,
            expected: "served there",
          });
        }
      }
      t.leaveRestUntried(SEGMENT, "not-shown", "no operation with a version in its path could be called");
    },
  }),
];

/** Returns the read operations of each version. */
const readsOfEachVersion = ({ contract }: T): readonly (readonly Operation[])[] => {
  const reads = contract.operations.filter(
    ({ method, hazards, sunset, legacy, beta, internal, responses }) =>
      method === "GET" &&
      hazards.length === 0 &&
      !mayHaveEnded(sunset) &&
      !legacy &&
      !beta &&
      !internal &&
      responses["200"] !== undefined,
  );
  const placed = groupBy(reads, ({ path }) => /^\/[a-z-]+\/v\d+\//.exec(path)?.[0]);
  return [...placed].flatMap(([place, operations]) => (place === undefined ? [] : [operations]));
};

/** The number of reads that are tried to see whether a version is served. */
const MOST_READS = 3;

/** Calls reads of one version until one is answered as only a served path is. @returns it, or else one that is not served */
const firstServed = async (
  t: T,
  operations: readonly Operation[],
): Promise<readonly [served?: Exchange | undefined, unserved?: Exchange]> => {
  let unserved: Exchange | undefined;
  let isDoubtful = false;
  for (const { operationId } of operations.slice(0, MOST_READS)) {
    const exchange = await attempted(t, operationId);
    if (exchange === undefined) continue;
    if (statusOf(exchange) !== 404) return [exchange];
    if (await t.isUnserved(exchange)) unserved ??= exchange;
    else isDoubtful = true;
  }
  return isDoubtful || unserved === undefined ? [] : [undefined, unserved];
};

/** Calls an operation. Returns `undefined` if the call can't be arranged, so that the other versions are still tried. */
const attempted = async (t: T, operationId: string): Promise<Exchange | undefined> => {
  try {
    return await t.answered(operationId);
  } catch (error) {
    if (error instanceof NotTried || error instanceof TargetLost) return undefined;
    throw error;
  }
};
