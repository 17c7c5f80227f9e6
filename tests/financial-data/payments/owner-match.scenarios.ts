/** Owner match: its request, the bounds and order of its scores, and a request that times out. */
import { takesParameter } from "../../../fixtures/financial-data/account-parameters.ts";
import { checkScores, scoresIn } from "../../../fixtures/financial-data/answers.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, statusOf } from "../../../helpers/exchange/exchange.ts";
import { because, fieldOf, NotTried, type Resources } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Payments data");
const MATCH = "AccountMatchingScoreDetails";
const OWNER = "GetAccountOwnerDetails";
const BODY = `${MATCH}.request-body`;
const RANGE = `${MATCH}.score-range`;
const CLOSER = `${MATCH}.higher-is-closer`;
const TIMEOUT = `${MATCH}.408`;

/** A name that no account holder has. */
const NOBODY = { firstName: "Zxqwv", lastName: "Kjyqzwxv" };

export const ownerMatchScenarios = [
  scenario("payments-data/match", {
    title: "an owner match accepts its request and answers with scores from 0 to 100",
    operations: [MATCH],
    requirements: [BODY, RANGE],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings");
      const json = await t.bodyFor(MATCH, resources);
      const exchange = await t.answered(MATCH, resources, { json });
      t.judgeAcceptedCall(BODY, `a valid call of ${MATCH}`, exchange);
      const result = checkScores(exchange);
      if (result === undefined) throw new NotTried(NO_SCORES);
      t.record(RANGE, result, [exchange]);
    },
  }),

  scenario("payments-data/match-closeness", {
    title: "the name of the holder scores higher than another name",
    operations: [MATCH, OWNER],
    requirements: [CLOSER],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings");
      const holder = await holderOf(t, resources);
      const near = await t.accepted(MATCH, resources, { json: { name: holder } });
      const far = await t.accepted(MATCH, resources, { json: { name: NOBODY } });
      const [nearer, farther] = [sumOf(shownScores(near)), sumOf(scoresIn(contentOf(far)))];
      t.recordIfConfirmed(CLOSER, nearer > farther, [near, far], {
        confirmed: nearer < farther || t.isConfirmed(),
        message: "another name scores as high as the name of the holder, or higher",
        expected: `more than ${farther} in all`,
        actual: `${nearer}`,
      });
    },
  }),

  takesParameter(scenario, "payments-data/match-insights", {
    title: "an owner match accepts the insights parameter",
    operations: [MATCH],
    requirement: `${MATCH}.insights-parameter`,
    name: "insights",
    values: [true, false],
  }),

  scenario("payments-data/match-timeout", {
    title: "an owner match that times out is answered with 408",
    operations: [MATCH],
    requirements: [TIMEOUT],
    async run(t) {
      const need = "an account whose institution does not answer in time";
      const exchange = await t.answered(MATCH, await t.situation("silent-institution", need));
      if (statusOf(exchange) === 404)
        throw new NotTried("not-arranged", "the internal operation is not offered");
      t.judgeThat(TIMEOUT, statusOf(exchange) === 408, [exchange], {
        message: "a timed-out request was not answered with 408",
        expected: "408",
      });
    },
  }),
];

/** @throws NotTried when there are no scores */
const shownScores = (exchange: Exchange): number[] => {
  const scores = scoresIn(contentOf(exchange));
  if (scores.length === 0) throw new NotTried(NO_SCORES);
  return scores;
};

const NO_SCORES = because("name-assumed", "the answer shows no scores under a name like nameScores");

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Reads the holder's name at the institution. */
const holderOf = async (t: T, resources: Resources): Promise<typeof NOBODY> => {
  const exchange = await t.accepted(OWNER, resources);
  const holders = fieldOf(contentOf(exchange), "holders", "owners", "accountHolders");
  const holder = Array.isArray(holders) ? (holders[0] as unknown) : contentOf(exchange);
  const whole = String(fieldOf(holder, "ownerName", "name") ?? "").split(" ");
  const firstName = String(fieldOf(holder, "firstName") ?? whole[0] ?? "");
  const lastName = String(fieldOf(holder, "lastName") ?? whole.at(-1) ?? "");
  if (firstName === "" || lastName === "")
    throw new NotTried("part-not-shown", `${OWNER} shows no name of a holder`);
  return { firstName, lastName };
};
