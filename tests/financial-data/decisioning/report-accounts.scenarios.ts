/**
 * The accounts that a report needs: at least one account of an eligible type. Without one, the generation is refused.
 */
import { plainType } from "../../../fixtures/financial-data/linked-accounts.ts";
import { GENERATION_SECTION } from "../../../fixtures/financial-data/reporting.ts";
import { FIRST_OR_THIRD_PARTY } from "../../../fixtures/financial-data/reports.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import { type Exchange, isAccepted, NotTried, type Resources } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn(GENERATION_SECTION);

const NONE_ELIGIBLE = "reports.no-eligible-account-400";
const HISTORY = "GeneratePaymentHistoryReport";
const FORESIGHT = ["GenerateForesightAnalyticsNonCraReport", FIRST_OR_THIRD_PARTY];
const LIST = "GetCustomerAccounts";
const BARE = "bare-customer";
const PARTIES = { consumer: true, business: true };
/** Account types. For each report, at least one of them is not eligible. */
const OTHERS = ["mortgage", "creditCard"];

/** Operations that are documented to answer 400 when no account is eligible. */
const ELIGIBLE: readonly { readonly operations: readonly string[]; readonly requirement: string }[] = [
  {
    operations: [
      "GenerateVOAReport",
      "GenerateVOAWithIncomeReport",
      "GeneratePrequalificationCRAReport",
      "GeneratePrequalificationNonCRAReport",
      "GenerateVOIReport",
    ],
    requirement: NONE_ELIGIBLE,
  },
  {
    operations: ["GenerateBalanceAnalyticsReport", "GenerateCashflowAnalyticsReport", HISTORY],
    requirement: "analytics.no-eligible-account-400",
  },
];

const TYPED: readonly (readonly [operationId: string, requirement: string])[] = [
  ["GenerateVOAReport", "GenerateVOAReport.account-types"],
  ["GenerateVOIReport", "GenerateVOIReport.account-types"],
  ...FORESIGHT.map((operationId) => [operationId, "foresightAnalytics.account-types"] as const),
  ...(ELIGIBLE[1]?.operations ?? []).map(
    (operationId) => [operationId, "analytics.no-eligible-account-400"] as const,
  ),
];

export const reportAccountScenarios = [
  scenario("reports/no-eligible-account", {
    title: "reports for a customer without an eligible account are answered with 400",
    operations: ELIGIBLE.flatMap(({ operations }) => operations),
    requirements: ELIGIBLE.map(({ requirement }) => requirement),
    async run(t) {
      const own = { ...t, arrange: t.arrange.exclusive() };
      const bare = (await t.situationIfOffered(BARE, { accounts: [], ...PARTIES })) ?? (await onlyWith(own));
      for (const { operations, requirement } of ELIGIBLE) {
        for (const operationId of operations) {
          const probe = await own.generationOf({ operationId }, bare);
          const list = () => t.answered("GetCustomerAccounts", { customer: bare.customer ?? "" });
          const hasAccounts = (exchange: Exchange): boolean =>
            isAccepted(exchange) && t.itemsIn(exchange).length > 0;
          if (!(await own.isStillAbsent(probe, list, hasAccounts)))
            throw new NotTried("lacks", "a new customer whose accounts do not come late");
          const control = await t.generationOf({ operationId });
          // A server may treat a customer without accounts as an unknown account.
          t.judgeRefused(requirement, "a customer without accounts", [probe, control], [400, 404]);
        }
      }
    },
  }),

  scenario("reports/account-types", {
    title: "one account of an eligible type is enough, and an account of another type is not",
    operations: TYPED.map(([operationId]) => operationId),
    requirements: [...new Set(TYPED.map(([, requirement]) => requirement)), NONE_ELIGIBLE],
    async run(t) {
      const customers: Customers = new Map();
      for (const [operationId, requirement] of TYPED) {
        const { account: accountTypes = [] } = t.operationOf(operationId).kinds;
        const other = OTHERS.find((type) => !accountTypes.includes(type)) ?? "loan";
        const [probe, resources] = await ofType(t, customers, operationId, other);
        for (const type of accountTypes) {
          const [taken] = await ofType(t, customers, operationId, type);
          if (!requirement.startsWith("analytics"))
            t.judgeAcceptedCall(requirement, `${operationId} for an account of the type ${type}`, taken);
          const what = `a customer who has only an account of the type ${other}`;
          const pair = [probe, taken] as const;
          if (!FORESIGHT.includes(operationId)) t.judgeRefused(requirement, what, pair, [400]);
          else await t.judgeRefusedSomehow(requirement, what, pair, resources);
          if (operationId.startsWith("GenerateVO"))
            t.judgeRefused(NONE_ELIGIBLE, what, [probe, taken], [400]);
        }
      }
    },
  }),
];

/**
 * Returns a new customer with only one account of a type, or without accounts. The other accounts are deleted.
 * @throws NotTried when a new customer has no account of the type, or deleting is not allowed
 */
const onlyWith = async (t: T, type?: string): Promise<Resources> => {
  const customer = await t.arrange.need("customer");
  const list = () => t.accepted(LIST, { customer });
  const accounts = t.accountsIn(await list(), customer);
  const wanted = type === undefined ? undefined : accounts.find((one) => one.type === plainType(type));
  if (wanted === undefined && type !== undefined) {
    throw new NotTried(
      "lacks-situation",
      `a customer with only a ${type} account (${LIST} lists none)`,
      BARE,
    );
  }
  const others = accounts.filter((account) => account !== wanted);
  for (const { resources } of others) await t.accepted("DeleteCustomerAccount", resources);
  const left = accounts.length - others.length;
  if (others.length > 0) await t.readUntil(list, (exchange) => t.itemsIn(exchange).length === left);
  return { customer };
};

/** Customers with only one account, by its type. Their consumers and businesses belong to the same arranger. */
type Customers = Map<string, Promise<{ readonly arrange: Arranger; readonly resources: Resources }>>;

const ofType = async (t: T, customers: Customers, operationId: string, type: string) => {
  const given = await t.situationIfOffered(BARE, { accounts: [type], ...PARTIES });
  if (given !== undefined) {
    const all = { ...given, consumer: "its own", business: "its own" };
    return [await t.generationOf({ operationId }, all), all] as const;
  }
  const { arrange, resources } = await getOrInsert(customers, type, async () => {
    const own = t.arrange.exclusive();
    return { arrange: own, resources: await onlyWith({ ...t, arrange: own }, type) };
  });
  const own = { ...t, arrange };
  return [await own.generationOf({ operationId }, resources), resources] as const;
};
