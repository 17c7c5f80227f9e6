/** Stateful faults of the configurations of connect components. */
import type { Answer } from "../../../engine/call.ts";
import { isSuccess, newest } from "../../../engine/deviations/handlers.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { pathValue } from "../../found.ts";
import { perState } from "../../state/state.ts";
import { afterwards, type StatefulFaultTable, timesOf } from "../../stateful-faults.ts";

/** The created configurations as they were answered, including deleted ones. */
const made = perState(() => new Map<string, Fields>());

const remembers = afterwards((state, _, { json }) => {
  const shown = json as Fields;
  made(state).set(String(shown.id), shown);
});

const listed = (answer: Answer): readonly Fields[] => answer.json as readonly Fields[];

export const CONFIGURATION_STATEFUL_FAULTS: StatefulFaultTable = {
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
      async "get-configurations"(state, _, handle) {
        const answer = await handle();
        const known = listed(answer).map(({ id }) => id);
        const gone = [...made(state).values()].filter(({ id }) => !known.includes(id));
        return { ...answer, json: [...listed(answer), ...gone] };
      },
    },
    "second-deletion-leaves-configuration": {
      "delete-configurations-configurationId"(state, _, handle) {
        return timesOf(state, "deleted") % 2 === 0 ? { status: 204 } : handle();
      },
    },
  },
  "sequences.created-readable": {
    "configuration-lost-with-older-one": {
      "post-configurations": remembers,
      "get-configurations-configurationId"(state, call, handle) {
        const ids = [...made(state).keys()];
        const before = ids[ids.indexOf(pathValue(call, "configurationId")) - 1];
        return before !== undefined && deleted(state).has(before) ? { status: 404, json: NOTHING } : handle();
      },
      "delete-configurations-configurationId"(state, call, handle) {
        deleted(state).add(pathValue(call, "configurationId"));
        return handle();
      },
    },
  },
  "sequences.untouched-stays": {
    "newest-configuration-shown-for-all": {
      "post-configurations": remembers,
      async "get-configurations-configurationId"(state, call, handle) {
        const answer = await handle();
        const last = newest(made(state).values());
        return isSuccess(answer)
          ? { ...answer, json: { ...last, id: pathValue(call, "configurationId") } }
          : answer;
      },
    },
  },
};

const deleted = perState(() => new Set<string>());

const NOTHING = { code: 14_001, message: "There is no such configuration." };
