/** Registered partners: some operations serve only them. */
import { checkRefusal, scenariosIn, type T } from "../../fixtures/installments/trial.ts";
import { similarTo } from "../../helpers/trials/from-contract/similar-credentials.ts";
import { type Exchange, isAccepted, NotTried } from "../../helpers/trials/kit/language.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

const scenario = scenariosIn("Endpoints");

interface Row {
  readonly requirement: string;
  readonly operationId: string;
  readonly json: (t: T) => Promise<unknown>;
}

const merchantOf = async (t: T) => (await t.participatingMerchant()).merchant;

const ROWS: readonly Row[] = [
  {
    requirement: "merchants.participations.submit.registered-partners",
    operationId: "postMerchantParticipations",
    json: async (t) => [t.participationOf("Partner").body],
  },
  {
    requirement: "merchants.searches.registered-partners",
    operationId: "postMerchantSearches",
    json: async (t) => ({ merchantLegalName: (await merchantOf(t)).merchantLegalName }),
  },
  {
    requirement: "merchants.mids.searches.registered-partners",
    operationId: "postMerchantMidSearches",
    json: merchantOf,
  },
];

const UNREGISTERED = "INSTALLMENTS_UNREGISTERED_AUTHORIZATION";

export const partnerScenarios: readonly Trial[] = ROWS.map(({ requirement, operationId, json }) =>
  scenario(`partners/${operationId}`, {
    title: `${operationId} serves registered partners only`,
    operations: [operationId],
    requirements: [requirement],
    async run(t) {
      const authorization = t.target.values[UNREGISTERED];
      if (authorization === undefined)
        throw new NotTried("lacks-setting", "an unregistered partner", UNREGISTERED);
      const call = { operationId, json: await json(t) };
      const control = await t.acceptedCall(call, [requirement]);
      const probe = await t.answeredCall({
        operationId,
        json: control.requestJson,
        headers: { authorization },
      });
      const what = { what: `a call of ${operationId} by an unregistered partner`, pointer: "" };
      t.record(requirement, checkRefusal(what, probe, control), [probe, control]);
      if (!isAccepted(probe)) {
        await trySimilar(t, requirement, control);
        t.judge.observe(
          "registered partner",
          operationId,
          `an unregistered one got ${probe.response?.status}`,
        );
      }
    },
  }),
);

/** Tries credentials that belong to nobody: each differs in one thing from the right credentials. */
const trySimilar = async (t: T, requirement: string, control: Exchange): Promise<void> => {
  const { operationId, requestJson: json, request } = control;
  for (const { what, value } of similarTo(request.headers.authorization ?? "")) {
    t.learn(value, "similar-authorization");
    const wording = { what: `a call of ${operationId} with the credentials ${what}`, pointer: "" };
    const headers = { authorization: value };
    const probe = await t.answeredCall({ operationId, json, headers, tries: wording.what });
    t.record(requirement, checkRefusal(wording, probe, control), [probe, control]);
  }
};
