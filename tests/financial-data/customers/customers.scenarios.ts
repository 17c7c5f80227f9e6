/** Customers: their two kinds, what a record holds, adding one twice, changing one, and the application of one. */

import {
  answerTo,
  identifierIn,
  inSituation,
  judgeRefused,
  judgeThat,
  namesAreCertain,
  taken,
  validCall,
  valuesIn,
  withFields,
} from "../../../fixtures/financial-data/asking.ts";
import { namesFor } from "../../../fixtures/financial-data/customer-names.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Customers";

const KINDS = [
  { kind: "testing", operationId: "AddTestingCustomer", resource: "customer" },
  { kind: "active", operationId: "AddCustomer", resource: "active-customer" },
] as const;

export const customerScenarios: readonly Trial[] = [
  ...KINDS.map(({ kind, operationId, resource }) =>
    scenario(
      {
        id: `customers/${kind}`,
        title: `a customer added by ${operationId} is ${kind}, and stays so`,
        section: SECTION,
        operations: [operationId, "GetCustomer", "ModifyCustomer"],
        requirements: [
          "customers.add.request-body",
          `${operationId}.kind-${kind}`,
          "customer.kind",
          "customer.names-and-username",
          "customers.kind-fixed-at-creation",
          "ModifyCustomer.request-body",
        ],
      },
      async (context) => {
        const names = namesFor(context, kind);
        const call = withFields(await newCustomer(context, operationId), names);
        const added = await taken(context, call, ["customers.add.request-body"]);
        const path = { customerId: identifierIn(context, added, resource) };
        const read = await taken(context, { operationId: "GetCustomer", path });
        judgeKind(
          context,
          ["customer.kind"],
          read,
          KINDS.map((one) => one.kind),
        );
        judgeKind(context, [`${operationId}.kind-${kind}`], read, [kind]);
        judgeNames(context, read, names);
        const { firstName } = namesFor(context, `${kind} changed`);
        await taken(context, { operationId: "ModifyCustomer", path, json: { firstName } }, [
          "ModifyCustomer.request-body",
        ]);
        const changed = await taken(context, { operationId: "GetCustomer", path });
        judgeKind(context, ["customers.kind-fixed-at-creation"], changed, [kind]);
      },
    ),
  ),

  ...KINDS.map(({ kind, operationId }) =>
    scenario(
      {
        id: `customers/${kind}-twice`,
        title: `adding a ${kind} customer that exists is a conflict`,
        section: SECTION,
        operations: [operationId],
        requirements: [`${operationId}.409-exists`],
      },
      async (context) => {
        const call = withFields(await newCustomer(context, operationId), namesFor(context, "twice"));
        const first = await taken(context, call);
        const second = await answerTo(context, call);
        judgeRefused(context, `${operationId}.409-exists`, "a customer that exists", [second, first], [409]);
      },
    ),
  ),

  scenario(
    {
      id: "customers/application",
      title: "a customer may have an application",
      section: SECTION,
      operations: ["SetCustomerAppID", "GetCustomerWithAppData"],
      requirements: ["customer.may-have-application"],
    },
    async (context) => {
      const assign = await validCall(context, "SetCustomerAppID", context.arrange.apart());
      const assigned = await taken(context, assign);
      const path = { customerId: assign.path?.customerId ?? "" };
      const read = await taken(context, { operationId: "GetCustomerWithAppData", path });
      judgeThat(
        context,
        "customer.may-have-application",
        holdsValue(read.response?.json, assign.path?.applicationId ?? ""),
        [read, assigned],
        {
          message: "the application that was assigned to the customer is not shown with it",
          expected: "the id of the application",
          actual: "not in the body",
        },
      );
    },
  ),

  scenario(
    {
      id: "customers/disputed-statement",
      title: "a customer with a disputed statement is not changed",
      section: "Errors",
      operations: ["ModifyCustomer"],
      requirements: ["errors.403-disputed-statement"],
    },
    async (context) => {
      const values = await inSituation(context, "disputed-statement", "a customer with a disputed statement");
      const customerId = values.FINANCIAL_DATA_CUSTOMER_ID ?? "";
      const call = await validCall(context, "ModifyCustomer", context.arrange.apart());
      const refusal = await answerTo(context, { ...call, path: { ...call.path, customerId } });
      const twin = await answerTo(context, call);
      judgeRefused(context, "errors.403-disputed-statement", "a disputed statement", [refusal, twin], [403]);
    },
  ),
];

const newCustomer = (context: TrialContext, operationId: string): Promise<Call> =>
  validCall(context, operationId, context.arrange.apart());

/** Which field carries the kind is not shown: where none is bound, it may be any text of the record. */
const judgeKind = (
  context: TrialContext,
  requirements: readonly string[],
  exchange: Exchange,
  kinds: readonly string[],
): void => {
  const shown = valuesIn(exchange.response?.json).map((value) => value.toLowerCase());
  const known = shown.filter((value) => KINDS.some(({ kind }) => kind === value));
  for (const requirement of requirements) {
    if (known.length === 0 && !namesAreCertain(context, exchange.operationId)) {
      context.judge.notTried(
        id(requirement),
        "no field of the customer says testing or active: which one tells its kind is not shown",
      );
      continue;
    }
    judgeThat(
      context,
      requirement,
      known.some((value) => kinds.includes(value)),
      [exchange],
      {
        message: "the customer is of another kind",
        expected: kinds.join(" or "),
        actual: known.join(", ") || "no kind",
      },
    );
  }
};

const judgeNames = (
  context: TrialContext,
  exchange: Exchange,
  names: Readonly<Record<string, string>>,
): void => {
  if (!isAccepted(exchange)) throw new NotTried(`GetCustomer answered ${statusOf(exchange)}`);
  const missing = Object.entries(names).filter(([, value]) => !holdsValue(exchange.response?.json, value));
  judgeThat(context, "customer.names-and-username", missing.length === 0, [exchange], {
    message: `the record of the customer lacks its ${missing.map(([name]) => name).join(", ")}`,
    expected: "firstName, lastName and username as they were given",
    actual: "not in the body",
  });
};
