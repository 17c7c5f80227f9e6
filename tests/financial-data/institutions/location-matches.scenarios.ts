/** Location matches: merchants found by an id, or by their name and address. */

import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { answerTo } from "../../../helpers/trials/kit/asking.ts";
import { parameterValue } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed, operationOf } from "../../../helpers/trials/kit/names.ts";
import { itemsOf, unbound } from "../../../helpers/trials/kit/reading.ts";
import { judgeThat, leaveUntried, recordIfConfirmed } from "../../../helpers/trials/kit/verdicts.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Institutions");

const MATCHES = "GetLocationMatches";
const BY_ID = `${MATCHES}.by-id`;
const BY_NAME = `${MATCHES}.by-name-and-address`;
const THREE = `${MATCHES}.max-3`;
const MOST = 3;
/** The number of merchants in the lookups. It is large enough that one of them probably has many locations. */
const MERCHANTS = 6;

export const locationMatchScenarios: readonly Trial[] = [
  scenario({
    id: "location-matches/found",
    title: "locations are found by id or by name and address, with at most three matches",
    operations: [MATCHES],
    requirements: [BY_ID, BY_NAME, THREE],
    async run(context) {
      const [byId = [], byName = []] = operationOf(context, MATCHES).parameterSets;
      await tryNames(context, BY_ID, byId);
      await tryNames(context, BY_NAME, byName);
    },
  }),
];

/** Judges lookups by these parameters. The values are generated, so a refusal proves nothing by itself. */
const tryNames = async (
  context: TrialContext,
  requirement: string,
  names: readonly string[],
): Promise<void> => {
  const asked: Exchange[] = [];
  for (let merchant = 0; merchant < MERCHANTS; merchant++) {
    const drawn = { ...context, seed: context.seed + merchant };
    const query = Object.fromEntries(names.map((name) => [name, parameterValue(drawn, MATCHES, name)]));
    asked.push(await answerTo(context, { operationId: MATCHES, query }));
  }
  const found = asked.find(isAccepted);
  const refused = asked[0] as Exchange;
  recordIfConfirmed(context, requirement, found !== undefined, [found ?? refused], {
    confirmed: isConfirmed(context) || asked.some((one) => statusOf(one) >= 500),
    message: `${names.join(", ")} were refused`,
    expected: "a list of locations",
    actual: `${statusOf(refused)}`,
  });
  for (const exchange of asked.filter(isAccepted)) judgeCount(context, exchange);
};

const judgeCount = (context: TrialContext, exchange: Exchange): void => {
  const count = itemsOf(context, exchange)?.length;
  if (count === undefined) leaveUntried(context, THREE, unbound(MATCHES, "list").message);
  else {
    judgeThat(context, THREE, count <= MOST, [exchange], {
      message: "more than three locations are returned",
      expected: `at most ${MOST}`,
      actual: `${count}`,
    });
  }
};
