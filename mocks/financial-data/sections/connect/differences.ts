/** Permitted differences in the hosted flow and its components. */
import { anyBody, empty, permitted } from "../../../engine/deviations/rows.ts";

const CHALLENGED = [
  "LoadHistoricTransactionsForCustomerAccount",
  "GetAccountOwner",
  "GetCustomerAccountStatement",
  "GetCustomerAccountMultipleStatement",
  "post-reconnections",
];

export const CONNECT_DIFFERENCES = [
  ...permitted("GetAllExperience app name", { operations: ["GetAllExperience"] })({
    "app-name-ignored": "The app name does not select experiences: the experiences of all apps are listed.",
  }),
  ...permitted("203 body and the next step", { operations: CHALLENGED })({
    "challenge-without-body": {
      what: "A 203 carries no question to the consumer.",
      effects: CHALLENGED.flatMap((operationId) => empty({ operationId, status: 203 })),
      // The body is assumed.
      affects: ["post-reconnections.response.shape"],
    },
  }),
  ...permitted("operations described by path and status only")({
    "configurations-of-others": {
      what: "Another client of the partner creates configurations, and deletes each when it has been listed.",
      operations: ["get-configurations"],
    },
    "configurations-as-sent": {
      what: "The bodies of configurations are not checked, and configurations are shown as they were sent.",
      effects: ["configurations-as-sent", ...anyBody("post-configurations")],
      operations: ["post-configurations", "get-configurations"],
      affects: ["post-configurations.request.shape"],
    },
  }),
  ...permitted("operations described by path and status only", { group: "first-accounts" })({
    "accounts-from-the-start": "A new customer has linked accounts without a hosted flow.",
    "first-accounts-listed-late": {
      what: "A new customer has linked accounts without a hosted flow, which are listed a second later.",
      effects: ["accounts-from-the-start", "first-accounts-listed-late"],
    },
  }),
];
