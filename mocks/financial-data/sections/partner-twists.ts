/** How one partner's customers can come to be within reach of another. */
import type { Call } from "../../service.ts";
import { isSuccess } from "../../twists.ts";
import { presentedToken } from "../credentials.ts";
import { bodyOf, partnerOf, pathValue } from "../found.ts";
import type { Twist, TwistTable } from "../twists.ts";
import type { World } from "../world/world.ts";

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

const signedIn = ({ partners }: World, call: Call) => partners.all.get(String(bodyOf(call).partnerId));

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
    "second-sign-in-takes-older-tokens": {
      async CreateToken(world, call, handle) {
        const answer = await handle();
        const partner = signedIn(world, call);
        if (!isSuccess(answer) || partner === undefined) return answer;
        const { tokens } = world.partners;
        const older = [...tokens].filter(([, token]) => token.partner !== partner);
        const signIns = [...tokens.values()].filter((token) => token.partner === partner).length;
        for (const [token, known] of signIns > 1 ? older : []) tokens.set(token, { ...known, partner });
        return answer;
      },
    },
  },
};
