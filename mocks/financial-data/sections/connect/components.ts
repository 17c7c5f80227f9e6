/** Connect components: parts of the hosted flow for the partner's own pages, and their configurations. */

import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, customerById, institutionIn, loginIn, partnerOf, pathValue, textIn } from "../../found.ts";
import { idsOf, ownCustomer } from "../../furnish.ts";
import { addressOf, openSession } from "../../hosted/sessions.ts";
import type { Section } from "../../section.ts";
import { perWorld, type World } from "../../world/world.ts";
import { CONFIGURATION_TWISTS } from "./configuration-twists.ts";

interface Configuration {
  readonly id: string;
  readonly partnerId: string;
  readonly fields: Fields;
}

const configurations = perWorld(() => new Map<string, Configuration>());

const ownConfiguration = (world: World, call: Call, id: string): Configuration => {
  const configuration = configurations(world).get(id);
  const visible =
    configuration?.partnerId === partnerOf(world, call).id || call.bent("components-for-everyone");
  if (configuration === undefined || !visible) throw refused("unknown-configuration");
  return configuration;
};

const checkConfiguration = (world: World, call: Call): void => {
  const id = textIn(bodyOf(call), "configurationId");
  if (id !== undefined) ownConfiguration(world, call, id);
};

const formOf = (world: World, call: Call, institutionId: number): Answer => {
  const id = world.newUuid("login-form");
  const elements = ["User name", "Password"].map((label, sortOrder) => ({
    id: world.identifiers.uuid("login-element", institutionId, label),
    label,
    sortOrder,
  }));
  return success(world, call, { id, eventStreamId: world.newUuid("event-stream"), elements }, { key: id });
};

const fieldsOf = ({ id, fields }: Configuration): Fields => ({
  aoRequired: false,
  ...fields,
  id,
});

export const components: Section = {
  handlers: {
    "post-institutions-institutionId-oauth-urls"(world, call) {
      const institution = institutionIn(world, call);
      const customer = customerById(world, call, bodyOf(call).customerId);
      checkConfiguration(world, call);
      const session = openSession(world, call, {
        flow: "oauth",
        customers: [customer],
        step: "sign-in",
        institutionId: institution.id,
      });
      const known = {
        id: session.id,
        url: addressOf(world, session),
        eventStreamId: world.newUuid("event-stream"),
      };
      return success(world, call, known, { key: session.id });
    },
    "post-institutions-institutionId-login-forms"(world, call) {
      const institution = institutionIn(world, call);
      customerById(world, call, bodyOf(call).customerId);
      checkConfiguration(world, call);
      return formOf(world, call, institution.id);
    },
    "post-reconnections"(world, call) {
      const login = loginIn(world, call);
      if (login.marks.has("mfa") && !call.bent("components-no-challenge")) {
        const id = world.newUuid("challenge");
        const challenge = {
          id,
          prompt: "Enter the code that was sent to you",
          mfaType: "text",
          choiceIds: [],
        };
        return success(world, call, [{ mfaChallenges: [challenge] }], {
          status: 203,
          key: id,
          made: "required",
        });
      }
      login.marks.delete("broken");
      return formOf(world, call, login.institutionId);
    },
    "post-configurations"(world, call) {
      const configuration = {
        id: world.newUuid("configuration"),
        partnerId: partnerOf(world, call).id,
        fields: bodyOf(call),
      };
      configurations(world).set(configuration.id, configuration);
      return success(world, call, fieldsOf(configuration), { key: configuration.id, made: "required" });
    },
    "get-configurations"(world, call) {
      const partner = partnerOf(world, call);
      const all = [...configurations(world).values()];
      const own = all.filter(
        ({ partnerId }) => partnerId === partner.id || call.bent("components-for-everyone"),
      );
      return success(world, call, own.map(fieldsOf), { made: "required" });
    },
    "get-configurations-configurationId"(world, call) {
      const configuration = ownConfiguration(world, call, pathValue(call, "configurationId"));
      return success(world, call, fieldsOf(configuration), { key: configuration.id, made: "required" });
    },
    "delete-configurations-configurationId"(world, call) {
      const { id } = ownConfiguration(world, call, pathValue(call, "configurationId"));
      configurations(world).delete(id);
      return success(world, call);
    },
  },
  situations: {
    /** A login whose institution asks for a multi-factor challenge before it gives anything. */
    "mfa-account"(world) {
      const customer = ownCustomer(world, "challenged");
      const { accounts } = world.accounts.link(customer, world.institutions.test("mfa"), [
        "checking",
        "savings",
      ]);
      return idsOf(accounts[0]);
    },
    /** A configuration that is there, but for another partner. */
    "foreign-configuration"(world) {
      const { other } = world.partners;
      const id = world.newUuid("configuration");
      configurations(world).set(id, { id, partnerId: other.id, fields: {} });
      return { FINANCIAL_DATA_CONFIGURATION_ID: id };
    },
  },
  twists: [CONFIGURATION_TWISTS],
};
