/** App registration: applications for OAuth connections, their registrations, and the customers that use them. */
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { dayOf, instantOf } from "../../../engine/values/units.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
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
} from "../../state/applications.ts";
import type { State } from "../../state/state.ts";

const registeredAnswer = (state: State, call: Call, { preAppId, status }: Application): Answer =>
  success(state, call, { preAppId, status }, { key: preAppId });

/** Refuses an unknown id in a filter. Only the operations of these lists document a 404. */
const refuseUnknown = (applications: readonly Application[], call: Call): void => {
  const preAppId = asked(call, "preAppId");
  const applicationId = asked(call, "applicationId");
  const known =
    (preAppId === undefined || applications.some((each) => each.preAppId === preAppId)) &&
    (applicationId === undefined || applications.some((each) => each.applicationId === applicationId));
  if (!known) throw refused("unknown-registration");
};

const statusRecord = (state: State, application: Application): Fields => ({
  ...headOf(application),
  partnerId: application.partnerId,
  appName: nameOf(application),
  submittedDate: application.submitted,
  modifiedDate: application.modified,
  institutionDetails:
    application.applicationId === undefined
      ? []
      : registrationsOf(state).map(({ id, name, status }) => ({
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
  // An unknown status, which only a fault lets through, filters nothing.
  const isKnown = /^[adprs]$/i.test(asked(call, "status") ?? "");
  const wanted = (name: string, value: string | undefined): boolean => {
    const filter = asked(call, name);
    return filter === undefined || filter.toLowerCase() === value?.toLowerCase();
  };
  const onDay = (name: string, seconds: number): boolean => {
    const filter = asked(call, name);
    return filter === undefined || dayOf(Number(filter)) === dayOf(seconds);
  };
  return applications.filter(
    (application) =>
      wanted("preAppId", application.preAppId) &&
      wanted("applicationId", application.applicationId) &&
      (!isKnown || wanted("status", application.status)) &&
      wanted("name", nameOf(application)) &&
      wanted("appName", nameOf(application)) &&
      onDay("submittedDate", application.submitted) &&
      onDay("modifiedDate", application.modified),
  );
};

const asked = ({ query }: Call, name: string): string | undefined => {
  const value = valueIn(query, name);
  return value === undefined ? undefined : String(value);
};

const applicationIn = (state: State, call: Call): Application => {
  const id = pathValue(call, "applicationId");
  const application = applicationById(state, partnerOf(state, call).id, id);
  return existing(application, "unknown-application");
};

export const appRegistration: Section = {
  handlers: {
    RegisterApp(state, call) {
      const application = register(state, partnerOf(state, call).id, bodyOf(call));
      return registeredAnswer(state, call, application);
    },
    ModifyAppRegistration(state, call) {
      const preAppId = pathValue(call, "preAppId");
      const own = applicationsOf(state, partnerOf(state, call).id);
      const named = own.find((candidate) => candidate.preAppId === preAppId);
      const application = existing(named, "unknown-registration");
      modify(state, application, bodyOf(call));
      return registeredAnswer(state, call, application);
    },
    GetAppRegistrationStatus(state, call) {
      if (call.differs("registration-status-ended")) throw refused("operation-ended");
      const all = applicationsOf(state, partnerOf(state, call).id);
      refuseUnknown(all, call);
      const { query } = call;
      const found = matching(all, call);
      const page = Number(query.page ?? 1);
      const size = Number(query.pageSize ?? 25);
      const { items } = pageOf(found, (page - 1) * size + 1, size);
      const known = {
        totalRecords: found.length,
        totalPages: Math.ceil(found.length / size),
        pageNumber: page,
        numberOfRecordsPerPage: size,
        applications: items.map((application) => statusRecord(state, application)),
      };
      return success(state, call, known, { made: "required" });
    },
    getApplications(state, call) {
      const all = applicationsOf(state, partnerOf(state, call).id);
      const found = matching(all, call);
      const { items, more } = pageOf(found, call.query.start, call.query.limit ?? 50);
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
      return success(state, call, known, { made: "required" });
    },
    getRegisteredInstitutions(state, call) {
      const application = applicationIn(state, call);
      const institutionId = asked(call, "institutionId");
      const all = registrationsOf(state);
      const listed =
        institutionId === undefined && call.faulty("apps-institution-missing") ? all.slice(1) : all;
      const found = listed.filter(({ id }) => institutionId === undefined || String(id) === institutionId);
      const { items, more } = pageOf(found, call.query.start, call.query.limit);
      const institutions = items.map(({ id, name, status }) => ({
        institutionId: id,
        institutionName: name,
        status,
        createdDate: instantOf(application.submitted),
        modifiedDate: instantOf(application.modified),
      }));
      const known = { found: found.length, displaying: items.length, moreAvailable: more, institutions };
      return success(state, call, known, { made: "required" });
    },
    SetCustomerAppID(state, call) {
      const customer = customerIn(state, call);
      const application = applicationIn(state, call);
      if (application.status !== "A" && application.status !== "P") throw refused("application-not-usable");
      if (!call.faulty("apps-not-assigned")) customer.applicationId = application.applicationId;
      return success(state, call);
    },
  },
  situations: {
    /** Arranges an application to which no customer can be assigned. */
    "suspended-application"(state) {
      const application = register(state, state.partners.main.id, { appName: "Suspended Budget" });
      decide(state, application, "S");
      return {
        FINANCIAL_DATA_PRE_APP_ID: application.preAppId,
        FINANCIAL_DATA_APPLICATION_ID: application.applicationId ?? "",
      };
    },
  },
};
