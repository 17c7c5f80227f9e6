/** App registration: applications, their lists, and the customers that use them. */

import { addCustomer } from "../../../fixtures/financial-data/customers.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import { accepted, answered, answerTo } from "../../../helpers/trials/kit/asking.ts";
import { judgePages } from "../../../helpers/trials/kit/lists.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { tryParameter } from "../../../helpers/trials/kit/parameters.ts";
import { fieldOf, itemsIn, valuesIn } from "../../../helpers/trials/kit/reading.ts";
import { forSession, shared } from "../../../helpers/trials/kit/shared.ts";
import { judgeThat, leaveUntried, recordIfConfirmed } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("App registration and third-party access");
const STATUS = "GetAppRegistrationStatus";
const READ = "GetCustomerWithAppData";
const APPLICATIONS = "getApplications";
const ASSIGNED = ["SetCustomerAppID.assigns-application", "customer.may-have-application"];

export const appScenarios: readonly Trial[] = [
  scenario({
    id: "apps/registration",
    title: "an application is registered, and its registration is changed",
    operations: ["RegisterApp", "ModifyAppRegistration"],
    requirements: ["appRegistration.request-body"],
    async run(context) {
      const own = context.arrange.exclusive();
      for (const operationId of ["RegisterApp", "ModifyAppRegistration"])
        await accepted(context, operationId, own, { keeps: ["appRegistration.request-body"] });
    },
  }),

  scenario({
    id: "apps/assigned",
    title: "an application that is set for a customer is assigned to the customer",
    operations: ["SetCustomerAppID", READ],
    requirements: ASSIGNED,
    async run(context) {
      const application = await context.arrange.need("application");
      // The server may assign an application to each new customer.
      const added = await addCustomer(context, "AddTestingCustomer", { applicationId: undefined });
      const own = { application, customer: added.customerId };
      // A service may not find a customer without an application.
      const before = await answerTo(context, { operationId: READ, path: { customerId: added.customerId } });
      if (valuesIn(contentOf(before)).includes(application))
        throw new NotTried("needs a customer without that application");
      const set = await accepted(context, "SetCustomerAppID", own);
      const isAssigned = (exchange: Exchange): boolean => valuesIn(contentOf(exchange)).includes(application);
      const shown = await readUntil(context, () => accepted(context, READ, own), isAssigned);
      const holds = isAssigned(shown);
      recordIfConfirmed(context, ASSIGNED, holds, [shown, set], {
        confirmed: isConfirmed(context),
        message: "the customer does not show the application that was set",
        expected: `the application id ${application}`,
        actual: `only ${Object.keys(contentOf(shown) ?? {}).join(", ")}`,
      });
    },
  }),

  scenario({
    id: "apps/list",
    title: "the list of applications is paged",
    operations: [APPLICATIONS],
    requirements: ["getApplications.paging"],
    async run(context) {
      await twoApplications(context);
      await readUntil(
        context,
        () => accepted(context, APPLICATIONS),
        (exchange) => itemsIn(context, exchange).length > 1,
      );
      await judgePages(context, "getApplications.paging", APPLICATIONS, {});
    },
  }),

  scenario({
    id: "apps/registration-status",
    title: "the deprecated list of registrations is filtered and paged while it exists",
    operations: [STATUS],
    requirements: [
      "GetAppRegistrationStatus.unsupported-after-2026-05",
      "GetAppRegistrationStatus.filters",
      "GetAppRegistrationStatus.paging",
    ],
    async run(context) {
      await twoApplications(context);
      const exchange = await readUntil(
        context,
        () => answered(context, STATUS),
        (one) => !isAccepted(one) || itemsIn(context, one).length > 1,
      );
      const status = statusOf(exchange);
      context.judge.observe("GetAppRegistrationStatus after May 2026", STATUS, `answered with ${status}`);
      judgeThat(context, "GetAppRegistrationStatus.unsupported-after-2026-05", status < 500, [exchange], {
        message: "the operation fails instead of answering or refusing",
        expected: "200 or a refusal",
      });
      if (!isAccepted(exchange)) {
        leaveUntried(
          context,
          [`${STATUS}.filters`, `${STATUS}.paging`],
          `the operation is no longer offered (${status})`,
        );
        return;
      }
      // A date may match its whole day, or everything since then.
      for (const name of ["submittedDate", "modifiedDate"])
        await tryDate(context, name, itemsIn(context, exchange));
      await judgePages(context, `${STATUS}.paging`, STATUS, {});
    },
  }),
];

/**
 * Registers two applications: with only one, filters and pages prove nothing. The trials of a session share them, because
 * no operation removes them.
 */
const twoApplications = shared(async (first: TrialContext): Promise<void> => {
  const context = forSession(first);
  for (let index = 0; index < 2; index++) {
    await answered(context, "RegisterApp", context.arrange.exclusive(), { draw: index });
  }
});

const tryDate = async (context: TrialContext, name: string, items: readonly unknown[]): Promise<void> => {
  const [value] = items.map((item) => fieldOf(item, name)).filter((one) => one !== undefined);
  const shown = value !== undefined && {
    value: String(value),
    confirmed: isConfirmed(context),
    isShown: true,
  };
  await tryParameter(context, `${STATUS}.filters`, { operationId: STATUS, name, ...shown });
};
