/** Connect components configurations: their owner creates, reads, lists and deletes them. */
import type { T } from "../../../fixtures/financial-data/trial.ts";
import type { Model } from "../../../helpers/sequences/model.ts";
import { alive } from "../../../helpers/sequences/model-resources.ts";
import {
  deleting,
  emptyResourceModel,
  fewer,
  making,
  queryList,
  queryResource,
  type ResourceModel,
  removing,
  split,
} from "../../../helpers/sequences/resource-model.ts";
import { callerFor } from "../../../helpers/sequences/sequence-calls.ts";
import { GONE, LISTS_AGREE, PROMISES, READABLE, sequenceTrial } from "./sequences.ts";

const KIND = "configuration";
const CREATE = "post-configurations";
const READ = "get-configurations-configurationId";
const LIST = "get-configurations";
const DELETE = "delete-configurations-configurationId";

const modelOf = (t: T): Model<ResourceModel> => {
  const calls = callerFor(t);
  return {
    start: emptyResourceModel,
    commands: [
      {
        name: "create a configuration",
        when: fewer(KIND, 6),
        call: async (_, { seed }) =>
          making(calls, await calls.of(CREATE, {}, seed), { kind: KIND, possible: READABLE }),
      },
      {
        name: "delete a configuration",
        operationId: DELETE,
        removes: true,
        when: ({ resources }) => alive(resources).length > 1,
        call: async ({ resources }, { pick }) => {
          const configuration = pick(alive(resources));
          return deleting(await calls.of(DELETE, configuration.ids), configuration);
        },
      },
    ],
    races: [
      { commands: ["create a configuration", "create a configuration"], same: false },
      { commands: ["create a configuration", "delete a configuration"], same: false },
    ],
    queries: ({ resources }) => [
      ...resources.map((resource) =>
        queryResource<ResourceModel>(resource, () => calls.of(READ, resource.ids), PROMISES),
      ),
      queryList<ResourceModel>(t, {
        name: "all configurations",
        kind: KIND,
        call: () => calls.of(LIST),
        holds: (state) => split(state.resources, KIND),
        shows: LISTS_AGREE,
        hides: GONE,
      }),
    ],
    leave: removing(calls, { [KIND]: DELETE }),
  };
};

export const configurationSequences = sequenceTrial<ResourceModel>(
  {
    name: "connect-configurations",
    title: "configurations exist until they are deleted",
    section: "Connect components",
    operations: [CREATE, READ, LIST, DELETE],
    requirements: [READABLE, GONE, LISTS_AGREE, PROMISES.given, PROMISES.untouched],
  },
  (t, walk) => walk({ model: modelOf(t), steps: 14 }),
);
