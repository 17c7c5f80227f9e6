/** App registration: applications, the lists that show them, and the customers that use them. */

import {
  answerTo,
  identifierIn,
  judgeThat,
  taken,
  validCall,
  valuesIn,
  withFields,
} from "../../../fixtures/financial-data/asking.ts";
import { fieldOf, itemsIn } from "../../../fixtures/financial-data/calls.ts";
import { conclude } from "../../../fixtures/financial-data/conclude.ts";
import { type Filter, judgeFilter, judgePages } from "../../../fixtures/financial-data/filters.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "App registration and third-party access";
const STATUS = "GetAppRegistrationStatus";
const READ = "GetCustomerWithAppData";
const ADD_CUSTOMER = "AddTestingCustomer";
const APPLICATIONS = "getApplications";

export const appScenarios: readonly Trial[] = [
  scenario(
    {
      id: "apps/registration",
      title: "an application is registered, and its registration changed",
      section: SECTION,
      operations: ["RegisterApp", "ModifyAppRegistration"],
      requirements: ["appRegistration.request-body"],
    },
    async (context) => {
      const own = context.arrange.apart();
      await taken(context, await validCall(context, "RegisterApp", own), ["appRegistration.request-body"]);
      const change = await validCall(context, "ModifyAppRegistration", own);
      await taken(context, change, ["appRegistration.request-body"]);
    },
  ),

  scenario(
    {
      id: "apps/assigned",
      title: "an application that is set for a customer is the customer's",
      section: SECTION,
      operations: ["SetCustomerAppID", READ],
      requirements: ["SetCustomerAppID.assigns-application", "customer.may-have-application"],
    },
    async (context) => {
      const application = await context.arrange.need("application");
      const own = having(context.arrange, {
        application,
        customer: await customerWithoutApplication(context),
      });
      const before = await taken(context, await validCall(context, READ, own));
      if (valuesIn(before.response?.json).includes(application))
        throw new NotTried("needs a customer without that application");
      const set = await taken(context, await validCall(context, "SetCustomerAppID", own));
      const shown = await taken(context, await validCall(context, READ, own));
      const certain = context.capabilities.has("new-implementation");
      for (const requirement of ["SetCustomerAppID.assigns-application", "customer.may-have-application"]) {
        conclude(
          context,
          requirement,
          {
            holds: valuesIn(shown.response?.json).includes(application),
            certain,
            finding: {
              message: "the customer does not show the application that was set",
              expected: `the application id ${application}`,
              actual: `only ${Object.keys(shown.response?.json ?? {}).join(", ")}`,
            },
          },
          [shown, set],
        );
      }
    },
  ),

  scenario(
    {
      id: "apps/list",
      title: "the list of applications is filtered and paged",
      section: SECTION,
      operations: [APPLICATIONS],
      requirements: ["getApplications.filters", "getApplications.paging"],
    },
    async (context) => {
      await twoApplications(context);
      const known = knownApplication(context, await taken(context, await validCall(context, APPLICATIONS)));
      for (const filter of known(["preAppId", "applicationId", "name", "status"])) {
        await judgeFilter(context, "getApplications.filters", APPLICATIONS, {}, filter);
      }
      await judgePages(context, "getApplications.paging", APPLICATIONS, {});
    },
  ),

  scenario(
    {
      id: "apps/registration-status",
      title: "the deprecated list of registrations is filtered and paged as long as it is there",
      section: SECTION,
      operations: [STATUS],
      requirements: [
        "GetAppRegistrationStatus.unsupported-after-2026-05",
        "GetAppRegistrationStatus.filters",
        "GetAppRegistrationStatus.paging",
      ],
    },
    async (context) => {
      await twoApplications(context);
      const exchange = await answerTo(context, await validCall(context, STATUS));
      const status = statusOf(exchange);
      context.judge.observe("GetAppRegistrationStatus after May 2026", STATUS, `answered with ${status}`);
      judgeThat(context, "GetAppRegistrationStatus.unsupported-after-2026-05", status < 500, [exchange], {
        message: "the operation fails instead of answering or refusing",
        expected: "200 or a refusal",
        actual: `${status}`,
      });
      if (!isAccepted(exchange)) {
        for (const name of ["filters", "paging"])
          context.judge.notTried(`financial-data.${STATUS}.${name}`, `it is no longer offered (${status})`);
        return;
      }
      const known = knownApplication(context, exchange);
      const names = ["preAppId", "applicationId", "status", "appName", "submittedDate", "modifiedDate"];
      for (const filter of known(names)) {
        await judgeFilter(context, "GetAppRegistrationStatus.filters", STATUS, {}, filter);
      }
      await judgePages(context, "GetAppRegistrationStatus.paging", STATUS, {});
    },
  ),
];

/** A customer may be given an application as it is added. */
const customerWithoutApplication = async (context: TrialContext): Promise<string> => {
  const call = await validCall(context, ADD_CUSTOMER, context.arrange.apart());
  const added = await taken(context, withFields(call, { applicationId: undefined }));
  return identifierIn(context, added, "customer");
};

/** Filters and pages show nothing where there is but one. */
const twoApplications = async (context: TrialContext): Promise<void> => {
  for (let index = 0; index < 2; index++) {
    await answerTo(context, await validCall(context, "RegisterApp", context.arrange.apart(), index));
  }
};

/** Filters by values that one application of the list shows. */
const knownApplication = (
  context: TrialContext,
  listed: Exchange,
): ((names: readonly string[]) => Filter[]) => {
  const items = itemsIn(context, listed);
  return (names) =>
    names.map((name) => {
      const values = items.map((item) => fieldOf(item, name)).filter((value) => value !== undefined);
      const [value] = values;
      return { name, isRange: /date$/i.test(name), ...(value !== undefined && { value: String(value) }) };
    });
};
