/** App registration: applications, their lists, and the customers that use them. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { fieldOf, forSession, NotTried, shared, valuesIn } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("App registration and third-party access");
const STATUS = "GetAppRegistrationStatus";
const READ = "GetCustomerWithAppData";
const ASSIGNED = ["SetCustomerAppID.assigns-application", "customer.may-have-application"];

export const appScenarios = [
  scenario("apps/registration", {
    title: "an application is registered, and its registration is changed",
    operations: ["RegisterApp", "ModifyAppRegistration"],
    requirements: ["appRegistration.request-body"],
    async run(t) {
      const own = t.arrange.exclusive();
      for (const operationId of ["RegisterApp", "ModifyAppRegistration"])
        await t.accepted(operationId, own, { keeps: ["appRegistration.request-body"] });
    },
  }),

  scenario("apps/assigned", {
    title: "an application that is set for a customer is assigned to the customer",
    operations: ["SetCustomerAppID", READ],
    requirements: ASSIGNED,
    async run(t) {
      const application = await t.arrange.need("application");
      // The server may assign an application to each new customer.
      const added = await t.addCustomer("AddTestingCustomer", { applicationId: undefined });
      const own = { application, customer: added.customerId };
      // A service may not find a customer without an application.
      const before = await t.answerTo({ operationId: READ, path: { customerId: added.customerId } });
      if (valuesIn(contentOf(before)).includes(application))
        throw new NotTried("lacks", "a customer without that application");
      const set = await t.accepted("SetCustomerAppID", own);
      const isAssigned = (exchange: Exchange): boolean => valuesIn(contentOf(exchange)).includes(application);
      const shown = await t.readUntil(() => t.accepted(READ, own), isAssigned);
      const holds = isAssigned(shown);
      t.recordIfConfirmed(ASSIGNED, holds, [shown, set], {
        message: "the customer does not show the application that was set",
        expected: `the application id ${application}`,
        actual: `only ${Object.keys(contentOf(shown) ?? {}).join(", ")}`,
      });
    },
  }),

  scenario("apps/registration-status", {
    title: "the deprecated list of registrations is filtered while it exists",
    operations: [STATUS],
    requirements: ["GetAppRegistrationStatus.unsupported-after-2026-05", "GetAppRegistrationStatus.filters"],
    async run(t) {
      await twoApplications(t);
      const exchange = await t.readUntil(
        () => t.answered(STATUS),
        (one) => !isAccepted(one) || t.itemsIn(one).length > 1,
      );
      const status = statusOf(exchange);
      t.judge.observe("GetAppRegistrationStatus after May 2026", STATUS, `answered with ${status}`);
      t.judgeThat("GetAppRegistrationStatus.unsupported-after-2026-05", status < 500, [exchange], {
        message: "the operation fails instead of answering or refusing",
        expected: "200 or a refusal",
      });
      if (!isAccepted(exchange)) return t.leaveUntried(`${STATUS}.filters`, "answered", STATUS, status);
      // A date may match its whole day, or everything since then.
      for (const name of ["submittedDate", "modifiedDate"]) await tryDate(t, name, t.itemsIn(exchange));
    },
  }),
];

/**
 * Registers two applications: with only one, filters and pages prove nothing. The trials of a session share them, because
 * no operation removes them.
 */
const twoApplications = shared(async (first: T): Promise<void> => {
  const t = forSession(first);
  for (let index = 0; index < 2; index++) {
    await t.answered("RegisterApp", t.arrange.exclusive(), { draw: index });
  }
});

const tryDate = async (t: T, name: string, items: readonly unknown[]): Promise<void> => {
  const [value] = items.map((item) => fieldOf(item, name)).filter((one) => one !== undefined);
  const shown = value !== undefined && { value: String(value), confirmed: t.isConfirmed(), isShown: true };
  await t.tryParameter(`${STATUS}.filters`, { operationId: STATUS, name, ...shown });
};
