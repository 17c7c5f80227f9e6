/** Stateful faults through which a partner gets access to another partner's customers. */
import type { Call } from "../../calls.ts";
import { presentedToken } from "../../credentials.ts";
import { partnerOf, pathValue } from "../../found.ts";
import type { State } from "../../state/state.ts";
import { on, type StatefulFault, type StatefulFaultTable } from "../../stateful-faults.ts";

/** Changes the token of the call to one of the given partner. */
const sentBy = (state: State, { headers, ...call }: Call, partnerId: string): Partial<Call> => {
  const partner = state.partners.all.get(partnerId);
  const presented = presentedToken(state, { headers, ...call });
  if (partner === undefined) return {};
  const token = state.partners.issue(partner);
  const entries = Object.entries(headers).map(([name, value]) => [name, value === presented ? token : value]);
  return { headers: Object.fromEntries(entries) };
};

const asOwner: StatefulFault = (state, call, handle) => {
  const customer = state.customers.find(pathValue(call, "customerId"));
  return customer === undefined ? handle() : handle(sentBy(state, call, customer.partnerId));
};

export const PARTNER_STATEFUL_FAULTS: StatefulFaultTable = {
  "sequences.own-only": {
    "customers-read-by-others": { GetCustomer: asOwner },
    "accounts-read-by-others": on(["GetCustomerAccounts", "GetCustomerAccount"], asOwner),
    "transactions-read-by-others": { GetAllCustomerTransactions: asOwner },
    "customers-renamed-by-others": { ModifyCustomer: asOwner },
    "customers-deleted-by-others": { DeleteCustomer: asOwner },
    "customers-listed-for-others": {
      async GetCustomers(state, call, handle) {
        const answer = await handle();
        const { found } = answer.json as { readonly found?: number };
        const others = [...state.partners.all.keys()].filter((id) => id !== partnerOf(state, call).id);
        for (const other of found === 0 ? others : []) {
          const foreign = await handle(sentBy(state, call, other));
          if ((foreign.json as { readonly found?: number }).found !== 0) return foreign;
        }
        return answer;
      },
    },
    "second-sign-in-lets-others-read": {
      GetCustomer(state, call, handle) {
        const owner = state.customers.find(pathValue(call, "customerId"))?.partnerId;
        const signIns = [...state.partners.tokens.values()].filter(({ partner }) => partner.id === owner);
        return signIns.length > 1 ? asOwner(state, call, handle) : handle();
      },
    },
  },
};
