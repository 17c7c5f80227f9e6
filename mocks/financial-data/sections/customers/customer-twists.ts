/** How customers can go wrong over several calls, each of which looks right by itself. */

import { isSuccess, newest } from "../../../engine/faults/twists.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, customerIn, partnerOf, pathValue, textIn } from "../../found.ts";
import { looksFirst, type Twist, type TwistTable, timesOf, withList } from "../../twists.ts";
import type { Customer } from "../../world/customer.ts";
import { perWorld } from "../../world/store.ts";
import type { World } from "../../world/world.ts";

const namesake = (world: World, call: Call): Customer | undefined =>
  world.customers.findByUsername(partnerOf(world, call).id, textIn(bodyOf(call), "username") ?? "");

/** As they were added, deleted ones too. */
const added = perWorld(() => new Map<string, Customer>());

const remembersAdded: Twist = async (world, call, handle) => {
  const answer = await handle();
  const customer = namesake(world, call);
  if (isSuccess(answer) && customer !== undefined) added(world).set(customer.id, { ...customer });
  return answer;
};

const returnsAfterNext: Twist = (world, call, handle) => {
  const id = pathValue(call, "customerId");
  const gone = world.customers.find(id) === undefined ? added(world).get(id) : undefined;
  if (gone === undefined || newest(added(world).keys()) === id) return handle();
  const { username, type, firstName, lastName, created } = gone;
  return { status: 200, json: { id, username, type, firstName, lastName, createdDate: String(created) } };
};

export const CUSTOMER_TWISTS: TwistTable = {
  "AddTestingCustomer.409-exists": {
    "customer-race": {
      AddTestingCustomer: looksFirst((world, call) => namesake(world, call) === undefined, "customers-twice"),
    },
  },
  "DeleteCustomer.removes-customer": {
    "deleted-returns-after-next-add": { AddTestingCustomer: remembersAdded, GetCustomer: returnsAfterNext },
  },
  "sequences.created-readable": {
    "deletion-takes-next-customer": {
      async DeleteCustomer(world, call, handle) {
        const all = [...world.customers.of(partnerOf(world, call).id)];
        const next = all[all.indexOf(customerIn(world, call)) + 1];
        const answer = await handle();
        if (next !== undefined) world.customers.remove(next);
        return answer;
      },
    },
  },
  "sequences.update-only-named": {
    "second-rename-makes-active": {
      async ModifyCustomer(world, call, handle) {
        const answer = await handle();
        const customer = customerIn(world, call);
        if (timesOf(world, "renamed", customer.id) === 2) customer.type = "active";
        return answer;
      },
    },
    "rename-drops-other-name": {
      async ModifyCustomer(world, call, handle) {
        const customer = customerIn(world, call);
        const answer = await handle();
        customer.firstName = textIn(bodyOf(call), "firstName");
        customer.lastName = textIn(bodyOf(call), "lastName");
        return answer;
      },
    },
  },
  "sequences.untouched-stays": {
    "refused-customer-renames": {
      async AddTestingCustomer(world, call, handle) {
        const known = namesake(world, call);
        if (known !== undefined) known.firstName = textIn(bodyOf(call), "firstName") ?? "Nobody";
        return handle();
      },
    },
    "rename-hits-newest-too": {
      async ModifyCustomer(world, call, handle) {
        const answer = await handle();
        const last = newest(world.customers.of(partnerOf(world, call).id));
        if (last !== undefined) last.firstName = customerIn(world, call).firstName;
        return answer;
      },
    },
    "third-read-cuts-last-name": {
      async GetCustomer(world, call, handle) {
        const customer = customerIn(world, call);
        if (timesOf(world, "read", customer.id) === 3)
          customer.lastName = (customer.lastName ?? "").slice(0, 1);
        return handle();
      },
    },
  },
  "sequences.lists-agree": {
    "list-shows-newest-only": {
      async GetCustomers(world, call, handle) {
        const kept = world.customers.of(partnerOf(world, call).id).slice(-1);
        return withList(await handle(), "customers", (items) =>
          items.filter((item) => kept.some(({ id }) => id === item.id)),
        );
      },
    },
    "list-shows-names-of-creation": {
      AddTestingCustomer: remembersAdded,
      async GetCustomers(world, _, handle) {
        return withList(await handle(), "customers", (items) =>
          items.map((item) => {
            const { firstName = item.firstName } = added(world).get(String(item.id)) ?? {};
            return { ...item, firstName };
          }),
        );
      },
    },
  },
};
