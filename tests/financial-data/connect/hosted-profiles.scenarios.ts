/** The institutions that the hosted flow offers to testing and active customers; tested on our own sandbox only. */
import type { AddCustomer } from "../../../fixtures/financial-data/customers.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";

const scenario = scenariosIn("Customers");

/** The words in the sandbox's names of profiles. */
const TEST = /\bTest\b/;
const BILLABLE = /\bBillable\b/;

export const hostedProfileScenarios = [
  scenario("hosted/profiles-for-testing", {
    title: "testing customers are offered only the non-billable test profiles",
    operations: ["GenerateConnectUrl", "GetInstitutions"],
    requirements: ["customers.testing.non-billable-profiles", "customers.testing.no-live-institutions"],
    async run(t) {
      const { offered, exchange } = await offeredTo(t, "AddTestingCustomer");
      const free = (await namesOfAll(t)).filter((name) => TEST.test(name) && !BILLABLE.test(name));
      const missing = free.filter((name) => !offered.includes(name));
      const billable = offered.filter((name) => BILLABLE.test(name));
      const holds = missing.length + billable.length === 0;
      t.judgeThat("customers.testing.non-billable-profiles", holds, [exchange], {
        message: "a testing customer is not offered exactly the non-billable test profiles",
        expected: free.join(", "),
        actual: offered.filter((name) => TEST.test(name)).join(", "),
      });
      const live = offered.filter((name) => !TEST.test(name));
      t.judgeThat("customers.testing.no-live-institutions", live.length === 0, [exchange], {
        message: "a testing customer is offered live institutions",
        expected: "only test profiles",
        actual: live.slice(0, 3).join(", "),
      });
    },
  }),

  scenario("hosted/profiles-for-active", {
    title: "active customers are offered the billable test profiles",
    operations: ["GenerateConnectUrl", "GetInstitutions"],
    requirements: ["customers.active.billable-profiles"],
    async run(t) {
      const { offered, exchange } = await offeredTo(t, "AddCustomer");
      const billable = (await namesOfAll(t)).filter((name) => BILLABLE.test(name));
      const missing = billable.filter((name) => !offered.includes(name));
      t.judgeThat("customers.active.billable-profiles", missing.length === 0, [exchange], {
        message: "an active customer is not offered every billable test profile",
        expected: billable.join(", "),
        actual: `all but ${missing.join(", ")}`,
      });
    },
  }),
];

const offeredTo = async (
  t: T,
  operationId: AddCustomer,
): Promise<{ readonly offered: readonly string[]; readonly exchange: Exchange }> => {
  const { customerId: customer } = await t.addCustomer(operationId);
  const exchange = await t.accepted("GenerateConnectUrl", { customer });
  const { inputs } = await t.openPage(t.addressIn(exchange));
  return { offered: inputs.filter(({ type }) => type === "radio").map(({ label }) => label), exchange };
};

const namesOfAll = async (t: T): Promise<string[]> => {
  const { items } = await t.walk({ operationId: "GetInstitutions" });
  return items.map((item) => String((item as { name?: unknown }).name ?? ""));
};
