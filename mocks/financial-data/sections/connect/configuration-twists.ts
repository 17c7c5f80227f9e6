/** How the configurations of connect components can go wrong over several calls. */

import { isSuccess, newest } from "../../../engine/faults/twists.ts";
import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { pathValue } from "../../found.ts";
import { afterwards, type TwistTable, timesOf } from "../../twists.ts";
import { perWorld } from "../../world/world.ts";

type Shown = Fields;

/** As they were answered when they were made, deleted ones too. */
const made = perWorld(() => new Map<string, Shown>());

const remembers = afterwards((world, _, { json }) => {
  const shown = json as Shown;
  made(world).set(String(shown.id), shown);
});

const listed = (answer: Answer): readonly Shown[] => answer.json as readonly Shown[];

export const CONFIGURATION_TWISTS: TwistTable = {
  "sequences.lists-agree": {
    "configuration-list-forgets-after-three": {
      async "get-configurations"(_, __, handle) {
        const answer = await handle();
        return { ...answer, json: listed(answer).slice(-3) };
      },
    },
  },
  "sequences.deleted-gone": {
    "deleted-configuration-listed": {
      "post-configurations": remembers,
      async "get-configurations"(world, _, handle) {
        const answer = await handle();
        const known = listed(answer).map(({ id }) => id);
        const gone = [...made(world).values()].filter(({ id }) => !known.includes(id));
        return { ...answer, json: [...listed(answer), ...gone] };
      },
    },
    "second-deletion-leaves-configuration": {
      "delete-configurations-configurationId"(world, _, handle) {
        return timesOf(world, "deleted") % 2 === 0 ? { status: 204 } : handle();
      },
    },
  },
  "sequences.created-readable": {
    "configuration-lost-with-older-one": {
      "post-configurations": remembers,
      "get-configurations-configurationId"(world, call, handle) {
        const ids = [...made(world).keys()];
        const before = ids[ids.indexOf(pathValue(call, "configurationId")) - 1];
        return before !== undefined && deleted(world).has(before) ? { status: 404, json: NOTHING } : handle();
      },
      "delete-configurations-configurationId"(world, call, handle) {
        deleted(world).add(pathValue(call, "configurationId"));
        return handle();
      },
    },
  },
  "sequences.untouched-stays": {
    "newest-configuration-shown-for-all": {
      "post-configurations": remembers,
      async "get-configurations-configurationId"(world, call, handle) {
        const answer = await handle();
        const last = newest(made(world).values());
        return isSuccess(answer)
          ? { ...answer, json: { ...last, id: pathValue(call, "configurationId") } }
          : answer;
      },
    },
  },
};

const deleted = perWorld(() => new Set<string>());

const NOTHING = { code: 14_001, message: "There is no such configuration." };
