/** Owner match: what it takes, scores within bounds that tell nearer from farther, and a request that times out. */
import {
  accepted,
  answered,
  bodyFor,
  fieldOf,
  loose,
  type Resources,
  situation,
} from "../../../fixtures/financial-data/calls.ts";
import { conclude, concludeCall, tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { HOLDS, violation } from "../../../helpers/checks/check.ts";
import { type Exchange, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Payments data";
const MATCH = "AccountMatchingScoreDetails";
const OWNER = "GetAccountOwnerDetails";
const BODY = `${MATCH}.request-body`;
const RANGE = `${MATCH}.score-range`;
const CLOSER = `${MATCH}.higher-is-closer`;
const INSIGHTS = `${MATCH}.insights-parameter`;
const TIMEOUT = `${MATCH}.408`;

/** Nobody is called so, or nearly so. */
const NOBODY = { firstName: "Zxqwv", lastName: "Kjyqzwxv" };

export const ownerMatchScenarios: readonly Trial[] = [
  scenario(
    {
      id: "payments-data/match",
      title: "an owner match takes its request and answers with scores from 0 to 100",
      section: SECTION,
      operations: [MATCH],
      requirements: [BODY, RANGE],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings");
      const json = await bodyFor(context, MATCH, resources);
      const exchange = await answered(context, MATCH, resources, { json });
      concludeCall(context, BODY, exchange);
      const scores = scoresIn(exchange);
      if (scores.length === 0) throw new NotTried("the answer shows no scores under a name like nameScores");
      const outside = scores.filter((score) => score < 0 || score > 100);
      const result = violation({
        pointer: "",
        message: "an owner match score lies outside its bounds",
        expected: "0 to 100",
        actual: outside.join(", "),
      });
      context.judge.record(id(RANGE), outside.length === 0 ? HOLDS : result, [exchange]);
    },
  ),

  scenario(
    {
      id: "payments-data/match-closeness",
      title: "the name of the holder scores higher than another name",
      section: SECTION,
      operations: [MATCH, OWNER],
      requirements: [CLOSER],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings");
      const holder = await holderOf(context, resources);
      const near = await accepted(context, MATCH, resources, { json: { name: holder } });
      const far = await accepted(context, MATCH, resources, { json: { name: NOBODY } });
      const [nearer, farther] = [sumOf(scoresIn(near)), sumOf(scoresIn(far))];
      if (scoresIn(near).length === 0)
        throw new NotTried("the answer shows no scores under a name like nameScores");
      const finding = {
        message: "another name scores as high as the name of the holder, or higher",
        expected: `more than ${farther} in all`,
        actual: `${nearer}`,
      };
      const certain = nearer < farther || context.capabilities.has("new-implementation");
      conclude(context, CLOSER, { holds: nearer > farther, certain, finding }, [near, far]);
    },
  ),

  scenario(
    {
      id: "payments-data/match-insights",
      title: "an owner match takes the insights parameter",
      section: SECTION,
      operations: [MATCH],
      requirements: [INSIGHTS],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings");
      for (const value of [true, false]) {
        await tryParameter(context, INSIGHTS, resources, { operationId: MATCH, name: "insights", value });
      }
    },
  ),

  scenario(
    {
      id: "payments-data/match-timeout",
      title: "an owner match that times out is answered with 408",
      section: SECTION,
      operations: [MATCH],
      requirements: [TIMEOUT],
    },
    async (context) => {
      const named = await situation(
        context,
        "silent-institution",
        "an account whose institution does not answer in time",
      );
      const exchange = await answered(context, MATCH, named);
      const status = statusOf(exchange);
      const finding = {
        message: "a timed-out request was not answered with 408",
        expected: "408",
        actual: `${status}`,
      };
      conclude(context, TIMEOUT, { holds: status === 408, certain: true, finding }, [exchange]);
    },
  ),
];

/** All numbers below members whose name ends in score or scores; how risky somebody is is none of them. */
const scoresIn = ({ response }: Exchange): number[] => numbersBelow(response?.json, false);

const numbersBelow = (value: unknown, isScore: boolean): number[] => {
  if (typeof value === "number") return isScore ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    if (/risk|insight|confidence/.test(loose(name))) return [];
    return numbersBelow(child, isScore || /scores?$/.test(loose(name)));
  });
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The holder's name as the institution has it. */
const holderOf = async (context: TrialContext, resources: Resources): Promise<typeof NOBODY> => {
  const exchange = await accepted(context, OWNER, resources);
  const holders = fieldOf(exchange.response?.json, "holders", "owners", "accountHolders");
  const holder = Array.isArray(holders) ? (holders[0] as unknown) : exchange.response?.json;
  const whole = String(fieldOf(holder, "ownerName", "name") ?? "").split(" ");
  const firstName = String(fieldOf(holder, "firstName") ?? whole[0] ?? "");
  const lastName = String(fieldOf(holder, "lastName") ?? whole.at(-1) ?? "");
  if (firstName === "" || lastName === "") throw new NotTried(`${OWNER} shows no name of a holder`);
  return { firstName, lastName };
};
