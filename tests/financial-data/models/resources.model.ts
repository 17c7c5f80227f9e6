/** Models that rows describe: customers with their consumers and businesses, and configurations of Connect components. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import { modelOfRows, type ResourceRow } from "../../../helpers/sequences/resource-rows.ts";
import type { Walk } from "../../../helpers/sequences/sequences.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { LISTS_AGREE, PROMISES, sequenceTrial } from "./sequences.ts";

const ROW = { ...PROMISES, lists: LISTS_AGREE };

/** Returns what makes a trial of rows: its head and its run. The place of a trial is where it is made. */
const ofRows = (
  named: Pick<Trial, "title" | "section"> & { readonly name: string },
  rows: readonly ResourceRow[],
  effort: Omit<Walk<never>, "model">,
): Parameters<typeof sequenceTrial> => {
  const requirements = rows.flatMap(({ conflict, fixed = [], outlives, promises }) =>
    [conflict, fixed[1], outlives, ...Object.values(promises)].flatMap((one) => one ?? []),
  );
  const operations = rows.flatMap((row) => Object.values(row.operations));
  return [
    { ...named, operations, requirements: [...new Set(requirements)] },
    (t, walk) => walk({ model: modelOfRows(t, rows), ...effort }),
  ];
};

export const configurationSequences = sequenceTrial(
  ...ofRows(
    {
      name: "connect-configurations",
      title: "configurations exist until they are deleted",
      section: "Connect components",
    },
    [
      {
        kind: "configuration",
        most: 6,
        promises: ROW,
        operations: {
          create: "post-configurations",
          read: "get-configurations-configurationId",
          list: "get-configurations",
          remove: "delete-configurations-configurationId",
        },
      },
    ],
    { steps: 14 },
  ),
);

export const customerSequences = sequenceTrial(
  ...ofRows(
    {
      name: "customers",
      title: "customers, consumers and businesses are as the calls left them",
      section: "Customers",
    },
    [
      {
        kind: "customer",
        most: 5,
        unique: "username",
        conflict: id("AddTestingCustomer.409-exists"),
        fixed: ["type", id("customers.kind-fixed-at-creation")],
        promises: { ...ROW, gone: id("DeleteCustomer.removes-customer") },
        operations: {
          create: "AddTestingCustomer",
          read: "GetCustomer",
          list: "GetCustomers",
          change: "ModifyCustomer",
          remove: "DeleteCustomer",
        },
      },
      {
        kind: "consumer",
        of: "customer",
        conflict: id("CreateConsumer.409-exists"),
        outlives: id("consumer.persists-after-customer-deletion"),
        promises: { ...ROW, unnamed: id("ModifyConsumer.unspecified-unchanged") },
        operations: {
          create: "CreateConsumer",
          read: "GetConsumer",
          readByOwner: "GetConsumerForCustomer",
          change: "ModifyConsumer",
        },
      },
      {
        kind: "business",
        of: "customer",
        conflict: id("businesses.one-per-customer"),
        promises: ROW,
        operations: {
          create: "AddBusinessDetails",
          read: "GetBusinessById",
          readByOwner: "GetBusinessByCustomer",
          replace: "UpdateBusiness",
        },
      },
    ],
    { steps: 28, sequences: 4 },
  ),
);
