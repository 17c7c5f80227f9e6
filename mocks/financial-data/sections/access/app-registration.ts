/** App registration: applications for OAuth connections, where they are registered, and whose customers use them. */

import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { dayOf, instantOf } from "../../../engine/values/units.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, customerIn, pageOf, partnerOf, pathValue, valueIn } from "../../found.ts";
import type { Section } from "../../section.ts";
import {
  type Application,
  applicationById,
  applicationsOf,
  decide,
  modify,
  nameOf,
  register,
  registrationsOf,
} from "../../world/applications.ts";
import type { World } from "../../world/world.ts";

const registeredAnswer = (world: World, call: Call, { preAppId, status }: Application): Answer =>
  success(world, call, { preAppId, status }, { key: preAppId });

/** The only lists here whose operation documents that something is not found. */
const refuseUnknown = (applications: readonly Application[], call: Call): void => {
  const preAppId = filterIn(call, "preAppId");
  const applicationId = filterIn(call, "applicationId");
  const known =
    (preAppId === undefined || applications.some((each) => each.preAppId === preAppId)) &&
    (applicationId === undefined || applications.some((each) => each.applicationId === applicationId));
  if (!known) throw refused("unknown-registration");
};

const statusRecord = (world: World, application: Application): Fields => ({
  ...headOf(application),
  partnerId: application.partnerId,
  appName: nameOf(application),
  submittedDate: application.submitted,
  modifiedDate: application.modified,
  institutionDetails:
    application.applicationId === undefined
      ? []
      : registrationsOf(world).map(({ id, name, status }) => ({
          id,
          abbrvName: name,
          status,
          decryptionKeyActivated: status,
          createdDate: application.submitted,
          lastModifiedDate: application.modified,
        })),
});

const headOf = ({ preAppId, applicationId, status }: Application) => ({ preAppId, applicationId, status });

const matching = (applications: readonly Application[], call: Call): Application[] => {
  const wanted = (name: string, value: string | undefined): boolean => {
    const filter = filterIn(call, name);
    return filter === undefined || filter.toLowerCase() === value?.toLowerCase();
  };
  const onDay = (name: string, seconds: number): boolean => {
    const filter = filterIn(call, name);
    return filter === undefined || dayOf(Number(filter)) === dayOf(seconds);
  };
  return applications.filter(
    (application) =>
      wanted("preAppId", application.preAppId) &&
      wanted("applicationId", application.applicationId) &&
      wanted("status", application.status) &&
      wanted("name", nameOf(application)) &&
      wanted("appName", nameOf(application)) &&
      onDay("submittedDate", application.submitted) &&
      onDay("modifiedDate", application.modified),
  );
};

const filterIn = ({ query }: Call, name: string): string | undefined => {
  const value = valueIn(query, name);
  return value === undefined ? undefined : String(value);
};

const applicationIn = (world: World, call: Call): Application => {
  const id = pathValue(call, "applicationId");
  const application = applicationById(world, partnerOf(world, call).id, id);
  return existing(application, "unknown-application");
};

export const appRegistration: Section = {
  handlers: {
    RegisterApp(world, call) {
      const application = register(world, partnerOf(world, call).id, bodyOf(call));
      return registeredAnswer(world, call, application);
    },
    ModifyAppRegistration(world, call) {
      const preAppId = pathValue(call, "preAppId");
      const own = applicationsOf(world, partnerOf(world, call).id);
      const named = own.find((candidate) => candidate.preAppId === preAppId);
      const application = existing(named, "unknown-registration");
      modify(world, application, bodyOf(call));
      return registeredAnswer(world, call, application);
    },
    GetAppRegistrationStatus(world, call) {
      const all = applicationsOf(world, partnerOf(world, call).id);
      refuseUnknown(all, call);
      const { query, bent } = call;
      const found = bent("apps-status-filters-ignored") ? all : matching(all, call);
      const page = bent("apps-status-page-ignored") ? 1 : Number(query.page ?? 1);
      const size = Number(query.pageSize ?? 25);
      const { items } = pageOf(found, (page - 1) * size + 1, size);
      const known = {
        totalRecords: found.length,
        totalPages: Math.ceil(found.length / size),
        pageNumber: page,
        numberOfRecordsPerPage: size,
        applications: items.map((application) => statusRecord(world, application)),
      };
      return success(world, call, known, { made: "required" });
    },
    getApplications(world, call) {
      const all = applicationsOf(world, partnerOf(world, call).id);
      const found = call.bent("apps-filters-ignored") ? all : matching(all, call);
      const start = call.bent("apps-start-ignored") ? 1 : call.query.start;
      const { items, more } = pageOf(found, start, call.query.limit ?? 50);
      const known = {
        found: found.length,
        displaying: items.length,
        moreAvailable: more,
        applications: items.map((application) => ({
          ...headOf(application),
          name: nameOf(application),
          createdDate: instantOf(application.submitted),
          submittedDate: instantOf(application.submitted),
          modifiedDate: instantOf(application.modified),
        })),
      };
      return success(world, call, known, { made: "required" });
    },
    getRegisteredInstitutions(world, call) {
      const application = applicationIn(world, call);
      const institutionId = call.bent("apps-institution-filter-ignored")
        ? undefined
        : filterIn(call, "institutionId");
      const all = registrationsOf(world);
      const told = institutionId === undefined && call.bent("apps-institution-missing") ? all.slice(1) : all;
      const found = told.filter(({ id }) => institutionId === undefined || String(id) === institutionId);
      const start = call.bent("apps-institutions-start-ignored") ? 1 : call.query.start;
      const { items, more } = pageOf(found, start, call.query.limit);
      const institutions = items.map(({ id, name, status }) => ({
        institutionId: id,
        institutionName: name,
        status,
        createdDate: instantOf(application.submitted),
        modifiedDate: instantOf(application.modified),
      }));
      const known = { found: found.length, displaying: items.length, moreAvailable: more, institutions };
      return success(world, call, known, { made: "required" });
    },
    SetCustomerAppID(world, call) {
      const customer = customerIn(world, call);
      const application = applicationIn(world, call);
      if (application.status !== "A" && application.status !== "P") throw refused("application-not-usable");
      if (!call.bent("apps-not-assigned")) customer.applicationId = application.applicationId;
      return success(world, call);
    },
  },
  situations: {
    /** An application that no customer can be given. */
    "suspended-application"(world) {
      const application = register(world, world.partners.main.id, { appName: "Suspended Budget" });
      decide(world, application, "S");
      return {
        FINANCIAL_DATA_PRE_APP_ID: application.preAppId,
        FINANCIAL_DATA_APPLICATION_ID: application.applicationId ?? "",
      };
    },
  },
};
