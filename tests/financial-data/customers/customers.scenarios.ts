/** Customers: their two kinds, their records, duplicates, changes, and their application. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsText } from "../../../helpers/flows/delivery.ts";
import { NotTried, valuesIn } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Customers");

const KINDS = [
  { kind: "testing", operationId: "AddTestingCustomer" },
  { kind: "active", operationId: "AddCustomer" },
] as const;

export const customerScenarios = [
  ...KINDS.map(({ kind, operationId }) =>
    scenario(`customers/${kind}`, {
      title: `a customer added by ${operationId} is ${kind} and stays ${kind}`,
      operations: [operationId, "GetCustomer", "ModifyCustomer"],
      requirements: [
        "customers.add.request-body",
        `${operationId}.kind-${kind}`,
        "customer.kind",
        "customer.names-and-username",
        "customers.kind-fixed-at-creation",
        "ModifyCustomer.request-body",
      ],
      async run(t) {
        const names = t.namesFor(kind);
        const keeps = ["customers.add.request-body"];
        const { customerId } = await t.addCustomer(operationId, names, keeps);
        const read = () => t.acceptanceOf({ operationId: "GetCustomer", path: { customerId } });
        const before = await read();
        judgeKind(t, "customer.kind", before, ...KINDS.map((one) => one.kind));
        judgeKind(t, `${operationId}.kind-${kind}`, before, kind);
        judgeNames(t, before, names);
        const { firstName } = t.namesFor(`${kind} changed`);
        const change = { operationId: "ModifyCustomer", path: { customerId }, json: { firstName } };
        await t.acceptanceOf(change, ["ModifyCustomer.request-body"]);
        judgeKind(t, "customers.kind-fixed-at-creation", await read(), kind);
      },
    }),
  ),

  ...KINDS.map(({ kind, operationId }) =>
    scenario(`customers/${kind}-twice`, {
      title: `adding an existing ${kind} customer is a conflict`,
      operations: [operationId],
      requirements: [`${operationId}.409-exists`],
      run: (t) => {
        const fields = t.namesFor("twice");
        return t.tryTwice(`${operationId}.409-exists`, "an existing customer", operationId, { fields });
      },
    }),
  ),

  scenario("customers/disputed-statement", {
    title: "changing a customer with a disputed statement is refused",
    section: "Errors",
    operations: ["ModifyCustomer"],
    requirements: ["errors.403-disputed-statement"],
    async run(t) {
      const need = "a customer with a disputed statement";
      const { customer: customerId = "" } = await t.situation("disputed-statement", need);
      const call = await t.validCall("ModifyCustomer", t.arrange.exclusive());
      const refusal = await t.answerTo({ ...call, path: { ...call.path, customerId } });
      const control = await t.answerTo(call);
      t.judgeRefused("errors.403-disputed-statement", "a disputed statement", [refusal, control], [403]);
    },
  }),
];

/** Judges the kind of a customer. The documents do not name its field, so any string of the record counts. */
const judgeKind = (t: T, requirement: string, exchange: Exchange, ...kinds: readonly string[]): void => {
  const shown = valuesIn(contentOf(exchange)).map((value) => value.toLowerCase());
  const known = shown.filter((value) => KINDS.some(({ kind }) => kind === value));
  const isOne = known.some((value) => kinds.includes(value));
  t.recordIfConfirmed(requirement, isOne, [exchange], {
    confirmed: known.length > 0 || t.isConfirmed(exchange.operationId),
    message: "the customer shows another kind, or none",
    expected: kinds.join(" or "),
    actual: known.join(", ") || "no kind",
  });
};

const judgeNames = (t: T, exchange: Exchange, names: Readonly<Record<string, string>>): void => {
  if (!isAccepted(exchange)) throw new NotTried("answered", "GetCustomer", statusOf(exchange));
  // No document says that names keep their letter case.
  const missing = Object.entries(names).filter(([, value]) => !holdsText(contentOf(exchange), value));
  t.judgeThat("customer.names-and-username", missing.length === 0, [exchange], {
    message: `the record of the customer lacks its ${missing.map(([name]) => name).join(", ")}`,
    expected: "firstName, lastName and username as sent",
    actual: "not in the body",
  });
};
