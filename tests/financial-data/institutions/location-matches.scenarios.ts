/** Location matches: merchants found by an id, or by their name and address. */

import { answerTo, judgeThat, operationOf, parameterValue } from "../../../fixtures/financial-data/asking.ts";
import { itemsOf } from "../../../fixtures/financial-data/calls.ts";
import { conclude } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const MATCHES = "GetLocationMatches";
const MOST = 3;
/** How many merchants are asked for, so that one of them has many locations. */
const MERCHANTS = 6;

export const locationMatchScenarios: readonly Trial[] = [
  scenario(
    {
      id: "location-matches/found",
      title: "locations are found by id, or by name and address, and at most the three best are told",
      section: "Institutions",
      operations: [MATCHES],
      requirements: [
        "GetLocationMatches.by-id",
        "GetLocationMatches.by-name-and-address",
        "GetLocationMatches.max-3",
      ],
    },
    async (context) => {
      const [byId = [], byName = []] = operationOf(context, MATCHES).parameterSets;
      await tryNames(context, "GetLocationMatches.by-id", byId);
      await tryNames(context, "GetLocationMatches.by-name-and-address", byName);
    },
  ),
];

/** What is sought has to be known to the service, so that a refusal alone proves nothing where the values are ours. */
const tryNames = async (
  context: TrialContext,
  requirement: string,
  names: readonly string[],
): Promise<void> => {
  const asked: Exchange[] = [];
  for (let merchant = 0; merchant < MERCHANTS; merchant++) {
    const query: Record<string, string> = {};
    for (const name of names)
      query[name] = await parameterValue({ ...context, seed: context.seed + merchant }, MATCHES, name);
    asked.push(await answerTo(context, { operationId: MATCHES, query }));
  }
  const found = asked.find(isAccepted);
  const refused = asked[0] as Exchange;
  conclude(
    context,
    requirement,
    {
      holds: found !== undefined,
      certain: context.capabilities.has("new-implementation") || asked.some((one) => statusOf(one) >= 500),
      finding: {
        message: `${names.join(", ")} were refused`,
        expected: "a list of locations",
        actual: `${statusOf(refused)}`,
      },
    },
    [found ?? refused],
  );
  for (const exchange of asked.filter(isAccepted)) judgeCount(context, exchange);
};

const judgeCount = (context: TrialContext, exchange: Exchange): void => {
  const count = itemsOf(context, exchange)?.length;
  if (count === undefined) {
    const reason = `${MATCHES} shows no list: bind it in BINDINGS to where it stands`;
    context.judge.notTried(id("GetLocationMatches.max-3"), reason);
    return;
  }
  judgeThat(context, "GetLocationMatches.max-3", count <= MOST, [exchange], {
    message: "more locations than the three best are told",
    expected: `at most ${MOST}`,
    actual: `${count}`,
  });
};
