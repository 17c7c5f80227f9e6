/** The payment enablement bundle: its parameters, and the four parts that it returns. */
import { takesParameter } from "../../../fixtures/financial-data/account-parameters.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, fieldOf, type Resources } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Payments data");
const BUNDLES = ["GetAccountDetailsByInstitutionLoginId", "GetAccountDetailsByAccountId"];
const PARTS = ["accountDetails", "paymentInstruction", "accountIdentity", "balanceDetails"];
const ANY = "paymentEnablementBundle.parts";
const SETUP = "paymentEnablementBundle.parts-by-initial-setup";

export const paymentEnablementScenarios = [
  ...[
    { name: "include", requirement: "paymentEnablementBundle.include-query" },
    { name: "balance_cache_interval", requirement: "paymentEnablementBundle.balance-cache-interval-query" },
  ].map(({ name, requirement }) =>
    takesParameter(scenario, `payments-data/bundle-${name}`, {
      title: `the bundle operations accept ${name}`,
      operations: BUNDLES,
      requirement,
      name,
    }),
  ),

  scenario("payments-data/bundle-parts", {
    title: "a bundle returns the parts of the initial setup",
    operations: BUNDLES,
    requirements: [ANY, SETUP],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings");
      for (const operationId of BUNDLES) {
        const first = await t.accepted(operationId, resources);
        const parts = partsOf(t, first, resources);
        t.recordIfConfirmed(ANY, parts.length > 0, [first], {
          confirmed: t.isConfirmed(operationId),
          message: "the bundle has none of its parts",
          expected: `any of ${PARTS.join(", ")}`,
          actual: "none",
        });
        const again = await t.accepted(operationId, resources);
        const others = partsOf(t, again, resources);
        const isSame = parts.join() === others.join();
        t.recordIfConfirmed(SETUP, isSame, [again, first], {
          // A part may also be missing because an institution failed once.
          confirmed: isSame || t.isConfirmed() || (await goesOnChanging(t, operationId, resources)),
          message: "two calls of one partner with the same setup return different parts",
          expected: parts.join(", "),
          actual: others.join(", "),
        });
      }
    },
  }),
];

/** Whether each of two more calls returns other parts than the call before it. */
const goesOnChanging = async (t: T, operationId: string, resources: Resources): Promise<boolean> => {
  const seen: string[] = [];
  for (let call = 0; call < 3; call += 1)
    seen.push(partsOf(t, await t.accepted(operationId, resources), resources).join());
  return seen[0] !== seen[1] && seen[1] !== seen[2];
};

/** Returns the names of the account's parts, as in the contract. */
const partsOf = (t: T, exchange: Exchange, { account }: Resources): string[] => {
  const items = t.itemsIn(exchange);
  const item = items.find((one) => String(fieldOf(one, "id", "accountId")) === account) ?? items[0];
  return PARTS.filter((part) => fieldOf(item, part) !== undefined);
};
