/** The payment enablement bundle: what it takes, and which of its four parts it returns. */
import {
  accepted,
  fieldOf,
  itemsIn,
  namesAreCertain,
  type Resources,
} from "../../../fixtures/financial-data/calls.ts";
import { conclude, tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { accountOfType } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Payments data";
const BUNDLES = ["GetAccountDetailsByInstitutionLoginId", "GetAccountDetailsByAccountId"];
const PARTS = ["accountDetails", "paymentInstruction", "accountIdentity", "balanceDetails"];
const ANY = "paymentEnablementBundle.parts";
const SETUP = "paymentEnablementBundle.parts-by-initial-setup";

export const paymentEnablementScenarios: readonly Trial[] = [
  ...[
    { name: "include", suffix: "paymentEnablementBundle.include-query" },
    { name: "balance_cache_interval", suffix: "paymentEnablementBundle.balance-cache-interval-query" },
  ].map(({ name, suffix }) =>
    scenario(
      {
        id: `payments-data/bundle-${name}`,
        title: `the bundle operations take ${name}`,
        section: SECTION,
        operations: BUNDLES,
        requirements: [suffix],
      },
      async (context) => {
        const { resources } = await accountOfType(context, "checking", "savings");
        for (const operationId of BUNDLES)
          await tryParameter(context, suffix, resources, { operationId, name });
      },
    ),
  ),

  scenario(
    {
      id: "payments-data/bundle-parts",
      title: "a bundle returns any or all of its parts, always those of the initial setup",
      section: SECTION,
      operations: BUNDLES,
      requirements: [ANY, SETUP],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings");
      for (const operationId of BUNDLES) {
        const first = await accepted(context, operationId, resources);
        const parts = partsOf(context, first, resources);
        const finding = {
          message: "the bundle holds none of its parts",
          expected: `any of ${PARTS.join(", ")}`,
          actual: "none",
        };
        const certain = namesAreCertain(context, operationId);
        conclude(context, ANY, { holds: parts.length > 0, certain, finding }, [first]);
        const again = await accepted(context, operationId, resources);
        const others = partsOf(context, again, resources);
        const changing = {
          message: "two calls of one partner, set up once, return different parts",
          expected: parts.join(", "),
          actual: others.join(", "),
        };
        // An institution that fails for once leaves a part out, too.
        const isOurs = context.capabilities.has("new-implementation");
        const holds = parts.join() === others.join();
        conclude(context, SETUP, { holds, certain: isOurs, finding: changing }, [again, first]);
      }
    },
  ),
];

/** The parts of the account, under the names of the contract. */
const partsOf = (context: TrialContext, exchange: Exchange, { account }: Resources): string[] => {
  const items = itemsIn(context, exchange);
  const item = items.find((one) => String(fieldOf(one, "id", "accountId")) === account) ?? items[0];
  return PARTS.filter((part) => fieldOf(item, part) !== undefined);
};
