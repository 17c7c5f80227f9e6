/** Consumers: one per customer, with all fields, changed field by field, and required before a report. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { isSame, type Json } from "../../../helpers/contract/json.ts";
import { unsettled } from "../../../helpers/contract/lookups.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import { type Call, NotTried, withFields } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Consumers");
const CREATE = "CreateConsumer";
const BODIES = "consumers.request-bodies";
const ALL_FIELDS = "consumer.all-fields-required";

export const consumerScenarios = [
  scenario("consumers/created", {
    title: "a second consumer for a customer is a conflict",
    operations: [CREATE],
    requirements: [BODIES, "CreateConsumer.409-exists"],
    run: (t) =>
      t.tryTwice("CreateConsumer.409-exists", "a consumer that exists", CREATE, { keeps: [BODIES] }),
  }),

  scenario("consumers/all-fields", {
    title: "all fields of a consumer are required",
    section: "Resources and their fields",
    operations: [CREATE, "GetConsumer", "GetConsumerForCustomer"],
    requirements: [ALL_FIELDS],
    async run(t) {
      const call = await t.validCall(CREATE, t.arrange.exclusive());
      const refusals: [string, Exchange][] = [];
      for (const field of t.requiredFields(CREATE)) {
        refusals.push([field, await t.answerTo(withFields(call, { [field]: undefined }))]);
        // After an accepted call the customer has its consumer.
        if (isAccepted(refusals.at(-1)?.[1] as Exchange)) break;
      }
      const lacking = refusals.find(([, exchange]) => isAccepted(exchange));
      if (lacking !== undefined && !t.isCallConfirmed(CREATE))
        throw new NotTried(unsettled(t.contract, "the fields of a consumer are not shown"));
      const control = lacking?.[1] ?? (await t.acceptanceOf(call));
      for (const [field, refusal] of refusals)
        t.judgeRefused(ALL_FIELDS, `a consumer without ${field}`, [refusal, control], [400]);
      if (lacking === undefined) await judgeReads(t, call, control);
    },
  }),

  scenario("consumers/changed", {
    title: "a change leaves unspecified fields unchanged",
    operations: ["ModifyConsumer", "GetConsumer"],
    requirements: [BODIES, "ModifyConsumer.unspecified-unchanged"],
    async run(t) {
      const creation = await t.validCall(CREATE, t.arrange.exclusive());
      const path = { consumerId: t.identifierIn(await t.acceptanceOf(creation), "consumer") };
      const look = () => t.acceptanceOf({ operationId: "GetConsumer", path });
      const before = fieldsOf(await look());
      const { lastName } = t.namesFor("changed");
      await t.acceptanceOf({ operationId: "ModifyConsumer", path, json: { lastName } }, [BODIES]);
      const read = await t.readUntil(look, (exchange) => holdsValue(contentOf(exchange), lastName));
      const after = fieldsOf(read);
      // What the run did not send may change by itself, or with any change. The field may have another name in the record.
      const others = Object.keys(creation.json as object).filter(
        (name) => name in before && name !== "lastName",
      );
      const changed = others.filter((name) => after[name] !== lastName && !isSame(before[name], after[name]));
      t.judgeThat("ModifyConsumer.unspecified-unchanged", changed.length === 0, [read], {
        message: `a change of only lastName also changed ${changed.join(", ")}`,
        expected: "only lastName changes",
        actual: `${changed.length} other fields changed`,
      });
    },
  }),
];

/**
 * Judges that reads have all required fields of the consumer. Only the names of fields are compared, because values may
 * be masked. A field that is optional at creation is also optional in the record.
 */
const judgeReads = async (t: T, call: Call, created: Exchange): Promise<void> => {
  const required = t.requiredFields(CREATE);
  const sent = Object.keys(call.json as object).filter((name) => required.includes(name));
  const consumerId = t.identifierIn(created, "consumer");
  const reads = [
    { operationId: "GetConsumer", path: { consumerId } },
    { operationId: "GetConsumerForCustomer", path: call.path ?? {} },
  ];
  for (const read of reads) {
    const exchange = await t.readUntil(() => t.answerTo(read), isAccepted);
    t.assertAccepted(exchange);
    const missing = sent.filter((name) => fieldsOf(exchange)[name] === undefined);
    if (missing.length > 0 && !t.isCallConfirmed(CREATE)) continue;
    t.judgeThat(ALL_FIELDS, missing.length === 0, [exchange, created], {
      message: `the record of the consumer lacks ${missing.join(", ")}`,
      expected: "every required field that it was created with",
      actual: `${statusOf(exchange)} without it`,
    });
  }
};

const fieldsOf = (exchange: Exchange): Json => (contentOf(exchange) ?? {}) as Json;
