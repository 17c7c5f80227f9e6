/** Location matches: merchants found by an id, or by their name and address. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf, unbound } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Institutions");

const MATCHES = "GetLocationMatches";
const BY_ID = `${MATCHES}.by-id`;
const BY_NAME = `${MATCHES}.by-name-and-address`;
const THREE = `${MATCHES}.max-3`;
const MOST = 3;
/** The number of merchants in the lookups. It is large enough that one of them probably has many locations. */
const MERCHANTS = 6;

export const locationMatchScenarios = [
  scenario("location-matches/found", {
    title: "locations are found by id or by name and address, with at most three matches",
    operations: [MATCHES],
    requirements: [BY_ID, BY_NAME, THREE],
    async run(t) {
      const [byId = [], byName = []] = t.operationOf(MATCHES).parameterSets;
      await tryNames(t, BY_ID, byId);
      await tryNames(t, BY_NAME, byName);
    },
  }),
];

/** Judges lookups by these parameters. The values are generated, so a refusal proves nothing by itself. */
const tryNames = async (t: T, requirement: string, names: readonly string[]): Promise<void> => {
  const asked: Exchange[] = [];
  for (let merchant = 0; merchant < MERCHANTS; merchant++) {
    const drawn = { ...t, seed: t.seed + merchant };
    const query = Object.fromEntries(names.map((name) => [name, drawn.parameterValue(MATCHES, name)]));
    asked.push(await t.answerTo({ operationId: MATCHES, query }));
  }
  const found = asked.find(isAccepted);
  const refused = asked[0] as Exchange;
  t.recordIfConfirmed(requirement, found !== undefined, [found ?? refused], {
    confirmed: t.isConfirmed() || asked.some((one) => statusOf(one) >= 500),
    message: `${names.join(", ")} were refused`,
    expected: "a list of locations",
    actual: `${statusOf(refused)}`,
  });
  for (const exchange of asked.filter(isAccepted)) judgeCount(t, exchange);
};

const judgeCount = (t: T, exchange: Exchange): void => {
  const count = t.itemsOf(exchange)?.length;
  if (count === undefined) t.leaveUntried(THREE, unbound(MATCHES, "list").reason);
  else {
    t.judgeThat(THREE, count <= MOST, [exchange], {
      message: "more than three locations are returned",
      expected: `at most ${MOST}`,
      actual: `${count}`,
    });
  }
};
