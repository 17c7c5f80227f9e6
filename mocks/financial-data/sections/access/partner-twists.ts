/** How one partner's customers can come to be within reach of another. */

import { presentedToken } from "../../credentials.ts";
import type { Call } from "../../faults.ts";
import { partnerOf, pathValue } from "../../found.ts";
import type { Twist, TwistTable } from "../../twists.ts";
import type { World } from "../../world/world.ts";

/** The call as if the partner had sent it. */
const sentBy = (world: World, { headers, ...call }: Call, partnerId: string): Partial<Call> => {
  const partner = world.partners.all.get(partnerId);
  const presented = presentedToken(world, { headers, ...call });
  if (partner === undefined) return {};
  const token = world.partners.issue(partner);
  const entries = Object.entries(headers).map(([name, value]) => [name, value === presented ? token : value]);
  return { headers: Object.fromEntries(entries) };
};

const asOwner: Twist = (world, call, handle) => {
  const customer = world.customers.find(pathValue(call, "customerId"));
  return customer === undefined ? handle() : handle(sentBy(world, call, customer.partnerId));
};

export const PARTNER_TWISTS: TwistTable = {
  "sequences.own-only": {
    "customers-read-by-others": { GetCustomer: asOwner },
    "customers-renamed-by-others": { ModifyCustomer: asOwner },
    "customers-deleted-by-others": { DeleteCustomer: asOwner },
    "customers-listed-for-others": {
      async GetCustomers(world, call, handle) {
        const answer = await handle();
        const { found } = answer.json as { readonly found?: number };
        const others = [...world.partners.all.keys()].filter((id) => id !== partnerOf(world, call).id);
        for (const other of found === 0 ? others : []) {
          const foreign = await handle(sentBy(world, call, other));
          if ((foreign.json as { readonly found?: number }).found !== 0) return foreign;
        }
        return answer;
      },
    },
    "second-sign-in-lets-others-read": {
      GetCustomer(world, call, handle) {
        const owner = world.customers.find(pathValue(call, "customerId"))?.partnerId;
        const signIns = [...world.partners.tokens.values()].filter(({ partner }) => partner.id === owner);
        return signIns.length > 1 ? asOwner(world, call, handle) : handle();
      },
    },
  },
};
