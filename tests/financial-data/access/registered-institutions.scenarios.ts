/** App registration: the institutions of an application, and its status at each. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { fieldOf, NotTried, valuesIn, withQuery } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("App registration and third-party access");
const REGISTERED = "getRegisteredInstitutions";
const INSTITUTIONS = "GetInstitutions";
const ALL = `${REGISTERED}.all-without-institution-id`;

/** The number of institutions for which the scenario checks that the list contains them. */
const ASKED = 20;
const MOST = 1000;

export const registeredInstitutionScenarios = [
  scenario("registered-institutions/all", {
    title: "without an institution id the list has the status of all institutions",
    operations: [REGISTERED],
    requirements: [ALL],
    async run(t) {
      const all = await listed(t);
      const items = t.itemsIn(all);
      const ids = items.flatMap((item) => institutionOf(item) ?? []);
      if (items.length === 0)
        throw new NotTried("lacks", "an application that is registered with institutions");
      const stateless = items.filter((item) => fieldOf(item, "status") === undefined).length;
      const missing = await missingFrom(t, ids);
      const shown = missing === undefined ? [all] : [all, missing.exchange];
      t.recordIfConfirmed(ALL, stateless === 0 && missing === undefined, shown, {
        message:
          missing === undefined
            ? "an institution is listed without its status"
            : "an institution is found by its id, but missing from the whole list",
        expected: "all institutions with their status",
        actual: missing === undefined ? `${stateless} without status` : `all but ${missing.id}`,
      });
    },
  }),
];

const institutionOf = (item: unknown): string | undefined => {
  const id = fieldOf(item, "institutionId", "id");
  return id === undefined ? undefined : String(id);
};

/** Reads all items on one page, if the target accepts that page size. */
const listed = async (t: T): Promise<Exchange> => {
  const call = await t.validCall(REGISTERED);
  const limit = t.parameterOf(REGISTERED, "limit")?.name;
  const wide = limit === undefined ? undefined : await t.answerTo(withQuery(call, { [limit]: MOST }));
  return wide !== undefined && isAccepted(wide) ? wide : t.acceptanceOf(call);
};

/** Finds an institution that can be read by its id but is missing from the whole list. */
const missingFrom = async (
  t: T,
  listed: readonly string[],
): Promise<{ readonly id: string; readonly exchange: Exchange } | undefined> => {
  const filter = t.parameterOf(REGISTERED, "institutionId")?.name;
  if (filter === undefined) return undefined;
  const call = await t.validCall(REGISTERED);
  const institutions = await t.accepted(INSTITUTIONS);
  const others = t
    .itemsIn(institutions)
    .flatMap((item) => t.idOf(INSTITUTIONS, "institution", item) ?? [])
    .filter((id) => !listed.includes(id));
  for (const id of others.slice(0, ASKED)) {
    const exchange = await t.answerTo(withQuery(call, { [filter]: id }));
    if (isAccepted(exchange) && t.itemsIn(exchange).some((item) => valuesIn(item).includes(id)))
      return { id, exchange };
  }
  return undefined;
};
