/** Two partners with a token each: neither reads, changes or deletes what the other one created. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { tokenHeader } from "../../../helpers/contract/lookups.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { type Call, ifPossible, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Authentication and partner");
const OWN_ONLY = "sequences.own-only";

/** Reads of what the identifier at the end of the path names, or belongs to. Reports may be read by other partners. */
const READS = [
  ...["GetCustomer", "GetConsumer", "GetCustomerAccounts", "GetCustomerAccount"],
  ...["GetAllCustomerTransactions", "getWebhookSubscriptionById"],
];

export const otherPartnerScenarios = [
  scenario("partners/own-only", {
    title: "partners reach only what they created",
    operations: [...READS, "GetCustomers", "ModifyCustomer", "DeleteCustomer"],
    requirements: [OWN_ONLY],
    async run(t) {
      const token = await t.workingToken(await t.secondPartner());
      const names = t.namesFor("of the first partner");
      const { customerId } = await t.addCustomer("AddTestingCustomer", names);
      // The owner has two tokens then.
      await t.workingToken({});
      const own = { customer: customerId };
      for (const operationId of READS) {
        const about = operationId === "GetCustomer" ? own : {};
        const call = await ifPossible(() => t.validCall(operationId, about));
        if (call instanceof NotTried) continue;
        await judgeHidden(t, token, call, Object.values(call.path ?? {}).at(-1) ?? "");
      }
      const search = { operationId: "GetCustomers", query: { username: names.username } };
      await judgeHidden(t, token, search, customerId);
      const { firstName } = t.namesFor("of the second partner");
      const changes = [await t.validCall("ModifyCustomer", own), await t.validCall("DeleteCustomer", own)];
      for (const [index, call] of changes.entries()) {
        const change = await t.answerTo(as(t, token, index === 0 ? { ...call, json: { firstName } } : call));
        const after = await t.answered("GetCustomer", own);
        const isReached = isAccepted(change) || !isAccepted(after) || holdsValue(contentOf(after), firstName);
        judge(t, isReached, change, after);
      }
    },
  }),
];

/** Judges that another partner does not see what its owner sees. @param id what the answer shows to its owner */
const judgeHidden = async (t: T, token: string, call: Call, id: string): Promise<void> => {
  const shows = (exchange: Exchange) => isAccepted(exchange) && holdsValue(contentOf(exchange), id);
  const control = await t.readUntil(() => t.answerTo(call), shows);
  const probe = await t.answerTo(as(t, token, call));
  if (shows(control)) judge(t, shows(probe), probe, control);
};

const as = ({ contract }: T, token: string, call: Call): Call => ({
  ...call,
  headers: { ...call.headers, [tokenHeader(contract)]: token },
});

const judge = (t: T, isReached: boolean, probe: Exchange, control: Exchange): void =>
  t.judgeThat(OWN_ONLY, !isReached, [probe, control], {
    message: `${probe.operationId} with the token of another partner reaches what that partner did not create`,
    expected: "a refusal, or an answer without it",
    actual: `${statusOf(probe)}`,
  });
