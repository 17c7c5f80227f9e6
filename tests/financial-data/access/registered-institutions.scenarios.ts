/** App registration: the institutions of an application, and its status at each. */

import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted } from "../../../helpers/exchange/exchange.ts";
import { acceptanceOf, accepted, answerTo } from "../../../helpers/trials/kit/asking.ts";
import { validCall, withQuery } from "../../../helpers/trials/kit/calls.ts";
import { judgePages } from "../../../helpers/trials/kit/lists.ts";
import { isConfirmed, parameterOf } from "../../../helpers/trials/kit/names.ts";
import { fieldOf, idOf, itemsIn, valuesIn } from "../../../helpers/trials/kit/reading.ts";
import { recordIfConfirmed } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("App registration and third-party access");
const REGISTERED = "getRegisteredInstitutions";
const INSTITUTIONS = "GetInstitutions";
const ALL = `${REGISTERED}.all-without-institution-id`;

/** The number of institutions for which the scenario checks that the list contains them. */
const ASKED = 20;
const MOST = 1000;

export const registeredInstitutionScenarios: readonly Trial[] = [
  scenario({
    id: "registered-institutions/pages",
    title: "start and limit page the institutions of an application",
    operations: [REGISTERED],
    requirements: ["getRegisteredInstitutions.paging"],
    async run(context) {
      const application = await context.arrange.need("application");
      await judgePages(context, "getRegisteredInstitutions.paging", REGISTERED, { application });
    },
  }),

  scenario({
    id: "registered-institutions/all",
    title: "without an institution id the list has the status of all institutions",
    operations: [REGISTERED],
    requirements: [ALL],
    async run(context) {
      const all = await listed(context);
      const items = itemsIn(context, all);
      const ids = items.flatMap((item) => institutionOf(item) ?? []);
      if (items.length === 0) throw new NotTried("needs an application that is registered with institutions");
      const stateless = items.filter((item) => fieldOf(item, "status") === undefined).length;
      const missing = await missingFrom(context, ids);
      const shown = missing === undefined ? [all] : [all, missing.exchange];
      recordIfConfirmed(context, ALL, stateless === 0 && missing === undefined, shown, {
        confirmed: isConfirmed(context),
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
const listed = async (context: TrialContext): Promise<Exchange> => {
  const call = await validCall(context, REGISTERED);
  const limit = parameterOf(context, REGISTERED, "limit")?.name;
  const wide = limit === undefined ? undefined : await answerTo(context, withQuery(call, { [limit]: MOST }));
  return wide !== undefined && isAccepted(wide) ? wide : acceptanceOf(context, call);
};

/** Finds an institution that can be read by its id but is missing from the whole list. */
const missingFrom = async (
  context: TrialContext,
  listed: readonly string[],
): Promise<{ readonly id: string; readonly exchange: Exchange } | undefined> => {
  const filter = parameterOf(context, REGISTERED, "institutionId")?.name;
  if (filter === undefined) return undefined;
  const call = await validCall(context, REGISTERED);
  const institutions = await accepted(context, INSTITUTIONS);
  const others = itemsIn(context, institutions)
    .flatMap((item) => idOf(context, INSTITUTIONS, "institution", item) ?? [])
    .filter((id) => !listed.includes(id));
  for (const id of others.slice(0, ASKED)) {
    const exchange = await answerTo(context, withQuery(call, { [filter]: id }));
    if (isAccepted(exchange) && itemsIn(context, exchange).some((item) => valuesIn(item).includes(id)))
      return { id, exchange };
  }
  return undefined;
};
