/** Applications for OAuth connections that partners registered, with their status. */
import type { Fields } from "../../engine/values/fields.ts";
import initial from "../initial-data.json" with { type: "json" };
import { type State, stored } from "./state.ts";

export interface Application {
  /** Assigned at registration, before the approval. */
  readonly preAppId: string;
  /** Assigned with the approval. */
  applicationId: string | undefined;
  readonly partnerId: string;
  /** The fields from the client. */
  fields: Fields;
  /** Approved, pending, denied, rejected, suspended. */
  status: "A" | "P" | "D" | "R" | "S";
  /** Seconds since 1970. */
  readonly submitted: number;
  modified: number;
}

/** Returns the partner's applications, in order of registration. */
export const applicationsOf = (state: State, partnerId: string): Application[] =>
  [...applications(state).values()].filter((application) => application.partnerId === partnerId);

export const applicationById = (
  state: State,
  partnerId: string,
  applicationId: string,
): Application | undefined =>
  applicationsOf(state, partnerId).find((application) => application.applicationId === applicationId);

export const nameOf = ({ fields }: Application): string => String(fields.appName);

/** Registers an application. It is approved automatically after a delay. */
export const register = (state: State, partnerId: string, fields: Fields): Application => {
  const application = fresh(state, partnerId, fields);
  applications(state).set(application.preAppId, application);
  approveLater(state, application);
  return application;
};

/** Changes an application, which then needs a new approval. An approved application keeps its id. */
export const modify = (state: State, application: Application, fields: Fields): void => {
  application.fields = fields;
  application.status = "P";
  application.modified = state.seconds();
  approveLater(state, application);
};

export const decide = (state: State, application: Application, status: Application["status"]): void => {
  application.applicationId ??= state.newUuid("application");
  application.status = status;
  application.modified = state.seconds();
};

/**
 * Returns all institutions with OAuth. Every application is registered with each of them; `status`: whether it is active
 * there.
 */
export const registrationsOf = (state: State) =>
  state.institutions.all
    .filter(({ oauth }) => oauth)
    .map(({ id, name }, index) => ({ id, name, status: index % 4 !== 3 }));

/** The first partner starts with an approved application, so that a client can read before it registers. */
export const applications = stored("applications", (state): Map<string, Application> => {
  const first = fresh(state, state.partners.main.id, initial.application);
  decide(state, first, "A");
  return new Map([[first.preAppId, first]]);
});

const fresh = (state: State, partnerId: string, fields: Fields): Application => ({
  preAppId: state.newId("pre-app"),
  applicationId: undefined,
  partnerId,
  fields,
  status: "P",
  submitted: state.seconds(),
  modified: state.seconds(),
});

/** Milliseconds until the approval. */
const APPROVAL = 5_000;

/** Continues the approvals of an image. */
export const resumeApplications = (state: State): void => {
  for (const application of applications(state).values()) {
    if (application.status === "P") approveLater(state, application);
  }
};

const approveLater = (state: State, application: Application): void => {
  const { modified } = application;
  state.clock.at(state.clock.now().getTime() + APPROVAL, () => {
    if (application.status === "P" && application.modified === modified) decide(state, application, "A");
  });
};
