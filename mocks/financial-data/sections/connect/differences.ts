/** Permitted differences in the hosted flow and its components. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
import { anyBody, empty, switched } from "../../../engine/deviations/rows.ts";

const CHALLENGED = [
  "LoadHistoricTransactionsForCustomerAccount",
  "GetAccountOwner",
  "GetCustomerAccountStatement",
  "GetCustomerAccountMultipleStatement",
  "post-reconnections",
];

export const CONNECT_DIFFERENCES = [
  {
    name: "app-name-ignored",
    what: "The app name does not select experiences: the experiences of all apps are listed.",
    gaps: ["GetAllExperience app name"],
    effects: ["app-name-ignored"],
    operations: ["GetAllExperience"],
  },
  {
    name: "challenge-without-body",
    what: "A 203 carries no question to the consumer.",
    gaps: ["203 body and the next step"],
    effects: CHALLENGED.flatMap((operationId) => empty({ operationId, status: 203 })),
    operations: CHALLENGED,
    // The body is assumed.
    affects: ["post-reconnections.response.shape"],
  },
  {
    name: "configurations-of-others",
    what: "Another client of the partner creates configurations, and deletes each when it has been listed.",
    gaps: ["operations described by path and status only"],
    effects: ["configurations-of-others"],
    operations: ["get-configurations"],
  },
  {
    name: "configurations-as-sent",
    what: "The bodies of configurations are not checked, and configurations are shown as they were sent.",
    gaps: ["operations described by path and status only"],
    effects: ["configurations-as-sent", ...anyBody("post-configurations")],
    operations: ["post-configurations", "get-configurations"],
    affects: ["post-configurations.request.shape"],
  },
  switched(
    "accounts-from-the-start",
    "A new customer has linked accounts without a hosted flow.",
    "operations described by path and status only",
    "first-accounts",
  ),
  {
    name: "first-accounts-listed-late",
    what: "A new customer has linked accounts without a hosted flow, which are listed a second later.",
    gaps: ["operations described by path and status only"],
    effects: ["accounts-from-the-start", "first-accounts-listed-late"],
    group: "first-accounts",
  },
] as const satisfies readonly DeviationRow[];
