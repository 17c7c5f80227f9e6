/** Applications that partners registered for OAuth connections, and how far each has come. */

import type { Fields } from "../../engine/values/fields.ts";
import initial from "../initial-data.json" with { type: "json" };
import { perWorld, type World } from "./world.ts";

/** Approved, pending, denied, rejected, suspended. */
export type ApplicationStatus = "A" | "P" | "D" | "R" | "S";

export interface Application {
  /** Known before it is approved. */
  readonly preAppId: string;
  /** Given with the approval. */
  applicationId: string | undefined;
  readonly partnerId: string;
  /** As the client gave them. */
  fields: Fields;
  status: ApplicationStatus;
  /** Seconds since 1970. */
  readonly submitted: number;
  modified: number;
}

export interface InstitutionRegistration {
  readonly id: number;
  readonly name: string;
  /** Whether the application works there. */
  readonly status: boolean;
}

/** In the order in which they were registered. */
export const applicationsOf = (world: World, partnerId: string): Application[] =>
  [...applications(world).values()].filter((application) => application.partnerId === partnerId);

export const applicationById = (
  world: World,
  partnerId: string,
  applicationId: string,
): Application | undefined =>
  applicationsOf(world, partnerId).find((application) => application.applicationId === applicationId);

export const nameOf = ({ fields }: Application): string => String(fields.appName);

/** It becomes approved by itself. */
export const register = (world: World, partnerId: string, fields: Fields): Application => {
  const application = fresh(world, partnerId, fields);
  applications(world).set(application.preAppId, application);
  approveLater(world, application);
  return application;
};

/** What is changed is looked at again; the id that an approved one has stays. */
export const modify = (world: World, application: Application, fields: Fields): void => {
  application.fields = fields;
  application.status = "P";
  application.modified = world.seconds();
  approveLater(world, application);
};

export const decide = (world: World, application: Application, status: ApplicationStatus): void => {
  application.applicationId ??= world.newUuid("application");
  application.status = status;
  application.modified = world.seconds();
};

/** All institutions with OAuth: an application is registered with each of them. */
export const registrationsOf = (world: World): InstitutionRegistration[] =>
  world.institutions.all
    .filter(({ oauth }) => oauth)
    .map(({ id, name }, index) => ({ id, name, status: index % 4 !== 3 }));

/** The first partner has one that is approved, so that a client can read before it registers. */
const applications = perWorld((world) => {
  const first = fresh(world, world.partners.main.id, initial.application);
  decide(world, first, "A");
  return new Map([[first.preAppId, first]]);
});

const fresh = (world: World, partnerId: string, fields: Fields): Application => ({
  preAppId: world.newId("pre-app"),
  applicationId: undefined,
  partnerId,
  fields,
  status: "P",
  submitted: world.seconds(),
  modified: world.seconds(),
});

/** Milliseconds that an approval takes. */
const APPROVAL = 5_000;

const approveLater = (world: World, application: Application): void => {
  const { modified } = application;
  world.clock.at(world.clock.now().getTime() + APPROVAL, () => {
    if (application.status === "P" && application.modified === modified) decide(world, application, "A");
  });
};
