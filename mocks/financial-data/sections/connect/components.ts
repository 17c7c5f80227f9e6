/** Connect components: parts of the hosted flow for the partner's own pages, and their configurations. */
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, customerById, institutionIn, loginIn, partnerOf, pathValue, textIn } from "../../found.ts";
import { addressOf, openSession } from "../../hosted/sessions.ts";
import { afterwards } from "../../late.ts";
import type { Section } from "../../section.ts";
import { idsOf, ownCustomer } from "../../seed-data.ts";
import { type State, stored } from "../../state/state.ts";
import { CONFIGURATION_STATEFUL_FAULTS } from "./configuration-stateful-faults.ts";

interface Configuration {
  readonly id: string;
  readonly partnerId: string;
  readonly fields: Fields;
}

export const configurations = stored("configurations", () => new Map<string, Configuration>());

const ownConfiguration = (state: State, call: Call, id: string): Configuration => {
  const configuration = configurations(state).get(id);
  const visible =
    configuration?.partnerId === partnerOf(state, call).id || call.faulty("components-for-everyone");
  if (configuration === undefined || !visible) throw refused("unknown-configuration");
  return configuration;
};

const checkConfiguration = (state: State, call: Call): void => {
  const id = textIn(bodyOf(call), "configurationId");
  if (id !== undefined) ownConfiguration(state, call, id);
};

const formOf = (state: State, call: Call, institutionId: number): Answer => {
  const id = state.newUuid("login-form");
  const elements = ["User name", "Password"].map((label, sortOrder) => ({
    id: state.identifiers.uuid("login-element", institutionId, label),
    label,
    sortOrder,
  }));
  return success(state, call, { id, eventStreamId: state.newUuid("event-stream"), elements }, { key: id });
};

const fieldsOf = ({ id, fields }: Configuration): Fields => ({
  aoRequired: false,
  ...fields,
  id,
});

/**
 * Returns a configuration of another client of the partner, which has just deleted it. Its ids have an own sequence: a read
 * of an earlier state must not give the id of a configuration that was created since.
 */
const gone = (state: State, partnerId: string): Configuration => ({
  id: state.newUuid("configuration-of-others"),
  partnerId,
  fields: {},
});

export const components: Section = {
  handlers: {
    "post-institutions-institutionId-oauth-urls"(state, call) {
      const institution = institutionIn(state, call);
      const customer = customerById(state, call, bodyOf(call).customerId);
      checkConfiguration(state, call);
      const session = openSession(state, call, {
        flow: "oauth",
        customers: [customer],
        step: "sign-in",
        institutionId: institution.id,
      });
      const known = {
        id: session.id,
        url: addressOf(state, session),
        eventStreamId: state.newUuid("event-stream"),
      };
      return success(state, call, known, { key: session.id });
    },
    "post-institutions-institutionId-login-forms"(state, call) {
      const institution = institutionIn(state, call);
      customerById(state, call, bodyOf(call).customerId);
      checkConfiguration(state, call);
      return formOf(state, call, institution.id);
    },
    "post-reconnections"(state, call) {
      const login = loginIn(state, call);
      if (login.marks.has("mfa") && !call.faulty("components-no-challenge")) {
        const id = state.newUuid("challenge");
        const challenge = {
          id,
          prompt: "Enter the code that was sent to you",
          mfaType: "text",
          choiceIds: [],
        };
        return success(state, call, [{ mfaChallenges: [challenge] }], {
          status: 203,
          key: id,
          made: "required",
        });
      }
      login.marks.delete("broken");
      return formOf(state, call, login.institutionId);
    },
    "post-configurations"(state, call) {
      const configuration = {
        id: state.newUuid("configuration"),
        partnerId: partnerOf(state, call).id,
        fields: bodyOf(call),
      };
      configurations(state).set(configuration.id, configuration);
      return success(state, call, fieldsOf(configuration), { key: configuration.id, made: "required" });
    },
    "get-configurations"(state, call) {
      const partner = partnerOf(state, call);
      const own = [...configurations(state).values()].filter(
        ({ partnerId }) => partnerId === partner.id || call.faulty("components-for-everyone"),
      );
      const all = call.differs("configurations-of-others") ? [gone(state, partner.id), ...own] : own;
      const answer = success(state, call, all.map(fieldsOf), { made: "required" });
      if (!call.differs("configurations-as-sent")) return answer;
      const shown = answer.json as Fields[];
      return { ...answer, json: shown.map((one, index) => ({ ...one, ...all[index]?.fields })) };
    },
    "get-configurations-configurationId"(state, call) {
      const configuration = ownConfiguration(state, call, pathValue(call, "configurationId"));
      return success(state, call, fieldsOf(configuration), { key: configuration.id, made: "required" });
    },
    "delete-configurations-configurationId"(state, call) {
      const { id } = ownConfiguration(state, call, pathValue(call, "configurationId"));
      afterwards(state, call.differs("late-deletions"), () => configurations(state).delete(id));
      return success(state, call);
    },
  },
  situations: {
    /** Arranges an account whose institution demands a multi-factor challenge. */
    "mfa-account"(state) {
      const customer = ownCustomer(state, "challenged");
      const { accounts } = state.accounts.link(customer, state.institutions.test("mfa"), [
        "checking",
        "savings",
      ]);
      return idsOf(accounts[0]);
    },
    /** Arranges a configuration that belongs to another partner. */
    "foreign-configuration"(state) {
      const { other } = state.partners;
      const id = state.newUuid("configuration");
      configurations(state).set(id, { id, partnerId: other.id, fields: {} });
      return { FINANCIAL_DATA_CONFIGURATION_ID: id };
    },
  },
  statefulFaults: [CONFIGURATION_STATEFUL_FAULTS],
};
